package resolver

import (
	"path"
	"slices"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// Path returns the path, relative to the root, of an authority in the working
// tree, . for all of it; false for other kinds. from is the path of the file in
// which the pointer stands.
func (p Pointer) Path(from string) (string, bool) {
	switch p.Kind().Name {
	case "file", "dir", "worktree", "inputs":
	default:
		return "", false
	}
	text := p.locator.String()
	if relative(text) {
		text = path.Join(path.Dir(from), text)
	}
	return text, true
}

// InputLists returns the paths of the lists of inputs that the pointer depends on: its
// own, of kind inputs, and that of the rule inputs_unchanged.
func (p Pointer) InputLists() (lists []string) {
	if p.Kind().Name == "inputs" {
		lists = append(lists, p.locator.String())
	}
	for _, rule := range p.rules {
		if rule.Name() != "inputs_unchanged" {
			continue
		}
		if ref, err := parseInputsRef(rule.value); err == nil {
			lists = append(lists, ref.locator.String())
		}
	}
	return lists
}

// Fixed reports whether the reference names its commits by full ids, at which
// nothing else can ever stand.
func (p Plain) Fixed() bool {
	if p.Web != "" {
		return true // a permalink
	}
	for _, m := range p.meanings(targetPaths{}) {
		if l, err := authority.LocatorOf(m.kind, m.locator); err != nil || !l.Fixed() {
			return false
		}
	}
	return true
}

// Means reports whether a pointer, which stands in the file from, is about what
// the plain reference names: the same locator, with a selector that the lines or
// the fragment can mean. Nothing is read for it.
func (p Plain) Means(q Pointer, from string) bool {
	if p.Web != "" {
		return p.meansWeb(q)
	}
	at, inTree := q.Path(from)
	for _, m := range p.meanings(targetPaths{}) {
		switch {
		case m.kind == "commit" || m.kind == "range":
			if m.kind == q.Kind().Name && m.locator == q.locator.String() {
				return true
			}
		case inTree && m.locator == at && m.selects(q.selector):
			return true
		}
	}
	return false
}

// WebPath returns the path that a permalink names, from the top of its repository;
// false for other references.
func (p Plain) WebPath() (string, bool) {
	l, err := parsePermalink(p.Web)
	return l.path, p.Web != "" && err == nil && l.form != "commit"
}

func (p Plain) meansWeb(q Pointer) bool {
	l, err := parsePermalink(p.Web)
	if err != nil {
		return false
	}
	m := l.meaning("")
	own, other := m.locator, l.meaning("//"+l.repository+"//").locator
	text := q.locator.String()
	return m.kind == q.Kind().Name && (text == own || text == other) && m.selects(q.selector)
}

// selects reports whether the selector is one that the lines or the fragment of
// the reading can mean.
func (m meaning) selects(sel selector.Selector) bool {
	if m.fragment == "" {
		return sel.IsZero()
	}
	if m.lines {
		return isSelector(sel, "lines="+m.fragment)
	}
	if span, ok := m.lineFragment(); ok {
		return isSelector(sel, "lines="+span)
	}
	return isSelector(sel, m.fragment) || slices.ContainsFunc(fragmentTypes, func(name string) bool {
		return isSelector(sel, name+"="+m.fragment)
	})
}

// isSelector reports whether text is a spelling of the selector.
func isSelector(sel selector.Selector, text string) bool {
	parsed, err := selector.Parse(text)
	return err == nil && parsed.String() == sel.String()
}
