package documents

import (
	"context"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// AcceptanceSchema names the format of an Acceptance.
const AcceptanceSchema = "ctxptr.acceptance/v1"

// Acceptance says that a change made a pointer or pin state another identity of
// the same authority than the base did.
type Acceptance struct {
	Schema  string         `json:"schema"`
	At      resolver.Place `json:"at"` // where the pointer, or a pin's reference, stands
	Pin     bool           `json:"pin,omitempty"`
	Was     string         `json:"was"` // the identity that the base states
	Pointer string         `json:"pointer"`
	Added   *int           `json:"added,omitempty"`   // lines of what is pointed at; absent where the base's bytes are not known
	Removed *int           `json:"removed,omitempty"` // the same

	target resolver.Pointer
	file   string // in which it stands
	was    authority.Identity
}

// Name is how text output names what was accepted.
func (a Acceptance) Name() string { return a.target.Short() }

// accepted lists the identities in changed documents and pins files that the base
// states otherwise, and the documents of which the base's version cannot be read.
func accepted(ctx context.Context, w *authority.Workspace, scan *Scan, c *authority.Changes) ([]Acceptance, []Broken) {
	b := newBaseline(ctx, w, c)
	stating := map[subject][]Acceptance{} // what states something of each subject, in order
	var subjects []subject
	for _, e := range scan.Entries {
		p := e.pointer()
		if !c.Paths[e.File] || p.IsZero() { // one that does not parse has a record that says so
			continue
		}
		s := subjectOf(e.Document, e.File, p)
		if _, known := stating[s]; !known {
			subjects = append(subjects, s)
		}
		stating[s] = append(stating[s], Acceptance{
			Schema: AcceptanceSchema, At: e.At, Pin: e.Form == FormPin, Pointer: e.Text, target: p, file: e.File,
		})
	}
	var list []Acceptance
	for _, s := range subjects {
		for _, a := range pair(stating[s], b.stated(s, stating[s][0])) {
			b.count(&a)
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b Acceptance) int { return a.At.Compare(b.At) })
	return list, b.broken
}

// pair holds what states something of one subject against the identities that the
// base states of it, both in order, and returns those that were accepted, with what
// they were. Each identity of the base accounts for one that is equal, at its own
// place before any other.
func pair(now []Acceptance, base []authority.Identity) (accepted []Acceptance) {
	left := slices.Clone(base) // zero where it is accounted for
	var open []Acceptance
	equal := func(a Acceptance) func(authority.Identity) bool {
		return func(id authority.Identity) bool { return id == a.target.Identity() }
	}
	for i, a := range now {
		if len(now) == len(base) && equal(a)(left[i]) {
			left[i] = authority.Identity{}
		} else {
			open = append(open, a)
		}
	}
	open = slices.DeleteFunc(open, func(a Acceptance) bool {
		i := slices.IndexFunc(left, equal(a))
		if i >= 0 {
			left[i] = authority.Identity{}
		}
		return i >= 0
	})
	left = slices.DeleteFunc(left, authority.Identity.IsZero)
	for _, a := range open {
		switch {
		case len(left) > 0:
			a.was, left = left[0], left[1:]
		case len(base) > 0 && !slices.ContainsFunc(base, equal(a)):
			a.was = base[0]
		default:
			continue
		}
		a.Was = a.was.String()
		accepted = append(accepted, a)
	}
	return accepted
}
