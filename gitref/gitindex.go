package gitref

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"
)

// gitIndex is the whole index as git ls-files lists it, for an index in a form
// that is not read natively. A sparse index comes expanded.
type gitIndex struct {
	list []IndexEntry
	time IndexTime
}

// readGitIndex lists the index once, so that it stays what was first observed.
func readGitIndex(ctx context.Context, git *gitBinary, dir string, written IndexTime) (*gitIndex, error) {
	out, err := git.run(ctx, dir, maxListOutput, gitLsFiles, "--stage", "--debug", "-z")
	if err != nil {
		return nil, &Error{Fault: Unsupported, Subject: "index", Proof: "the installed git cannot list the index", Err: err}
	}
	x := &gitIndex{time: written}
	for len(out) > 0 {
		var e IndexEntry
		var ok bool
		if e, out, ok = parseListed(out); !ok {
			return nil, &Error{Fault: Unsupported, Subject: "index", Proof: "the installed git lists the index in another form"}
		}
		x.list = append(x.list, e)
	}
	return x, nil
}

// parseListed reads "mode id stage TAB path NUL" and the five lines of
// git ls-files --debug.
func parseListed(out []byte) (e IndexEntry, rest []byte, ok bool) {
	head, rest, ok := bytes.Cut(out, []byte("\x00"))
	fields, path, tab := strings.Cut(string(head), "\t")
	if !ok || !tab {
		return e, nil, false
	}
	var id string
	if _, err := fmt.Sscanf(fields, "%o %s %d", (*uint32)(&e.Mode), &id, &e.Stage); err != nil {
		return e, nil, false
	}
	oid, err := ParseOID(id)
	if err != nil {
		return e, nil, false
	}
	e.Path, e.OID = path, oid
	var lines []byte
	for range 5 {
		line, after, ok := bytes.Cut(rest, []byte("\n"))
		if !ok {
			return e, nil, false
		}
		lines = append(append(lines, line...), '\n')
		rest = after
	}
	const (
		assumeValid  = 0x8000
		intentToAdd  = 1 << 29
		skipWorktree = 1 << 30
	)
	var flags uint32
	_, err = fmt.Sscanf(string(lines), " ctime: %d:%d\n mtime: %d:%d\n dev: %d\tino: %d\n uid: %d\tgid: %d\n size: %d\tflags: %x\n",
		&e.CTimeSec, &e.CTimeNsec, &e.MTimeSec, &e.MTimeNsec, &e.Dev, &e.Ino, &e.UID, &e.GID, &e.Size, &flags)
	e.AssumeValid, e.IntentToAdd, e.SkipWorktree = flags&assumeValid != 0, flags&intentToAdd != 0, flags&skipWorktree != 0
	return e, rest, err == nil
}

func (x *gitIndex) entries(_ context.Context, path string) ([]IndexEntry, error) {
	i := sort.Search(len(x.list), func(i int) bool { return x.list[i].Path >= path })
	end := i
	for end < len(x.list) && x.list[end].Path == path {
		end++
	}
	return x.list[i:end:end], nil
}

func (x *gitIndex) each(ctx context.Context, f func(IndexEntry) bool) error {
	for i, e := range x.list {
		if i%1024 == 0 {
			if err := alive(ctx); err != nil {
				return err
			}
		}
		if !f(e) {
			return nil
		}
	}
	return nil
}

func (x *gitIndex) count() int { return len(x.list) }

func (x *gitIndex) name(i int) []byte { return []byte(x.list[i].Path) }

func (x *gitIndex) decode(i int, e *IndexEntry) { *e = x.list[i] }

func (x *gitIndex) written() IndexTime { return x.time }

func (x *gitIndex) close() {}
