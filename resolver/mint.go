package resolver

import (
	"context"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// Wanted is what a pointer is to be minted for.
type Wanted struct {
	Locator  authority.Locator
	Selector selector.Selector // zero for the whole authority
	Tag      authority.Tag     // "" for the kind's own
	Whole    bool              // the identity covers the whole authority although a selector stands
	Rules    Rules             // nil for the locator's own
	From     string            // path of the file in which the pointer will stand

	fault *authority.Fault // why the selection is already known to be ambiguous
}

// Ambiguous returns why what is wanted is not exactly one thing, nil when nothing
// says so yet.
func (w Wanted) Ambiguous() *authority.Fault { return w.fault }

// Mint observes the authority and returns a record whose pointer states what is
// there now and proves every rule; or the blocked record, with input as Input.
func Mint(ctx context.Context, w *authority.Workspace, want Wanted, input string) *Record {
	look := func(ctx context.Context) (*authority.Observation, error) {
		return want.Locator.Observe(ctx, w, want.From)
	}
	a := mintProven(ctx, newView(w, true), want, look)
	if a.fault != nil {
		return Item{Text: input}.unminted(a)
	}
	return Item{Text: a.pointer.String()}.minted(0, a)
}

// minted is the record of a pointer that was minted and proven.
func (i Item) minted(index int, a *attempt) *Record {
	r := i.record(index, &a.pointer)
	r.Outcome, r.Refresh = Resolved, RefreshNotNeeded
	r.prove(a)
	return r
}

// mintProven makes the pointer that states what is observed now and proves every
// rule of it.
func mintProven(ctx context.Context, v view, want Wanted, look lookup) *attempt {
	a := mint(ctx, v, want, look)
	if a.fault != nil {
		return a
	}
	seen := func(context.Context) (*authority.Observation, error) { return a.observation, nil }
	return try(ctx, v, a.pointer, seen)
}

// mint makes the pointer that states what is observed now.
func mint(ctx context.Context, v view, want Wanted, look lookup) *attempt {
	p := pointerLike(want)
	tag := p.identity.Tag()
	a := &attempt{workspace: v, pointer: p}
	if f := p.check(); f != nil {
		return a.fail(f)
	}
	var err error
	if a.observation, err = look(ctx); err != nil {
		return a.fail(err)
	}
	if err = a.observation.Gather(ctx, tag, v.evaluate(ctx, want.Locator.String())); err != nil {
		return a.fail(err)
	}
	if want.fault != nil {
		a.found.Doc, _ = a.observation.Document(ctx)
		return a.fail(want.fault)
	}
	if want.Tag == "" && want.Selector.IsZero() {
		a.pointer.identity = a.observation.Default(p.identity)
	}
	if a.found, err = a.observation.Current(ctx, a.pointer.identity, want.Selector); err != nil {
		return a.fail(err)
	}
	a.pointer.identity = a.found.Identity
	if _, err := checkLength(a.pointer); err != nil {
		return a.fail(err)
	}
	return a
}

// pointerLike is the pointer that is wanted, but for its identity, of which only
// the tag is known.
func pointerLike(want Wanted) Pointer {
	p := Pointer{locator: want.Locator, rules: want.Rules, selector: want.Selector}
	if p.rules == nil {
		p.rules = defaultRules(want.Locator)
	}
	tag := want.Tag
	if tag == "" {
		tag = want.Locator.Kind().Default
	}
	p.identity = authority.Like(tag, want.Whole)
	return p
}

// defaultRules are immutable where nothing else can ever stand, else
// matches_current.
func defaultRules(l authority.Locator) Rules {
	name := "matches_current"
	if l.Fixed() {
		name = "immutable"
	}
	for _, k := range ruleKinds {
		if k.name == name {
			return Rules{{kind: k}}
		}
	}
	return nil
}

// Unminted is the record of a target that names nothing a pointer can be made
// for.
func Unminted(input string, f *authority.Fault) *Record {
	return Item{Text: input}.unminted(&attempt{fault: f})
}

// unminted is the record of a target for which no pointer can be made.
func (i Item) unminted(a *attempt) *Record {
	r := i.record(0, nil)
	r.block(i.guarded(a.fault), a.rule)
	r.Refresh = RefreshNotAllowed
	if a.fault.Offset >= 0 && r.Reason == "malformed" {
		r.Offset = &a.fault.Offset
	}
	r.Observed = observed(a)
	r.Candidates, r.Omitted = candidates(a)
	r.listChanged(a)
	return r
}

// Unproven is the blocked record of an item about which something else than its
// authority is not proven. form is repeated in the record.
func Unproven(i Item, form string, f *authority.Fault) *Record {
	p, err := i.parse()
	if err != nil {
		r := i.unminted(&attempt{fault: f})
		r.Form = form
		return r
	}
	r := i.record(0, &p)
	r.block(f, "")
	r.Expected, r.Refresh, r.Form, r.Episode = p.identity.String(), RefreshNotAllowed, form, episode(r)
	return r
}
