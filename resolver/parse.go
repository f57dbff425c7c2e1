package resolver

import (
	"errors"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// parts are the raw parts of a pointer's text, each with its offset.
type parts struct {
	kind, locator, identity, rules, selector part
	hasSelector                              bool
}

type part struct {
	text string
	at   int
}

// ParsePointer parses a pointer in URI form. It takes any valid percent-
// encoding; String prints the canonical one. The error is a *authority.Fault
// with a malformed code and the byte offset in s.
func ParsePointer(s string) (Pointer, error) {
	parts, err := split(s)
	if err != nil {
		return Pointer{}, err
	}
	kind, err := authority.LookupKind(parts.kind.text)
	if err != nil {
		return Pointer{}, place(err, parts.kind)
	}
	locator, err := parts.locator.parseLocator(kind)
	if err != nil {
		return Pointer{}, err
	}
	identity, err := authority.ParseIdentity(parts.identity.text)
	if err != nil {
		return Pointer{}, place(err, parts.identity)
	}
	rules, err := parseRules(parts.rules)
	if err != nil {
		return Pointer{}, err
	}
	var sel selector.Selector
	if parts.hasSelector {
		if sel, err = parts.selector.parseSelector(); err != nil {
			return Pointer{}, err
		}
	}
	p := Pointer{locator, identity, rules, sel}
	if f := p.check(); f != nil {
		f.Offset = parts.offsetOf(f.Code)
		return Pointer{}, f
	}
	return p, nil
}

// split cuts the text at its separators, before anything is decoded.
func split(s string) (parts, error) {
	var p parts
	switch {
	case len(s) > MaxPointer:
		return p, syntaxAt(MaxPointer, "the text has %d bytes; a pointer has at most %d", len(s), MaxPointer)
	case !strings.HasPrefix(s, Scheme):
		return p, syntaxAt(0, "a pointer begins with %s", Scheme)
	}
	body, sel, found := strings.Cut(s, "#")
	p.selector, p.hasSelector = part{sel, len(body) + 1}, found
	kind, rest, found := strings.Cut(body[len(Scheme):], ":")
	p.kind = part{kind, len(Scheme)}
	if !found {
		return p, missingLocator(p.kind, len(body))
	}
	p.locator.at = p.kind.at + len(kind) + 1
	locator, rest, found := strings.Cut(rest, "@")
	p.locator.text = locator
	if !found {
		return p, faultAt(authority.MalformedIdentity, len(body), "the pointer ends before @ and its identity")
	}
	p.identity.at = p.locator.at + len(locator) + 1
	end := identityEnd(rest)
	p.identity.text = rest[:end]
	if end == len(rest) {
		if _, err := authority.ParseIdentity(rest); err != nil {
			return p, place(err, p.identity)
		}
		return p, faultAt(authority.MalformedFreshnessRule, len(body), "the pointer ends before : and its freshness rule")
	}
	p.rules = part{rest[end+1:], p.identity.at + end + 1}
	return p, nil
}

// missingLocator says what is wrong with text that ends within its kind.
func missingLocator(kind part, end int) error {
	if _, err := authority.LookupKind(kind.text); err != nil {
		return place(err, kind)
	}
	return faultAt(authority.MalformedLocator, end, "the pointer ends before : and its locator")
}

// identityEnd returns the offset of the ':' behind the identity's digits, or
// len(s).
func identityEnd(s string) int {
	i := 0
	if strings.HasPrefix(s, "whole:") {
		i = len("whole:")
	}
	for range 2 {
		n := strings.IndexByte(s[i:], ':')
		if n < 0 {
			return len(s)
		}
		i += n + 1
	}
	return i - 1
}

func (p part) parseLocator(kind *authority.Kind) (authority.Locator, error) {
	text, err := decode(p.text, p.at)
	if err != nil {
		return authority.Locator{}, err
	}
	l, err := parseLocatorText(kind, text)
	if err != nil {
		return authority.Locator{}, place(err, p)
	}
	return l, nil
}

// parseLocatorText parses the decoded text of a locator.
func parseLocatorText(kind *authority.Kind, text string) (authority.Locator, error) {
	if text == "" {
		return authority.Locator{}, faultAt(authority.MalformedLocator, 0, "the locator is empty")
	}
	return authority.ParseLocator(kind, text)
}

func (p part) parseSelector() (selector.Selector, error) {
	head, value, found := strings.Cut(p.text, "=")
	if !found {
		return selector.Selector{}, faultAt(authority.MalformedSelector, p.at+len(p.text), "a selector is type=value; there is no '='")
	}
	for i := 0; i < len(head); i++ {
		if c := head[i]; !isRaw(c) && c != '+' {
			return selector.Selector{}, faultAt(authority.MalformedSelector, p.at+i, "a selector's type and modifiers are plain names")
		}
	}
	text, err := decode(value, p.at+len(head)+1)
	if err != nil {
		return selector.Selector{}, err
	}
	sel, err := parseSelectorText(head + "=" + text)
	if err != nil {
		return selector.Selector{}, place(err, p)
	}
	return sel, nil
}

// offsetOf returns where the part stands that a code of check is about.
func (p parts) offsetOf(code authority.Code) int {
	switch code {
	case authority.MalformedIdentity:
		return p.identity.at
	case authority.MalformedSelector:
		return p.selector.at
	}
	return p.rules.at
}

// place moves the offset of a fault in a part's decoded text to the pointer's.
func place(err error, p part) error {
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		return err
	}
	moved := *f
	moved.Offset = p.at + rawOffset(p.text, max(f.Offset, 0))
	return &moved
}

func faultAt(code authority.Code, offset int, format string, args ...any) *authority.Fault {
	f := mismatch(code, format, args...)
	f.Offset = offset
	return f
}
