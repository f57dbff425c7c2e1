package resolver

import (
	"context"
	"errors"
	"fmt"
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
	return fmt.Sprintf("%s has %d meanings", authority.Quote(e.Target), len(e.Meanings))
}

// meaning is one way to read a mint target.
type meaning struct {
	kind, locator, fragment string
	lines                   bool // fragment is FIRST-LAST
	outside                 bool // the path leaves the root
}

// ParseTarget reads a shorthand: path, rev:path, either with #fragment or
// :FIRST-LAST behind it, or a permalink. folder is the current folder, absolute,
// symbolic links resolved. A path is relative to it; one behind a revision is from the
// top of the repository, unless it begins with ./ or ../, as for git. The error is a
// *authority.Fault, or a *TargetError when several readings name something.
func ParseTarget(ctx context.Context, w *authority.Workspace, folder, text string) (Wanted, error) {
	if isWebAddress(text) {
		l, err := parsePermalink(text)
		if err != nil {
			return Wanted{}, err
		}
		return l.wanted(ctx, w)
	}
	var standing []Wanted
	var read []meaning
	var nearest error
	paths := targetPathsIn(ctx, w, folder)
	for _, m := range paths.meanings(text) {
		want, err := m.wanted(ctx, w)
		if f, ok := errors.AsType[*authority.Fault](err); ok && absent(f.Code) {
			nearest = nearer(nearest, f)
			continue
		}
		if err != nil {
			return Wanted{}, err
		}
		standing, read = append(standing, want), append(read, m)
	}
	switch len(standing) {
	case 0:
		if at := paths.linesAt(ctx, w, text); at > 0 {
			return Wanted{}, faultAt(authority.MalformedSelector, at, "lines behind a path are N or FIRST-LAST, counted from 1, without a column")
		}
		return Wanted{}, withKinds(ctx, w, text, nearest)
	case 1:
		return standing[0], nil
	}
	e := &TargetError{Target: text}
	for i, want := range standing {
		e.Meanings = append(e.Meanings, read[i].arguments(want))
	}
	return Wanted{}, e
}

// revisionKinds are the kinds whose locators are no targets by themselves.
var revisionKinds = []string{"commit", "ref", "range"}

// withKinds adds to the fault of a target that names nothing the kinds with which it
// would.
func withKinds(ctx context.Context, w *authority.Workspace, text string, nearest error) error {
	f, ok := errors.AsType[*authority.Fault](nearest)
	if !ok || f.Code != authority.MissingAuthority {
		return nearest
	}
	var fit []string
	for _, kind := range revisionKinds {
		locator, err := authority.LocatorOf(kind, text)
		if err != nil {
			continue
		}
		if _, err := locator.Observe(ctx, w, ""); err == nil {
			fit = append(fit, "--kind "+kind)
		}
	}
	if len(fit) == 0 {
		return nearest
	}
	told := *f
	told.Proof += "; with " + strings.Join(fit, " or ") + " it names something"
	return &told
}

// absent are the codes that say: read so, the target names nothing.
func absent(c authority.Code) bool {
	switch c {
	case authority.MissingAuthority, authority.MissingRevision, authority.MissingRepository, authority.MalformedLocator:
		return true
	}
	return false
}

// nearer keeps the fault that says most: that of the last reading that is well
// formed, which has the most parts.
func nearer(kept error, f *authority.Fault) error {
	if kept == nil || f.Code != authority.MalformedLocator {
		return f
	}
	return kept
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
	if m.outside {
		return Wanted{}, faultAt(authority.MalformedLocator, 0, "the path, taken from the current folder, leaves the root")
	}
	locator, err := authority.LocatorOf(m.kind, m.locator)
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
	if strings.HasPrefix(m.locator, "-") {
		args += " --"
	}
	return args + " " + ShellQuote(m.locator)
}

// selector reads the fragment: a line span, L10-L20, type=value, or a name that
// the fragment types are tried with.
func (m meaning) selector(ctx context.Context, o *authority.Observation) (selector.Selector, error) {
	if m.lines {
		return parseSelectorText("lines=" + m.fragment)
	}
	if span, ok := m.lineFragment(); ok {
		return parseSelectorText("lines=" + span)
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

// lineFragment reads a fragment L10 or L10-L20.
func (m meaning) lineFragment() (string, bool) {
	first, found := strings.CutPrefix(m.fragment, "L")
	if !found {
		return "", false
	}
	return lineSpan(strings.Replace(first, "-L", "-", 1))
}

// fragmentTypes are the selector types that a plain fragment can mean, the
// preferred one first.
var fragmentTypes = []string{"anchor", "item", "symbol", "heading"}

// fragmentSelector returns the selector of the first type that fits, when all
// types that fit mean one and the same range; else they are ambiguous.
func fragmentSelector(ctx context.Context, doc *selector.Document, fragment string) (selector.Selector, error) {
	var chosen selector.Selector
	var matches []selector.Match
	var instead error // why a type that may fit was not tried, or what nearly fits does not
	for _, name := range fragmentTypes {
		sel, err := selector.Parse(name + "=" + fragment)
		if err != nil {
			continue
		}
		r, err := sel.Select(ctx, doc)
		e, failed := errors.AsType[*selector.Error](err)
		switch {
		case failed && (e.Lacking || e.Near && instead == nil):
			instead = authority.SelectorFault(err)
		case failed && e.Fault == selector.ManyMatches:
			matches = appendNew(matches, e.Matches...)
		case failed && e.Fault != selector.NoMatch && e.Fault != selector.Unsupported:
			return selector.Selector{}, authority.SelectorFault(err)
		case err == nil:
			if chosen.IsZero() {
				chosen = sel
			}
			matches = appendNew(matches, selector.Match{Range: r, Alone: sel.String()})
		}
	}
	if len(matches) == 0 && instead != nil {
		return selector.Selector{}, instead
	}
	if len(matches) == 0 {
		return selector.Selector{}, mismatch(authority.MissingSelection, "no anchor, item, symbol or heading is %s; ctxptr sections, symbols and keys list what there is", authority.Quote(fragment))
	}
	if len(matches) > 1 {
		f := mismatch(authority.AmbiguousSelection, "%s fits %d places; name one of the candidates", authority.Quote(fragment), len(matches))
		f.Matches = matches
		return selector.Selector{}, f
	}
	return chosen, nil
}

// appendNew appends the matches whose range is not yet listed.
func appendNew(list []selector.Match, more ...selector.Match) []selector.Match {
	seen := make(map[selector.Range]bool, len(list))
	for _, m := range list {
		seen[m.Range] = true
	}
	for _, m := range more {
		if !seen[m.Range] {
			list = append(list, m)
			seen[m.Range] = true
		}
	}
	return list
}

// ShellQuote quotes an argument for a POSIX shell where it needs it.
func ShellQuote(s string) string {
	if s != "" && firstNotRaw(s) == len(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
