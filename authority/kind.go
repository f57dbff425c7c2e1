package authority

import (
	"context"
	"slices"
	"strings"
)

// Kind is one line of the table of authority kinds.
type Kind struct {
	Name    string
	Summary string   // what it observes, one line
	Example string   // one locator
	Doc     string   // the rules, a few lines
	Tags    []Tag    // the identities it can have
	Bytes   bool     // whether bytes stand there, for a selector to select in
	Rules   []string // the freshness rules that fit it, beside those that fit every kind
	Default Tag      // the identity that mint writes

	// Elsewhere says that the locator may name another repository, by
	// //host/owner/repo// before the rest.
	Elsewhere bool

	parse func(text string) (target, error)
}

// kinds is the table of kinds, sorted by name.
var kinds = []*Kind{commitKind, dirKind, fileKind, gitKind, inputsKind, rangeKind, refKind, remoteKind, worktreeKind}

// Kinds returns every kind, sorted by name.
func Kinds() []*Kind { return slices.Clone(kinds) }

// LookupKind returns the kind of that name. The error is a *Fault with code
// malformed:kind.
func LookupKind(name string) (*Kind, error) {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		if k.Name == name {
			return k, nil
		}
		names[i] = k.Name
	}
	return nil, malformedAt(MalformedKind, 0, "unknown authority kind %s; known are %s", Quote(name), strings.Join(names, " "))
}

// Takes reports whether the kind can have an identity of that tag.
func (k *Kind) Takes(t Tag) bool { return slices.Contains(k.Tags, t) }

// target is a parsed locator of one kind.
type target interface {
	// observe looks at the authority once. from is the path of the referring
	// file relative to the root. Errors are *Fault.
	observe(ctx context.Context, w *Workspace, from string) (*Observation, error)
	// fixed reports whether the locator is a full object id, at which nothing
	// else can ever stand.
	fixed() bool
}

// Locator is a parsed locator: where an authority of its kind stands.
type Locator struct {
	kind   *Kind
	text   string
	target target
}

// LocatorOf parses the decoded text of a locator of the kind of that name. The error
// is a *Fault with code malformed:kind or malformed:locator.
func LocatorOf(kind, text string) (Locator, error) {
	k, err := LookupKind(kind)
	if err != nil {
		return Locator{}, err
	}
	return ParseLocator(k, text)
}

// ParseLocator parses the decoded text of a locator of kind k. The error is a
// *Fault with code malformed:locator and an offset in text.
func ParseLocator(k *Kind, text string) (Locator, error) {
	name, rest, err := k.cutRepository(text)
	if err != nil {
		return Locator{}, err
	}
	t, err := k.parse(rest)
	if err != nil {
		return Locator{}, shifted(err, len(text)-len(rest))
	}
	if name != "" {
		t = elsewhere{name, t}
	}
	return Locator{kind: k, text: text, target: t}, nil
}

// Kind returns the locator's kind.
func (l Locator) Kind() *Kind { return l.kind }

// String returns the decoded text, which ParseLocator gives back.
func (l Locator) String() string { return l.text }

// IsZero reports whether there is no locator.
func (l Locator) IsZero() bool { return l.kind == nil }

// Fixed reports whether the locator is a full object id, at which nothing else
// can ever stand.
func (l Locator) Fixed() bool { return l.target.fixed() }

// Elsewhere reports whether the locator names another repository than the root's.
func (l Locator) Elsewhere() bool {
	_, ok := l.target.(elsewhere)
	return ok
}

// Observe looks at the authority once. from is the path, relative to the root,
// of the file in which the pointer stands, empty when there is none. The error
// is a *Fault.
func (l Locator) Observe(ctx context.Context, w *Workspace, from string) (*Observation, error) {
	return l.target.observe(ctx, w, from)
}

// pinner is a target with a revision that can move.
type pinner interface {
	// pin returns the text of the locator with the full id of the commit that
	// the revision names now.
	pin(ctx context.Context, w *Workspace) (string, error)
}

// Pin returns the locator with a full commit id in place of its moving
// revision. The error is a *Fault.
func (l Locator) Pin(ctx context.Context, w *Workspace) (Locator, error) {
	t, ok := l.target.(pinner)
	if other, is := l.target.(elsewhere); is {
		_, ok = other.target.(pinner)
	}
	if !ok {
		return Locator{}, malformedAt(MalformedLocator, 0, "kind %s has no revision to pin", l.kind.Name)
	}
	text, err := t.pin(ctx, w)
	if err != nil {
		return Locator{}, err
	}
	return ParseLocator(l.kind, text)
}
