package gitref

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// maxAsked is how many commits one git merge-base is asked about, as arguments.
const maxAsked = 256

// gitHistory asks git merge-base, for repositories whose objects it reads.
type gitHistory struct{ r *Repo }

func (h gitHistory) run(args ...string) ([]byte, error) {
	git := h.r.binary()
	return git.run(context.Background(), git.dir, maxShortOutput, append([]string{gitMergeBase}, args...)...)
}

func (h gitHistory) commits(ids ...OID) error {
	for _, id := range ids {
		if t, _, err := h.r.objects.stat(id); err != nil {
			return err
		} else if t != CommitObject {
			return wrongType(id, t, CommitObject)
		}
	}
	return nil
}

// isAncestor trusts a "no" only over complete history.
func (h gitHistory) isAncestor(ancestor, descendant OID) (bool, error) {
	if err := h.commits(ancestor, descendant); err != nil {
		return false, err
	}
	_, err := h.run("--is-ancestor", ancestor.String(), descendant.String())
	if err == nil {
		return true, nil
	}
	if exit, ok := errors.AsType[*gitFailure](err); !ok {
		return false, err
	} else if exit.code != 1 {
		return false, notWalked(descendant, err)
	}
	return false, h.complete(descendant)
}

// foremost asks of each commit in turn whether it lies behind any of many others, those
// first among which one was found the last time.
func (h gitHistory) foremost(commits []OID) (at int, cut []OID, err error) {
	if err := h.commits(commits...); err != nil {
		return 0, nil, err
	}
	groups := slices.Collect(slices.Chunk(commits, maxAsked))
	for ; ; at++ {
		i, err := h.behindGroup(commits[at], groups)
		if err != nil {
			return 0, nil, err
		}
		if i < 0 {
			break
		}
		groups[0], groups[i] = groups[i], groups[0]
	}
	if boundary, err := h.r.shallowBoundary(); err != nil || len(boundary) == 0 {
		return at, nil, err
	}
	cut = slices.Concat(commits[:at], commits[at+1:])
	sortOIDs(cut)
	return at, cut, nil
}

// behindGroup returns the first group with another commit that descends from a commit,
// -1 for none: then the commit itself is the merge base of it and a merge of the group.
func (h gitHistory) behindGroup(commit OID, groups [][]OID) (int, error) {
	for i, group := range groups {
		args := []string{commit.String()}
		for _, id := range group {
			if id != commit {
				args = append(args, id.String())
			}
		}
		if len(args) == 1 {
			continue
		}
		out, err := h.run(args...)
		switch exit, said := errors.AsType[*gitFailure](err); {
		case err == nil && strings.TrimSuffix(string(out), "\n") == commit.String():
			return i, nil
		case said && exit.code != 1:
			return 0, notWalked(commit, err)
		case err != nil && !said:
			return 0, err
		}
	}
	return -1, nil
}

// mergeBases knows in shallow history only the one that is behind the other.
func (h gitHistory) mergeBases(a, b OID) ([]OID, error) {
	if err := h.commits(a, b); err != nil {
		return nil, err
	}
	if err := h.complete(a); err != nil {
		for _, pair := range [][2]OID{{a, b}, {b, a}} {
			if behind, err := h.isAncestor(pair[0], pair[1]); behind && err == nil {
				return []OID{pair[0]}, nil
			}
		}
		return nil, err
	}
	out, err := h.run("--all", a.String(), b.String())
	if exit, ok := errors.AsType[*gitFailure](err); ok && exit.code == 1 {
		out, err = nil, nil
	}
	if err != nil {
		return nil, notWalked(b, err)
	}
	var ids []OID
	for line := range strings.Lines(string(out)) {
		id, err := ParseOID(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, &Error{Fault: Corrupt, Subject: b.String(), Proof: "git gave an answer that is no object id", Err: err}
		}
		ids = append(ids, id)
	}
	sortOIDs(ids)
	return ids, nil
}

func notWalked(id OID, err error) *Error {
	return &Error{Fault: Corrupt, Subject: id.String(), Proof: "git cannot walk this commit's history", Err: err}
}

func (h gitHistory) close() error { return nil }

func (h gitHistory) complete(id OID) error {
	boundary, err := h.r.shallowBoundary()
	if err != nil || len(boundary) == 0 {
		return err
	}
	return &Error{Fault: Shallow, Subject: id.String(), Proof: "the history is shallow, so what lies beyond its boundary is unknown"}
}
