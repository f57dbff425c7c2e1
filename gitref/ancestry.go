package gitref

import "context"

// ancestry answers for history: walked natively, or by the git binary.
type ancestry interface {
	isAncestor(ancestor, descendant OID) (bool, error)
	mergeBases(a, b OID) ([]OID, error)
	foremost(commits []OID) (at int, cut []OID, err error)
	close() error
}

// IsAncestor reports whether ancestor is, or is reachable from, descendant. Both
// are commits, else the error is WrongType. Beyond a shallow boundary nothing is
// known: Shallow, never false.
func (r *Repo) IsAncestor(ctx context.Context, ancestor, descendant OID) (bool, error) {
	past, err := r.history(ctx)
	if err != nil {
		return false, err
	}
	return past.isAncestor(ancestor, descendant)
}

// MergeBases returns the best common ancestors of two commits, none when their
// histories do not meet; sorted. Errors are those of IsAncestor.
func (r *Repo) MergeBases(ctx context.Context, a, b OID) ([]OID, error) {
	past, err := r.history(ctx)
	if err != nil {
		return nil, err
	}
	return past.mergeBases(a, b)
}

// Foremost returns the place of the first of some commits that no other of them
// descends from. They are distinct, and at least one. Where a shallow clone keeps it
// from being known whether another does, that is taken for no: cut are the boundary
// commits that IsAncestor names, one for each such other, sorted. Errors are otherwise
// those of IsAncestor.
func (r *Repo) Foremost(ctx context.Context, commits []OID) (at int, cut []OID, err error) {
	if len(commits) == 1 {
		return 0, nil, nil
	}
	past, err := r.history(ctx)
	if err != nil {
		return 0, nil, err
	}
	return past.foremost(commits)
}

// history makes what answers for ancestry, on first use.
func (r *Repo) history(ctx context.Context) (ancestry, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	return r.past.get(func() (ancestry, error) {
		s, native := r.objects.(*store)
		if !native {
			return gitHistory{r}, nil
		}
		boundary, err := r.shallowBoundary()
		if err != nil {
			return nil, err
		}
		return newHistory(r.objects, r.format.hashSize, boundary, r.hasGrafts() || r.hasReplacements(), s.objectDirs()), nil
	})
}
