package resolver

import (
	"context"
	"slices"

	"ctxptr/authority"
)

// refresh performs the one further observation that an episode allows, unpinned,
// of the same authority. It adopts a current identity only when both
// observations agree on it, the selection is unique and every further rule is
// proven.
func (b *batch) refresh(ctx context.Context, t task, first *attempt) *Record {
	again, err := b.again()
	if err != nil {
		return b.failed(ctx, t, first)
	}
	second := try(ctx, again, t.pointer, t.again)
	switch {
	case first.found.Identity != second.found.Identity:
		return b.disagree(ctx, t, second)
	case second.fault == nil:
		return b.adopt(ctx, t, second, t.pointer)
	case t.pointer.selector.Positional():
		return b.relocate(ctx, t, first, second)
	case second.fault.Code != authority.StaleIdentity && second.fault.Code != authority.StaleNotDescendant:
		return b.failed(ctx, t, second)
	}
	return b.adopt(ctx, t, second, t.pointer.withIdentity(second.found.Identity))
}

// adopt proves the pointer that would be valid now, with every further rule.
func (b *batch) adopt(ctx context.Context, t task, seen *attempt, now Pointer) *Record {
	kept := func(context.Context) (*authority.Observation, error) { return seen.observation, nil }
	proven := try(ctx, seen.workspace, now, kept)
	if b.options.Keep {
		proven.read(ctx)
	}
	if proven.fault != nil {
		proven.pointer = t.pointer
		return b.failed(ctx, t, proven)
	}
	r := t.item.record(t.index, &t.pointer)
	r.Outcome, r.Refresh = Refreshed, RefreshPerformed
	r.StatedIdentity, r.PointerNow = t.pointer.identity.String(), now.String()
	r.prove(proven)
	r.keep(b, proven)
	return r
}

// failed is the record of a refresh that proved nothing. It stays in the episode
// of the first observation, whatever the refresh found: over the same evidence
// the refresh is spent.
func (b *batch) failed(ctx context.Context, t task, a *attempt) *Record {
	r := b.blocked(t, a)
	r.Refresh, r.Episode = RefreshFailed, t.episode
	return b.diagnosed(ctx, r, t, a)
}

// disagree is the record of two observations that differ.
func (b *batch) disagree(ctx context.Context, t task, second *attempt) *Record {
	second.fault = mismatch(authority.AmbiguousObservation, "two observations of the authority differ")
	return b.failed(ctx, t, second)
}

// relocate looks for the stated bytes elsewhere in the same authority, for a
// selector that names a place: a position never adopts other bytes.
func (b *batch) relocate(ctx context.Context, t task, first, second *attempt) *Record {
	places, done := t.lines.find(ctx, second.found.Doc, t.pointer)
	before, _ := t.lines.find(ctx, first.found.Doc, t.pointer)
	switch {
	case !done:
		second.fault = mismatch(authority.MissingLimit, "the search for lines that moved was cut at %d bytes hashed", searchLimit)
		return b.failed(ctx, t, second)
	case !slices.Equal(before, places):
		return b.disagree(ctx, t, second)
	case len(places) == 0:
		return b.failed(ctx, t, second)
	case len(places) > 1:
		second.fault = mismatch(authority.AmbiguousSelection, "the stated lines now stand in %d places", len(places))
		r := b.failed(ctx, t, second)
		r.Candidates, r.Omitted = lineCandidates(t.pointer, second.found.Doc, places)
		return r
	}
	return b.adopt(ctx, t, second, t.pointer.withSelector(linesSelector(places[0])))
}

// MovedTo is the record of a pointer that does not hold, and whose stated identity
// was proven at another place: what that record resolved is valid now.
func (r *Record) MovedTo(proven *Record) *Record {
	moved := *proven
	moved.Outcome, moved.Refresh = Refreshed, RefreshPerformed
	moved.pointer, moved.Pointer, moved.Input = r.pointer, r.Pointer, r.Input
	moved.StatedIdentity, moved.PointerNow = r.pointer.identity.String(), proven.Pointer
	moved.Index, moved.Form = r.Index, r.Form
	return &moved
}

// Then is the record of a pointer that was refreshed, and refreshed again after
// that: next is the record of the second time.
func (r *Record) Then(next *Record) *Record {
	both := *next
	both.pointer, both.Pointer, both.Input = r.pointer, r.Pointer, r.Input
	both.StatedIdentity = r.StatedIdentity
	return &both
}
