package resolver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// maxNested is how deep sets of inputs may stand in each other.
const maxNested = 100

// view is a workspace with what is known of the sets of inputs in it.
type view struct {
	*authority.Workspace
	sets  *inputSets
	chain []string // the lists being evaluated, outermost first
	held  bool     // sets is locked further up
	keep  bool     // the bytes of what is resolved are wanted
}

// inputSets remembers the sets of inputs of one workspace, so that sets which
// name each other cost no more than their number. Sets are evaluated one at a
// time: a set that waits for another one being evaluated could be waiting for
// itself.
type inputSets struct {
	mu     sync.Mutex
	known  map[setKey]evaluated
	height int // of the highest set met since this was last set to 0

	// parse is parseEach; the table of rules cannot refer to what reads it.
	parse func(items []Item, malformed func(i int, f *authority.Fault)) []task
}

type setKey struct {
	path    string
	content bool
}

type evaluated struct {
	members []authority.Member
	err     error
	height  int // how many sets stand in each other there, this one included
}

func newView(w *authority.Workspace, keep bool) view {
	return view{Workspace: w, keep: keep, sets: &inputSets{known: map[setKey]evaluated{}, parse: parseEach}}
}

// locked returns the view for use while sets is locked, and what unlocks it.
func (v view) locked() (view, func()) {
	if v.held {
		return v, func() {}
	}
	v.sets.mu.Lock()
	v.held = true
	return v, v.sets.mu.Unlock
}

// wholeAuthority is no selector.
var wholeAuthority selector.Selector

// errChain marks the fault of sets of inputs that reach themselves or stand too
// deep in each other: where it is noticed depends on where one begins, so that it
// ends the evaluation of all sets on the way and is remembered of none.
var errChain = errors.New("sets of inputs have no end")

func noEnd(code authority.Code, format string, args ...any) error {
	f := mismatch(code, format, args...)
	f.Err = errChain
	return f
}

// evaluate gives Gather what the members of the list at path are now.
func (v view) evaluate(ctx context.Context, path string) authority.Evaluate {
	return func(list []byte, content bool) ([]authority.Member, error) {
		v, unlock := v.locked()
		defer unlock()
		if slices.Contains(v.chain, path) {
			return nil, noEnd(authority.MalformedAuthority, "the set of inputs %s reaches itself", authority.Quote(path))
		}
		key := setKey{path, content}
		set, ok := v.sets.known[key]
		if !ok && len(v.chain) < maxNested {
			if set = v.evaluateNew(ctx, path, list, content); errors.Is(set.err, errChain) {
				return nil, set.err
			}
			v.sets.known[key] = set
		}
		// What is known must not let a set stand deeper than one that is not.
		if len(v.chain)+max(set.height, 1) > maxNested {
			return nil, noEnd(authority.MissingLimit, "sets of inputs stand in each other more than %d deep", maxNested)
		}
		v.sets.height = max(v.sets.height, set.height)
		return set.members, set.err
	}
}

// evaluateNew evaluates a set that is not known and measures its height.
func (v view) evaluateNew(ctx context.Context, path string, list []byte, content bool) evaluated {
	met := v.sets.height
	v.sets.height = 0
	v.chain = append(slices.Clip(v.chain), path)
	members, err := v.members(ctx, path, list, content)
	height := v.sets.height + 1
	v.sets.height = met
	return evaluated{members, err, height}
}

// members evaluates every pointer of a list. The first that is blocked for
// another reason than a changed identity decides, unless sets have no end.
func (v view) members(ctx context.Context, path string, list []byte, content bool) ([]authority.Member, error) {
	items, err := ReadItems(bytes.NewReader(list))
	if e, ok := errors.AsType[*InputError](err); ok {
		return nil, mismatch(authority.MalformedAuthority, "the list %s cannot be read at byte %d: %s", authority.Quote(path), e.Offset, e.Proof)
	}
	if len(items) == 0 {
		return nil, mismatch(authority.MalformedAuthority, "the list %s names no pointer, so there is nothing to depend on", authority.Quote(path))
	}
	for i := range items {
		items[i].From = path
	}
	members, faults := make([]authority.Member, len(items)), make([]error, len(items))
	tasks := v.sets.parse(items, func(i int, f *authority.Fault) { faults[i] = items[i].guarded(f) })
	next := groups(tasks)
	for group, more := next(); more; group, more = next() {
		look := v.lookOnce(group[0])
		for _, t := range group {
			m, err := v.member(ctx, t, look, content)
			if errors.Is(err, errChain) {
				return nil, err
			}
			members[t.index], faults[t.index] = m, err
		}
	}
	for i, err := range faults {
		if err != nil {
			return nil, blockedMember(items[i], i, err)
		}
	}
	return members, nil
}

