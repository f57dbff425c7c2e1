package resolver

import (
	"context"
	"errors"
	"slices"

	"ctxptr/authority"
)

// Options say how pointers are resolved.
type Options struct {
	Refresh bool  // perform the one bounded refresh where a pointer is blocked
	Prior   Prior // earlier blocked records, whose refreshes are spent
	Keep    bool  // keep the verified bytes in the records

	Identical bool // list where else the bytes of a blocked pointer stand

	testOnlyBetween   func()                  // runs between the first observation and the refresh
	testOnlyIdentical func(*authority.Search) // sees a search for identical bytes before it begins
}

// attempt is one look at a pointer's authority and what it proved.
type attempt struct {
	workspace   view
	pointer     Pointer
	observation *authority.Observation
	found       authority.Finding
	proofs      Proofs
	fault       *authority.Fault   // nil when every rule is proven
	rule        string             // the rule that is not proven
	changed     []authority.Member // of the set of inputs that a rule names
}

// lookup gives the observation of a pointer's authority: a batch looks once.
type lookup func(ctx context.Context) (*authority.Observation, error)

// try looks at the authority and proves the rules in order; the first thing
// that is not proven decides.
func try(ctx context.Context, v view, p Pointer, look lookup) *attempt {
	a := &attempt{workspace: v, pointer: p, rule: p.rules[0].Name()}
	err := ctx.Err()
	if err != nil {
		return a.fail(authority.ContextFault(err))
	}
	if a.observation, err = look(ctx); err != nil {
		return a.fail(err)
	}
	if err = a.observation.Gather(ctx, p.identity.Tag(), v.evaluate(ctx, p.locator.String())); err != nil {
		return a.fail(err)
	}
	if a.found, err = a.match(ctx); err != nil {
		return a.fail(err)
	}
	for _, rule := range p.rules {
		a.rule = rule.Name()
		how, err := rule.kind.prove(ctx, a, rule.value)
		if err != nil {
			return a.fail(err)
		}
		a.proofs = append(a.proofs, Proof{a.rule, how})
	}
	return a
}

// read makes the finding hold the bytes it is about.
func (a *attempt) read(ctx context.Context) {
	if a.fault != nil {
		return
	}
	data, err := a.observation.Read(ctx, a.found)
	if err != nil {
		a.fail(err)
	}
	a.found.Bytes = data
}

// match finds the stated identity, or the one that stands there now. Bytes that
// nothing but the one identity is about are not held.
func (a *attempt) match(ctx context.Context) (authority.Finding, error) {
	p := a.pointer
	if p.selector.IsZero() && len(p.rules) == 1 && !a.workspace.keep {
		if found, ok, err := a.observation.Stream(ctx, p.identity); ok || err != nil {
			return found, err
		}
	}
	return a.observation.Match(ctx, p.identity, p.selector)
}

// fail ends the attempt. Every error below is a *authority.Fault; should one
// not be, the pointer is blocked all the same.
func (a *attempt) fail(err error) *attempt {
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		f = mismatch(authority.MissingLimit, "the proof broke off")
		f.Err = err
	}
	if f.Fix != nil && a.pointer.locator.Elsewhere() {
		there := *f
		there.Fix = nil // at the root it would mend another repository
		f = &there
	}
	a.fault = f
	return a
}

// resolveOne answers for one item.
func (b *batch) resolveOne(ctx context.Context, t task, look lookup) *Record {
	a := try(ctx, b.workspace, t.pointer, look)
	if b.options.Keep {
		a.read(ctx)
	}
	if a.fault == nil {
		return b.resolved(t, a)
	}
	r := b.blocked(t, a)
	if !b.options.Refresh || r.Refresh == RefreshNotAllowed {
		return b.diagnosed(ctx, r, t, a)
	}
	if b.options.Prior.spent(r) {
		r.Refresh = RefreshSpent
		return b.diagnosed(ctx, r, t, a)
	}
	t.episode = r.Episode
	return b.refresh(ctx, t, a)
}

// record begins a record for an item.
func (i Item) record(index int, p *Pointer) *Record {
	r := &Record{Schema: Schema, Index: index, ID: i.ID, At: i.At}
	if p != nil {
		r.pointer, r.Pointer = *p, p.String()
	}
	if p == nil || i.Text != r.Pointer {
		text, length, digest := i.echo()
		r.Input, r.InputBytes, r.InputDigest = &text, length, digest
	}
	return r
}

// malformed is the record of an item that did not parse.
func (i Item) malformed(index int, f *authority.Fault) *Record {
	r := i.record(index, nil)
	if i.JSON || len(i.Text) <= MaxPointer { // else it was not looked at, and the fault repeats nothing of it
		f = i.guarded(f)
	}
	r.block(f, "")
	r.Refresh = RefreshNotAllowed
	if f.Offset >= 0 {
		r.Offset = &f.Offset
	}
	return r
}

// block fills in what every blocked record has.
func (r *Record) block(f *authority.Fault, rule string) {
	r.Outcome, r.Reason, r.Code = Blocked, f.Code.Reason(), f.Code
	r.Rule, r.MissingProof, r.Refresh = rule, f.Proof, RefreshNotAttempted
	r.fixBy(f.Fix)
}

func (b *batch) resolved(t task, a *attempt) *Record {
	r := t.item.record(t.index, &t.pointer)
	r.Outcome, r.Refresh = Resolved, RefreshNotNeeded
	r.prove(a)
	r.keep(b, a)
	return r
}

// prove fills in what was found.
func (r *Record) prove(a *attempt) {
	r.Identity = a.found.Identity.String()
	r.Observed = observed(a)
	r.Freshness = a.proofs
	r.listChanged(a)
}

func (r *Record) keep(b *batch, a *attempt) {
	if b.options.Keep {
		r.bytes = a.found.Bytes
		if a.found.Selected {
			r.bytes = slices.Clone(r.bytes) // a part must not keep its document
		}
	}
}

// blocked is the record of an attempt that did not prove everything.
func (b *batch) blocked(t task, a *attempt) *Record {
	r := t.item.record(t.index, &t.pointer)
	r.block(a.fault, a.rule)
	r.Expected = t.pointer.identity.String()
	r.Observed = observed(a)
	if r.Observed != nil && !a.found.Identity.IsZero() {
		r.Observed.Identity = a.found.Identity.String()
	}
	if a.fault.Flags != nil {
		r.fixBy(t.askedWith(a.fault.Flags))
	}
	r.Candidates, r.Omitted = candidates(a)
	r.listChanged(a)
	if t.pointer.rules.immutable() || t.pointer.locator.Fixed() || r.Reason == "malformed" && a.observation == nil {
		r.Refresh = RefreshNotAllowed
	}
	r.Episode = episode(r)
	return r
}

// observed describes what an attempt saw, nil when it saw nothing.
func observed(a *attempt) *Observed {
	o := a.observation
	if o == nil {
		return nil
	}
	out := &Observed{
		Layer: o.Layer, Commit: o.Commit, Object: o.Object, Mode: o.Mode,
		Symref: o.Symref, Conversion: a.found.Conversion,
		Base: o.Base, MergeBase: o.MergeBase, ChangedPaths: o.ChangedPaths, Objects: o.Objects, Notes: o.Notes,
	}
	if !o.Index.IsZero() {
		out.Index = o.Index.String()
	}
	out.Path, out.PathURI = PathInJSON(o.Path)
	if a.found.Selected {
		out.Bytes = &[2]int{a.found.Range.From, a.found.Range.To}
		lines := a.found.Lines // the record must not keep the attempt, which has the document
		out.Lines = &lines
	}
	return out
}
