package authority

import (
	"bytes"
	"cmp"
	"context"
	"slices"

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
	open := w.open()
	if len(open) == 0 {
		return nil, nil
	}
	ids := make([]gitref.OID, len(open))
	for i, h := range open {
		ids[i] = h.Commit
	}
	at, cut, err := s.repo.Foremost(ctx, ids)
	if err != nil {
		return nil, gitFault(err)
	}
	w.cut = cut
	return open[at].origin, nil
}

// open lists the versions with the identity that are not known to lie behind another,
// the latest first, one of a commit.
func (w *lineageWalk) open() []*lineageHit {
	var open []*lineageHit
	for i := range w.hits {
		if h := &w.hits[i]; !w.log.Hidden(h.Commit) {
			open = append(open, h)
		}
	}
	slices.SortStableFunc(open, (*lineageHit).compare)
	return slices.CompactFunc(open, func(a, b *lineageHit) bool { return a.Commit == b.Commit })
}

// compare orders versions of which none descends from another: the one that is chosen
// comes first.
func (h *lineageHit) compare(o *lineageHit) int {
	return cmp.Or(cmp.Compare(o.Time, h.Time), bytes.Compare(h.Commit.Bytes(), o.Commit.Bytes()))
}

func renamings(list []gitref.Rename) (out []Renaming) {
	for _, r := range list {
		out = append(out, Renaming{r.Commit.String(), r.Old, r.New, r.Percent})
	}
	return out
}
