package gitref

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the search for the other side of a rename.
const (
	maxCompared    = 1000     // files of one commit that are compared
	maxRenameBytes = 64 << 20 // of their bytes, all together
	maxLogBytes    = 1 << 30  // of all that is compared in one history
	maxSameRenames = 8        // paths with the same bytes that are followed
	minRenamePart  = 30000    // of wholeFile: how much of the longer file must be in both
	wholeFile      = 60000    // git's scale of similarity
	renameChunk    = 64       // bytes of a line that are compared at once
)

// similar looks for the file that was another path before a commit, or is one
// behind it.
type similar struct {
	repo   *Repo
	path   string
	id     OID
	verb   string // what the commit did to the files that are looked at
	files  []candidate
	unread []OID // blobs of a partial clone that would have to be compared
	budget int64 // bytes that may be compared
	spent  int64
}

// candidate is a file that stands on one side of a commit alone.
type candidate struct {
	path string
	id   OID
}

// alike is a candidate that continues the path.
type alike struct {
	path    string
	percent int // of the longer file, how much is in both
}

// add takes a file that stands on one side and not on the other.
func (s *similar) add(path string, here, there Entry) {
	if there.Mode == 0 && isFileMode(here.Mode) {
		s.files = append(s.files, candidate{path, here.OID})
	}
}

// find returns the files with the very same bytes and the likest path; where there
// are none, the one that shares with it at least half of the longer of the two,
// counted in lines as git does, and more than any other. A reason is given where
// there is none of either.
func (s *similar) find(ctx context.Context) ([]alike, string, error) {
	same := s.likest()
	switch {
	case len(same) > 0:
		return same, "", nil
	case len(s.files) == 0:
		return nil, fmt.Sprintf("the commit %s no file that it could have been", s.verb), nil
	case len(s.files) > maxCompared:
		return nil, fmt.Sprintf("the commit %s more than %d files, of which none has the same bytes", s.verb, maxCompared), nil
	}
	return s.mostSimilar(ctx)
}

// likest returns the files with the same bytes, of those the ones whose path ends
// in the most equal names, then those whose path begins so. Empty files are like
// any other, and never the same.
func (s *similar) likest() (same []alike) {
	if s.id == BlobOID(nil, int(s.id.size)) {
		return nil
	}
	var most [2]int
	for _, c := range s.files {
		if c.id != s.id {
			continue
		}
		behind, before := equalNames(c.path, s.path)
		switch like := [2]int{behind, before}; slices.Compare(like[:], most[:]) {
		case 1:
			same, most = []alike{{c.path, 100}}, like
		case 0:
			same = append(same, alike{c.path, 100})
		}
	}
	return same[:min(len(same), maxSameRenames)]
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

// mostSimilar finds the one file that shares the most.
func (s *similar) mostSimilar(ctx context.Context) ([]alike, string, error) {
	own, err := s.read(ctx, s.id)
	if err != nil || own == nil {
		return nil, "the file is not here, or too long to be compared", err
	}
	chunks := chunksOf(own)
	var best alike
	most, rivals, skipped := 0, 0, false
	for _, c := range s.files {
		if !s.nearInSize(ctx, c.id, len(own)) {
			continue
		}
		other, err := s.read(ctx, c.id)
		if err != nil {
			return nil, "", err
		}
		switch part := shared(chunksOf(other), chunks) * wholeFile / max(len(other), len(own), 1); {
		case other == nil:
			skipped = true
		case part < minRenamePart || part < most:
		case part == most:
			rivals++
		default:
			best, most, rivals = alike{c.path, part * 100 / wholeFile}, part, 0
		}
	}
	switch {
	case skipped:
		return nil, fmt.Sprintf("files that the commit %s are not here, or too long to be compared", s.verb), nil
	case best.path == "":
		return nil, fmt.Sprintf("the commit %s no file with the same bytes, and none that shares half of them", s.verb), nil
	case rivals > 0:
		return nil, fmt.Sprintf("the commit %s %d files that are as similar to it", s.verb, rivals+1), nil
	}
	return []alike{best}, "", nil
}

// nearInSize reports whether a blob can share enough with one of size bytes.
func (s *similar) nearInSize(ctx context.Context, id OID, size int) bool {
	_, other, err := s.repo.Stat(ctx, id)
	return err != nil || min(other, int64(size))*wholeFile >= minRenamePart*max(other, int64(size))
}

// read reads a blob within the budget of bytes, nil where it does not fit or is
// not here.
func (s *similar) read(ctx context.Context, id OID) ([]byte, error) {
	obj, err := s.repo.Read(ctx, id, s.budget-s.spent)
	switch faultIn(err) {
	case NotLocal:
		s.unread = append(s.unread, id)
		return nil, nil
	case OverLimit:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.spent += int64(len(obj.Data))
	return append([]byte{}, obj.Data...), nil
}

// chunksOf counts the bytes of a file by their chunks: lines, long ones in
// pieces, of text without the CR of a CRLF (diffcore-delta.c in git).
func chunksOf(data []byte) map[string]int {
	text := !IsBinary(data)
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
