package authority

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"ctxptr/gitref"
)

// lineageWalk is one walk through the history of a path.
type lineageWalk struct {
	log     *gitref.PathLog
	hits    []lineageHit
	changed []gitref.Version // that have not the identity
	more    bool             // MaxBytes ended it before the paths to go on with did
	cut     []gitref.OID     // boundary commits behind which another hit could descend from the one that is latest
}

// lineageHit is a version with the stated identity.
type lineageHit struct {
	gitref.Version
	origin *Origin
}

// walk looks at every version that does not lie behind one with the identity, and
// takes over what it shows.
func (s *lineageSearch) walk(ctx context.Context, full bool) (*lineageWalk, error) {
	log, err := s.repo.NewPathLog(ctx, s.commit, s.path, gitref.PathLogOptions{MaxCommits: s.options.MaxCommits, Full: full})
	if err != nil {
		return nil, gitFault(err)
	}
	if log.Start.Mode != 0 {
		s.out.Head = log.Start.OID.String()
	}
	w := &lineageWalk{log: log}
	for v, err := range log.Versions(ctx) {
		if err != nil {
			return nil, gitFault(err)
		}
		if err := s.visit(ctx, w, v); err != nil {
			return nil, err
		}
		if w.more = s.overSize && (len(w.hits) == 0 || log.More()); w.more {
			break
		}
	}
	return w, s.report(ctx, w)
}

// visit tests a version.
func (s *lineageSearch) visit(ctx context.Context, w *lineageWalk, v gitref.Version) error {
	found, err := s.prove(ctx, v)
	switch {
	case err != nil:
		return err
	case found == nil:
		w.changed = append(w.changed, v)
		return nil
	}
	found.Layer, found.Commit, found.Boundary = LayerCommit, v.Commit.String(), v.Cut
	w.hits = append(w.hits, lineageHit{v, found})
	if err := w.log.Hide(v); err != nil {
		return gitFault(err)
	}
	return nil
}

// report takes over what a walk tells.
func (s *lineageSearch) report(ctx context.Context, w *lineageWalk) (err error) {
	log := w.log
	s.out.Walked += log.Walked
	s.out.Renames, s.out.Moves, s.out.Ends = renamings(log.Renames), renamings(log.Moves), nil
	for _, e := range log.Ends {
		s.out.Ends = append(s.out.Ends, Quote(cmp.Or(e.Path, "."))+" appears first in "+e.Commit.String()+": "+e.Why)
	}
	s.out.Steps, s.out.Omitted = nil, 0
	hit := make(map[gitref.OID]bool, len(w.hits)) // commits that have the identity at another path
	for _, h := range w.hits {
		hit[h.Commit] = true
	}
	for _, v := range w.changed {
		if !log.Hidden(v.Commit) && !hit[v.Commit] {
			if err := s.step(ctx, v); err != nil {
				return err
			}
		}
	}
	s.out.Origin, err = s.latest(ctx, w)
	return err
}

// latest is the version with the identity from which no other such descends: of
// several on parallel branches the one with the latest commit time, of one time with
// the lower commit id.
func (s *lineageSearch) latest(ctx context.Context, w *lineageWalk) (*Origin, error) {
	var open []gitref.OID
	for _, h := range w.hits {
		if !w.log.Hidden(h.Commit) {
			open = append(open, h.Commit)
		}
	}
	var best *lineageHit
	for i := range w.hits {
		h := &w.hits[i]
		if w.log.Hidden(h.Commit) || best != nil && !h.later(best) {
			continue
		}
		behind, cut, err := s.behindAny(ctx, open, h.Commit)
		if err != nil {
			return nil, gitFault(err)
		}
		if !behind {
			best, w.cut = h, cut
		}
	}
	if best == nil {
		return nil, nil
	}
	return best.origin, nil
}

// later reports whether of two versions, neither of which descends from the other,
// h is chosen.
func (h *lineageHit) later(o *lineageHit) bool {
	return cmp.Or(cmp.Compare(o.Time, h.Time), strings.Compare(h.Commit.String(), o.Commit.String())) < 0
}

// behindAny reports whether another of some commits descends from a commit. That one
// goes to the front: where clocks were off, many lie behind the same. Where a shallow
// clone keeps it from being known it is taken for no, and cut are the boundary commits.
func (s *lineageSearch) behindAny(ctx context.Context, others []gitref.OID, commit gitref.OID) (behind bool, cut []gitref.OID, err error) {
	for i, other := range others {
		if other == commit {
			continue
		}
		behind, err := s.repo.IsAncestor(ctx, commit, other)
		if e, ok := errors.AsType[*gitref.Error](err); ok && e.Fault == gitref.Shallow {
			id, err := gitref.ParseOID(e.Subject)
			if err != nil {
				return false, nil, e
			}
			cut = append(cut, id)
			continue
		}
		if behind {
			others[0], others[i] = other, others[0]
		}
		if behind || err != nil {
			return behind, nil, err
		}
	}
	return false, cut, nil
}

func renamings(list []gitref.Rename) (out []Renaming) {
	for _, r := range list {
		out = append(out, Renaming{r.Commit.String(), r.Old, r.New, r.Percent})
	}
	return out
}
