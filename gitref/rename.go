package gitref

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the search for what a path was renamed from.
const (
	maxRemoved      = 1000     // paths removed by one commit that are compared with the new one
	maxRenameBytes  = 64 << 20 // of their bytes, all together
	maxSameRenames  = 8        // paths with the same bytes that are followed
	minRenamePart   = 30000    // of wholeFile: how much of the longer file must be in both
	wholeFile       = 60000    // git's scale of similarity
	renameChunk     = 64       // bytes of a line that are compared at once
	renameTextBytes = 8000     // how far a NUL is looked for
)

// rename goes on behind a commit that has a path which a parent has not, with the
// path it had there.
func (l *PathLog) rename(ctx context.Context, v Version, before []*pathState) error {
	if v.Entry.Mode == 0 || v.Cut {
		return nil
	}
	why, followed := "it is the first commit", false
	for _, p := range before {
		if p.entry != (Entry{}) {
			followed = true
			continue
		}
		found, reason, err := l.renamed(ctx, v, p)
		if err != nil {
			return err
		}
		if why = reason; len(found) > 0 {
			followed = true
		}
		for _, r := range found {
			old, err := l.look(p.commit, r.Old, nil)
			if err != nil {
				return err
			}
			l.Renames = append(l.Renames, r)
			l.push(old)
		}
	}
	if !followed {
		l.Ends = append(l.Ends, TrailEnd{v.Commit, v.Path, why})
	}
	return nil
}

// renamed finds the paths of a parent that a commit removed and that its new path
// continues: those with the very same bytes and the likest path (see likest); else the one file, if it is the only one so similar, that shares with it
// at least half of the longer of the two, counted in lines as git does. A reason
// is given where there is none.
func (l *PathLog) renamed(ctx context.Context, v Version, p *pathState) ([]Rename, string, error) {
	if !isFileMode(v.Entry.Mode) {
		return nil, "only files are followed to another path", nil
	}
	var removed []Change
	err := l.repo.DiffTrees(ctx, p.tree, v.tree, nil, func(c Change) error {
		if c.New.Mode == 0 && isFileMode(c.Old.Mode) {
			removed = append(removed, c)
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	var found []Rename
	for _, old := range likest(v, removed) {
		found = append(found, Rename{v.Commit, old, v.Path, 100})
	}
	switch {
	case len(found) > 0:
		return found, "", nil
	case len(removed) == 0:
		return nil, "the commit removed no file that it could have been before", nil
	case len(removed) > maxRemoved:
		return nil, fmt.Sprintf("the commit removed more than %d files, of which none has the same bytes", maxRemoved), nil
	}
	return l.mostSimilar(ctx, v, removed)
}

// likest returns the removed paths that had the same bytes, of those the ones whose
// path ends in the most equal names, then those whose path begins so. Empty files
// are like any other, and never the same.
func likest(v Version, removed []Change) []string {
	var paths []string
	most := [2]int{}
	if v.Entry.OID == BlobOID(nil, int(v.Entry.OID.size)) {
		return nil
	}
	for _, c := range removed {
		if c.Old.OID != v.Entry.OID {
			continue
		}
		behind, before := equalNames(c.Path, v.Path)
		switch like := [2]int{behind, before}; slices.Compare(like[:], most[:]) {
		case 1:
			paths, most = []string{c.Path}, like
		case 0:
			paths = append(paths, c.Path)
		}
	}
	return paths[:min(len(paths), maxSameRenames)]
}

// equalNames is how many names two paths have in common at the end, and how many
// at the beginning.
func equalNames(a, b string) (behind, before int) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n := min(len(x), len(y)); before < n && x[before] == y[before]; {
		before++
	}
	slices.Reverse(x)
	slices.Reverse(y)
	for n := min(len(x), len(y)); behind < n && x[behind] == y[behind]; {
		behind++
	}
	return behind, before
}

func isFileMode(m Mode) bool { return m == ModeFile || m == ModeExecutable }

// mostSimilar finds the one removed file that shares the most with the new one.
func (l *PathLog) mostSimilar(ctx context.Context, v Version, removed []Change) ([]Rename, string, error) {
	budget := int64(maxRenameBytes)
	now, err := l.readWithin(ctx, v.Entry.OID, &budget)
	if err != nil || now == nil {
		return nil, "the file is not here, or too long to be compared", err
	}
	chunks := chunksOf(now)
	var best Rename
	most, rivals, unread := 0, 0, false
	for _, c := range removed {
		_, size, err := l.repo.Stat(ctx, c.Old.OID)
		if err == nil && min(size, int64(len(now)))*wholeFile < minRenamePart*max(size, int64(len(now))) {
			continue
		}
		old, err := l.readWithin(ctx, c.Old.OID, &budget)
		if err != nil {
			return nil, "", err
		}
		if old == nil {
			unread = true
			continue
		}
		switch part := shared(chunksOf(old), chunks) * wholeFile / max(len(old), len(now), 1); {
		case part < minRenamePart || part < most:
		case part == most:
			rivals++
		default:
			best, most, rivals = Rename{v.Commit, c.Path, v.Path, part * 100 / wholeFile}, part, 0
		}
	}
	switch {
	case unread:
		return nil, "files that the commit removed are not here, or too long to be compared", nil
	case best.Old == "":
		return nil, "the commit removed no file with the same bytes, and none that shares half of them", nil
	case rivals > 0:
		return nil, fmt.Sprintf("the commit removed %d files that are as similar to it", rivals+1), nil
	}
	return []Rename{best}, "", nil
}

// readWithin reads a blob within a budget of bytes, nil where it does not fit or
// is not here.
func (l *PathLog) readWithin(ctx context.Context, id OID, budget *int64) ([]byte, error) {
	obj, err := l.repo.Read(ctx, id, *budget)
	switch faultIn(err) {
	case NotLocal:
		l.Unread = append(l.Unread, id)
		return nil, nil
	case OverLimit:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	*budget -= int64(len(obj.Data))
	return append([]byte{}, obj.Data...), nil
}

// chunksOf counts the bytes of a file by their chunks: lines, long ones in
// pieces, of text without the CR of a CRLF (diffcore-delta.c in git).
func chunksOf(data []byte) map[string]int {
	text := bytes.IndexByte(data[:min(len(data), renameTextBytes)], 0) < 0
	counts := map[string]int{}
	var chunk []byte
	for i, c := range data {
		if text && c == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		if chunk = append(chunk, c); c == '\n' || len(chunk) == renameChunk {
			counts[string(chunk)] += len(chunk)
			chunk = chunk[:0]
		}
	}
	if len(chunk) > 0 {
		counts[string(chunk)] += len(chunk)
	}
	return counts
}

// shared is how many bytes stand in both files.
func shared(a, b map[string]int) int {
	n := 0
	for chunk, count := range a {
		n += min(count, b[chunk])
	}
	return n
}
