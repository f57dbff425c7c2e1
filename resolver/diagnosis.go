package resolver

import (
	"context"
	"sync"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// Bounds of the search for identical bytes.
const (
	maxIdentical      = 1000    // places that a record lists
	maxIdenticalBytes = 1 << 30 // bytes that are hashed or searched for one record
	maxIdenticalHeld  = 8 << 20 // bytes that searches hold until they are run together
)

// diagnosed completes the record of an attempt that is blocked with what the
// repository still holds of the stated bytes: evidence, of which nothing is ever
// adopted.
func (b *batch) diagnosed(ctx context.Context, r *Record, t task, a *attempt) *Record {
	stale := a.fault.Code == authority.StaleIdentity
	if !t.pointer.Kind().Bytes || !stale && !b.options.Identical {
		return r
	}
	old, known := t.past.Stated(ctx, t.pointer.identity, t.pointer.selector)
	if stale && known {
		if now, err := a.observation.Covered(ctx, a.found); err == nil {
			r.Difference = selector.Difference(old, now)
		}
	}
	if b.options.Identical {
		b.identical.add(ctx, r, b.searchOf(t, a, old))
	}
	return r
}

// searchOf is the search for where else the stated bytes stand, which are old where
// they are known.
func (b *batch) searchOf(t task, a *attempt, old []byte) authority.Search {
	p := t.pointer
	s := authority.Search{
		Locator: p.locator, Identity: p.identity.AsPart(), Bytes: old, Whole: p.selector.IsZero() || p.identity.Whole(),
		MaxBytes: maxIdenticalBytes, MaxPlaces: maxIdentical,
	}
	if b.options.testOnlyIdentical != nil {
		b.options.testOnlyIdentical(&s)
	}
	if o := a.observation; o != nil && o.Layer != authority.LayerCommit && a.found.Identity == p.identity {
		s.Own, s.OwnRange = o.Path, a.found.Range
	}
	return s
}

// identicalSearches gathers the searches of records for identical bytes, so that the
// files of the tracked tree are read once for many.
type identicalSearches struct {
	workspace *authority.Workspace
	most      int // entries of one list in a record

	mu       sync.Mutex
	records  []*Record
	searches []authority.Search
	held     int // bytes that are searched for
}

// add notes a search for a record, which is complete once run was called.
func (i *identicalSearches) add(ctx context.Context, r *Record, s authority.Search) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.records, i.searches = append(i.records, r), append(i.searches, s)
	if i.held += len(s.Bytes); i.held > maxIdenticalHeld {
		i.runAll(ctx)
	}
}

// run performs the searches that wait.
func (i *identicalSearches) run(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.runAll(ctx)
}

// runAll is run with mu held.
func (i *identicalSearches) runAll(ctx context.Context) {
	for n, found := range authority.FindIdentical(ctx, i.workspace, i.searches) {
		r := i.records[n]
		r.IdenticalCut = !found.Complete
		for _, place := range found.Places {
			r.IdenticalAt = append(r.IdenticalAt, identicalPlace(place, i.searches[n].Identity))
		}
		r.listAtMost(i.most)
	}
	i.records, i.searches, i.held = nil, nil, 0
}

// identicalPlace is a place as a record lists it.
func identicalPlace(found authority.Identical, id authority.Identity) IdenticalPlace {
	var out IdenticalPlace
	out.Path, out.PathURI = PathInJSON(found.Path)
	var sel selector.Selector
	switch {
	case found.Aligned:
		out.Lines, sel = &found.Lines, linesSelector(found.Lines)
	case found.Whole:
	default:
		out.Lines = &found.Lines
		return out
	}
	p, err := NewPointer(found.Locator, id, defaultRules(found.Locator), sel)
	if err == nil {
		out.Pointer = p.String()
	}
	return out
}