// blockedMember is the fault of a set with a member that is blocked.
func blockedMember(item Item, index int, err error) error {
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		return err
	}
	out := mismatch(authority.MissingInput, "input %d, %s, is blocked: %s: %s", index+1, item.name(), f.Code, f.Proof)
	out.Err = err
	if f.Code.Reason() != "malformed" { // what is written wrong in the list, no command mends
		out.Fix, out.Flags = f.Fix, f.Flags
	}
	return out
}

// name is how a sentence names an item.
func (i Item) name() string {
	text, _, _ := i.echo()
	return authority.Quote(text)
}

// member says what one pointer of a list is now.
func (v view) member(ctx context.Context, t task, look lookup, content bool) (authority.Member, error) {
	p := t.pointer
	a := try(ctx, v, p, look)
	if a.fault != nil && a.fault.Code == authority.StaleIdentity && !p.rules.immutable() {
		// Merely stale: with the identity it has now, everything else is proven.
		a = try(ctx, v, p.withIdentity(a.found.Identity), look)
	}
	if a.fault != nil {
		return authority.Member{}, a.fault
	}
	m := authority.Member{
		Pointer: p.String(), Kind: p.Kind().Name, Locator: p.locator.String(), Selector: p.selector.String(),
		Stated: p.identity, Current: a.found.Identity,
	}
	if !content {
		return m, nil
	}
	if !p.Kind().Bytes || !p.selector.IsZero() && !p.identity.Whole() {
		return m, mismatch(authority.MalformedAuthority, "a review is of whole files, and this identity covers none")
	}
	whole, err := a.observation.Current(ctx, authority.Like(authority.SHA256, false), wholeAuthority)
	m.Path, m.Content = a.observation.Path, whole.Identity
	return m, err
}

// inputsRef is the value of inputs_unchanged: an identity, a colon and the path
// of a list of inputs.
type inputsRef struct {
	identity authority.Identity
	locator  authority.Locator
}

// parseInputsRef parses the decoded value of inputs_unchanged. The error is a
// *authority.Fault with an offset in the value.
func parseInputsRef(value string) (inputsRef, error) {
	end := identityEnd(value)
	identity, err := authority.ParseIdentity(value[:end])
	if err != nil {
		return inputsRef{}, err
	}
	kind, err := authority.LookupKind("inputs")
	switch {
	case err != nil:
		return inputsRef{}, err
	case !kind.Takes(identity.Tag()) || identity.Whole():
		return inputsRef{}, faultAt(authority.MalformedIdentity, 0, "a set of inputs has no identity %s", strings.TrimSuffix(identity.String(), ":"+identity.Hex()))
	case end == len(value):
		return inputsRef{}, faultAt(authority.MalformedLocator, end, "the value ends before : and the path of a list of inputs")
	}
	path := part{value[end+1:], end + 1}
	locator, err := authority.ParseLocator(kind, path.text)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return inputsRef{}, faultAt(f.Code, path.at+max(f.Offset, 0), "%s", f.Proof)
	}
	return inputsRef{identity, locator}, nil
}

// proveInputs proves that the set of inputs a rule names has the identity it
// states, and else notes which members changed.
func proveInputs(ctx context.Context, a *attempt, value string) (string, error) {
	ref, err := parseInputsRef(value)
	if err != nil {
		return "", err
	}
	v, unlock := a.workspace.locked()
	defer unlock()
	path := ref.locator.String()
	o, err := ref.locator.Observe(ctx, v.Workspace, "")
	if err != nil {
		return "", err
	}
	if err := o.Gather(ctx, ref.identity.Tag(), v.evaluate(ctx, path)); err != nil {
		return "", err
	}
	now, err := o.Current(ctx, ref.identity, wholeAuthority)
	if err != nil {
		return "", err
	}
	if now.Identity != ref.identity {
		a.changed = o.Changed()
		return "", mismatch(authority.StaleInputs, "the set of inputs %s has the identity %s now", authority.Quote(path), now.Identity)
	}
	return fmt.Sprintf("the set of inputs %s has the stated identity", authority.Quote(path)), nil
}

// maxChanged is how many members a record lists as changed.
const maxChanged = 1000

// listChanged fills in which members of a set of inputs changed.
func (r *Record) listChanged(a *attempt) {
	changed := a.changed
	if changed == nil && a.observation != nil {
		changed = a.observation.Changed()
	}
	for _, m := range changed[:min(len(changed), maxChanged)] {
		r.Changed = append(r.Changed, ChangedInput{m.Pointer, m.Current.String()})
	}
	r.ChangedOmitted = len(changed) - len(r.Changed)
}
