package authority

import (
	"bytes"
	"fmt"
	"slices"

	"ctxptr/gitref"
)

// conclude says what keeps the answer from being certain, and why there is none.
func (s *lineageSearch) conclude(w *lineageWalk) {
	missing, other := s.whyUnread(w.log)
	cut := slices.Concat(s.hiding(w.log.Boundary), w.cut)
	s.out.Unproven = slices.Concat(missing, whyShallow(cut), s.whyCut(w), other)
	switch {
	case s.out.Origin != nil:
	case len(s.out.Unproven) > 0:
		s.out.Fault, s.out.Unproven = s.out.Unproven[0], s.out.Unproven[1:]
	case len(s.out.Steps) == 0:
		s.out.Fault = fault(MissingRevision, "no commit that leads to %s has anything at %s", s.commit, Quote(s.path))
	default:
		s.out.Fault = fault(MissingRevision, "none of the %d commits that lead to %s and changed the authority left it with the stated identity: it was never committed, or under a path that is not followed",
			len(s.out.Steps)+s.out.Omitted, s.commit)
	}
}

// whyUnread says that versions could not be told, but for those that one with the
// stated identity descends from: those that a partial clone lacks, and the first of
// all others.
func (s *lineageSearch) whyUnread(log *gitref.PathLog) (missing, other []*Fault) {
	var lacks []gitref.OID
	known := map[gitref.OID]bool{}
	lack := func(id gitref.OID) {
		if !known[id] {
			known[id] = true
			lacks = append(lacks, id)
		}
	}
	for _, u := range s.unread {
		switch {
		case !u.commit.IsZero() && log.Hidden(u.commit):
		case isFault(u.fault, gitref.NotLocal):
			lack(u.blob)
		case other == nil:
			other = []*Fault{u.fault}
		}
	}
	for _, u := range log.Unread {
		lack(u.Blob)
	}
	if len(lacks) > 0 {
		f := fault(MissingObjectNotLocal, "%d versions in the history are not here, since a partial clone left them out; the first is %s", len(lacks), lacks[0])
		f.Fix = []string{"git", "log", "--follow", "--shortstat", "--format=%h", s.commit.String(), "--", pathspec(s.path)}
		missing = []*Fault{f}
	}
	return missing, other
}

// hiding are the boundary commits behind which a newer place could be than the one
// that was found.
func (s *lineageSearch) hiding(boundary []gitref.OID) []gitref.OID {
	return slices.DeleteFunc(boundary, func(id gitref.OID) bool {
		return s.out.Origin != nil && s.out.Origin.Commit == id.String()
	})
}

// whyShallow says that history ends at boundary commits, if there are any.
func whyShallow(boundary []gitref.OID) []*Fault {
	if len(boundary) == 0 {
		return nil
	}
	ids := slices.SortedFunc(slices.Values(boundary), func(a, b gitref.OID) int { return bytes.Compare(a.Bytes(), b.Bytes()) })
	ids = slices.Compact(ids)
	f := fault(MissingHistoryShallow, "the parents of %s are not here: a shallow clone ends there", ids[0])
	if len(ids) > 1 {
		f.Proof = fmt.Sprintf("the parents of %s and of %d other commits are not here: a shallow clone ends there", ids[0], len(ids)-1)
	}
	f.Fix = deepen()
	return []*Fault{f}
}

func (s *lineageSearch) whyCut(w *lineageWalk) []*Fault {
	switch {
	case w.more:
		return []*Fault{fault(MissingLimit, "the search ended after %d bytes hashed", s.hashed)}
	case w.log.OverMax:
		return []*Fault{overMax(w.log.Walked)}
	}
	return nil
}

func overMax(walked int) *Fault {
	return fault(MissingLimit, "the search ended after %d commits (--commits)", walked)
}

// withCRLF returns text with CRLF for every LF that has no CR.
func withCRLF(data []byte) []byte {
	plain := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))
}
