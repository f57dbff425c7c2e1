package resolver

import (
	"context"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// Bounds of the search for identical bytes.
const (
	maxIdentical      = 1000    // places that a record lists
	maxIdenticalBytes = 1 << 30 // bytes that are hashed or searched for one record
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
		b.listIdentical(ctx, r, t, a, old)
	}
	return r
}

// listIdentical lists where else the stated bytes stand, which are old where
// they are known.
func (b *batch) listIdentical(ctx context.Context, r *Record, t task, a *attempt, old []byte) {
	p := t.pointer
	s := authority.Search{
		Identity: p.identity.AsPart(), Bytes: old, Whole: p.selector.IsZero() || p.identity.Whole(),
		MaxBytes: maxIdenticalBytes, MaxPlaces: maxIdentical,
	}
	if b.options.testOnlyIdentical != nil {
		b.options.testOnlyIdentical(&s)
	}
	if o := a.observation; o != nil && o.Layer != authority.LayerCommit && a.found.Identity == p.identity {
		s.Own, s.OwnRange = o.Path, a.found.Range
	}
	places, complete := p.locator.Identical(ctx, b.workspace.Workspace, s)
	r.IdenticalCut = !complete
	for _, place := range places {
		r.IdenticalAt = append(r.IdenticalAt, identicalPlace(place, s.Identity))
	}
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
