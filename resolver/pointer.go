package resolver

import (
	"fmt"
	"path"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// Scheme begins every pointer in URI form.
const Scheme = "ctxptr:"

// MaxPointer is the most bytes that the text of one pointer may have.
const MaxPointer = 64 << 10

// Pointer is a reference to one authority: kind, locator, optional selector,
// stated identity and freshness rules. It exists only if it came through
// ParsePointer, ParseJSON or NewPointer; one pointer has one canonical text:
//
//	pointer  = "ctxptr:" kind ":" locator "@" identity ":" rule *( "+" rule ) [ "#" selector ]
//	identity = [ "whole:" ] tag ":" hex
//	rule     = name [ "=" value ]
//	selector = type *( "+" modifier ) "=" value
//
// Locator, rule values and selector values are percent-encoded (RFC 3986,
// section 2.1) except for unreserved characters and "/", ":" and "=".
type Pointer struct {
	locator  authority.Locator
	identity authority.Identity
	rules    Rules
	selector selector.Selector
}

// NewPointer makes a pointer of parsed parts. The error is a *authority.Fault:
// parts can be right alone and not fit together.
func NewPointer(l authority.Locator, id authority.Identity, rules Rules, sel selector.Selector) (Pointer, error) {
	p := Pointer{l, id, rules, sel}
	if f := p.check(); f != nil {
		return Pointer{}, f
	}
	return p, nil
}

// Locator returns where the authority stands.
func (p Pointer) Locator() authority.Locator { return p.locator }

// Kind returns the authority kind.
func (p Pointer) Kind() *authority.Kind { return p.locator.Kind() }

// Identity returns the stated identity.
func (p Pointer) Identity() authority.Identity { return p.identity }

// Rules returns the freshness rules.
func (p Pointer) Rules() Rules { return p.rules }

// Selector returns the selector, zero when the whole authority is meant.
func (p Pointer) Selector() selector.Selector { return p.selector }

// IsZero reports whether there is no pointer.
func (p Pointer) IsZero() bool { return p.locator.IsZero() }

// At returns the pointer with another path of the working tree, relative to the
// root, in the spelling that the locator has: one relative to the file from, in
// which the pointer stands, stays so. It is false where the kind has no such path.
func (p Pointer) At(to, from string) (Pointer, bool) {
	if _, ok := p.Path(from); !ok {
		return Pointer{}, false
	}
	if relative(p.locator.String()) {
		to = relativeTo(path.Dir(from), to)
	}
	locator, err := authority.ParseLocator(p.Kind(), to)
	p.locator = locator
	return p, err == nil
}

// relativeTo spells a path relative to a folder, both relative to the root.
func relativeTo(folder, p string) string {
	up := ""
	for folder != "." && !strings.HasPrefix(p, folder+"/") {
		folder, up = path.Dir(folder), up+"../"
	}
	if folder != "." {
		p = strings.TrimPrefix(p, folder+"/")
	}
	if up == "" {
		return "./" + p
	}
	return up + p
}

// withIdentity returns the pointer that states id instead.
func (p Pointer) withIdentity(id authority.Identity) Pointer {
	p.identity = id
	return p
}

// withSelector returns the pointer with another selector of the same authority.
func (p Pointer) withSelector(s selector.Selector) Pointer {
	p.selector = s
	return p
}

// check holds the parts against each other.
func (p Pointer) check() *authority.Fault {
	kind, selected := p.Kind(), !p.selector.IsZero()
	switch tag := p.identity.Tag(); {
	case !kind.Takes(tag):
		return mismatch(authority.MalformedIdentity, "kind %s has no identity %s", kind.Name, tag)
	case selected && !kind.Bytes:
		return mismatch(authority.MalformedSelector, "kind %s has no bytes to select in", kind.Name)
	case selected && tag == authority.GitTree:
		return mismatch(authority.MalformedSelector, "a tree has no bytes to select in")
	case !selected && p.identity.Whole():
		return mismatch(authority.MalformedIdentity, "whole: needs a selector; without one every identity covers the whole authority")
	}
	return p.rules.fit(kind, p.identity)
}

func mismatch(code authority.Code, format string, args ...any) *authority.Fault {
	return &authority.Fault{Code: code, Proof: fmt.Sprintf(format, args...), Offset: -1}
}

// String returns the canonical text, which ParsePointer gives back as the same
// Pointer.
func (p Pointer) String() string {
	var b strings.Builder
	b.WriteString(Scheme)
	b.WriteString(p.Kind().Name)
	b.WriteByte(':')
	encodeTo(&b, p.locator.String())
	b.WriteByte('@')
	b.WriteString(p.identity.String())
	b.WriteByte(':')
	p.rules.encodeTo(&b)
	if !p.selector.IsZero() {
		b.WriteByte('#')
		b.WriteString(p.selector.Head())
		b.WriteByte('=')
		encodeTo(&b, p.selector.Value())
	}
	return encodeLast(b.String())
}

// Short returns the locator and selector as text output names them, percent-
// encoded, so that it is safe on a terminal: the kind stands before it unless
// it is file.
func (p Pointer) Short() string {
	var b strings.Builder
	if p.Kind().Name != "file" {
		b.WriteString(p.Kind().Name)
		b.WriteByte(':')
	}
	encodeTo(&b, p.locator.String())
	if !p.selector.IsZero() {
		b.WriteByte('#')
		b.WriteString(p.selector.Head())
		b.WriteByte('=')
		encodeTo(&b, p.selector.Value())
	}
	return b.String()
}
