package resolver

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// TargetError says that a mint target has several meanings.
type TargetError struct {
	Target   string
	Meanings []string // arguments of mint that state one meaning each
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("%s has %d meanings", quoteShort(e.Target), len(e.Meanings))
}

// meaning is one way to read a mint target.
type meaning struct {
	kind, locator, fragment string
	lines                   bool // fragment is FIRST-LAST
}

// ParseTarget reads a shorthand: path, rev:path, either with #fragment or
// :FIRST-LAST behind it. folder is the current folder relative to the root;
// paths are relative to it. The error is a *authority.Fault, or a *TargetError
// when several readings name something.
func ParseTarget(ctx context.Context, w *authority.Workspace, folder, text string) (Wanted, error) {
	var standing []Wanted
	var read []meaning
	var nearest error
	for _, m := range meanings(folder, text) {
		want, err := m.wanted(ctx, w)
		if f, ok := errors.AsType[*authority.Fault](err); ok && absent(f.Code) {
			nearest = nearer(nearest, f, m)
			continue
		}
		if err != nil {
			return Wanted{}, err
		}
		standing, read = append(standing, want), append(read, m)
	}
	switch len(standing) {
	case 0:
		return Wanted{}, nearest
	case 1:
		return standing[0], nil
	}
	e := &TargetError{Target: text}
	for i, want := range standing {
		e.Meanings = append(e.Meanings, read[i].arguments(want))
	}
	return Wanted{}, e
}

// absent are the codes that say: read so, the target names nothing.
func absent(c authority.Code) bool {
	switch c {
	case authority.MissingAuthority, authority.MissingRevision, authority.MissingRepository, authority.MalformedLocator:
		return true
	}
	return false
}

// nearer keeps the fault that says most: that of a revision that exists, else
// that of the reading with the most parts, which comes last.
func nearer(kept error, f *authority.Fault, m meaning) error {
	if kept == nil || m.kind == "git" && f.Code == authority.MissingAuthority || m.kind == "file" && f.Code != authority.MalformedLocator {
		return f
	}
	return kept
}

// meanings lists the readings of text, the longest path first.
func meanings(folder, text string) []meaning {
	list := readings(folder, text, "", false)
	if base, fragment, found := strings.Cut(text, "#"); found && fragment != "" {
		list = append(list, readings(folder, base, fragment, false)...)
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if span, ok := lineSpan(text[i+1:]); ok {
			list = append(list, readings(folder, text[:i], span, true)...)
		}
	}
	return list
}

func readings(folder, base, fragment string, lines bool) []meaning {
	list := []meaning{{"file", path.Join(folder, base), fragment, lines}}
	if strings.Contains(base, ":") {
		list = append(list, meaning{"git", base, fragment, lines})
	}
	return list
}

// lineSpan turns N or N-M into the value of a lines selector.
func lineSpan(s string) (string, bool) {
	first, last, found := strings.Cut(s, "-")
	if !found {
		last = first
	}
	_, err := selector.Parse("lines=" + first + "-" + last)
	return first + "-" + last, err == nil
}

func (m meaning) wanted(ctx context.Context, w *authority.Workspace) (Wanted, error) {
	kind, err := authority.LookupKind(m.kind)
	if err != nil {
		return Wanted{}, err
	}
	locator, err := authority.ParseLocator(kind, m.locator)
	if err != nil {
		return Wanted{}, err
	}
	observation, err := locator.Observe(ctx, w, "")
	if err != nil {
		return Wanted{}, err
	}
	want := Wanted{Locator: locator}
	if m.fragment != "" {
		want.Selector, err = m.selector(ctx, observation)
	}
	if f, ok := errors.AsType[*authority.Fault](err); ok && f.Code == authority.AmbiguousSelection {
		want.fault, err = f, nil
	}
	return want, err
}

// arguments states the meaning in mint's exact form.
func (m meaning) arguments(want Wanted) string {
	args := "--kind " + m.kind
	if !want.Selector.IsZero() {
		args += " --select " + ShellQuote(want.Selector.String())
	}
	return args + " " + ShellQuote(m.locator)
}

// selector reads the fragment: a line span, L10-L20, type=value, or a name that
// the fragment types are tried with.
func (m meaning) selector(ctx context.Context, o *authority.Observation) (selector.Selector, error) {
	if m.lines {
		return parseSelectorText("lines=" + m.fragment)
	}
	if first, found := strings.CutPrefix(m.fragment, "L"); found {
		if span, ok := lineSpan(strings.Replace(first, "-L", "-", 1)); ok {
			return parseSelectorText("lines=" + span)
		}
	}
	if head, _, found := strings.Cut(m.fragment, "="); found {
		name, _, _ := strings.Cut(head, "+")
		if _, known := selector.Describe(name); known {
			return parseSelectorText(m.fragment)
		}
	}
	doc, err := o.Document(ctx)
	if err != nil {
		return selector.Selector{}, err
	}
	return fragmentSelector(ctx, doc, m.fragment)
}

// fragmentTypes are the selector types that a plain fragment can mean, the
// preferred one first.
var fragmentTypes = []string{"anchor", "item", "symbol", "heading"}

// fragmentSelector returns the selector of the first type that fits, when all
// types that fit mean one and the same range; else they are ambiguous.
func fragmentSelector(ctx context.Context, doc *selector.Document, fragment string) (selector.Selector, error) {
	var chosen selector.Selector
	var matches []selector.Match
	for _, name := range fragmentTypes {
		sel, err := selector.Parse(name + "=" + fragment)
		if err != nil {
			continue
		}
		r, err := sel.Select(ctx, doc)
		e, failed := errors.AsType[*selector.Error](err)
		switch {
		case failed && e.Fault == selector.ManyMatches:
			matches = append(matches, e.Matches...)
		case err == nil:
			if chosen.IsZero() {
				chosen = sel
			}
			matches = append(matches, selector.Match{Range: r, Alone: sel.String()})
		}
	}
	if len(matches) == 0 {
		return selector.Selector{}, mismatch(authority.MissingSelection, "no %s in the authority is %s", strings.Join(fragmentTypes, ", "), quoteShort(fragment))
	}
	for _, m := range matches[1:] {
		if m.Range != matches[0].Range {
			f := mismatch(authority.AmbiguousSelection, "%s fits several places; say which with --select", quoteShort(fragment))
			f.Matches = matches
			return selector.Selector{}, f
		}
	}
	return chosen, nil
}

// ShellQuote quotes an argument for a POSIX shell where it needs it.
func ShellQuote(s string) string {
	if s != "" && firstNotRaw(s) == len(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
