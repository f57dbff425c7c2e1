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

// Sense is what a pointer is about, or a plain reference can be, without what stands
// there: a path from the root or, of another kind than those of the working tree, a locator, and a
// selector in its one spelling.
type Sense struct{ kind, locator, selector string }

// Sense is what the pointer is about. from is the path of the file in which it stands.
func (p Pointer) Sense(from string) Sense {
	if at, inTree := p.Path(from); inTree {
		return Sense{"", at, p.selector.String()}
	}
	return Sense{p.Kind().Name, p.locator.String(), p.selector.String()}
}

// Senses lists what the plain reference can be about: a pointer with one of these names
// the same, with a selector that the lines or the fragment can mean. Nothing is read
// for it.
func (p Plain) Senses() (list []Sense) {
	if p.Web != "" {
		return p.sensesOfWeb()
	}
	for _, m := range p.meanings(targetPaths{}) {
		if m.kind != "commit" && m.kind != "range" {
			m.kind = ""
		}
		list = append(list, m.senses()...)
	}
	return list
}

// WebPath returns the path that a permalink names, from the top of its repository;
// false for other references.
func (p Plain) WebPath() (string, bool) {
	l, err := parsePermalink(p.Web)
	return l.path, p.Web != "" && err == nil && l.form != "commit"
}

func (p Plain) sensesOfWeb() []Sense {
	l, err := parsePermalink(p.Web)
	if err != nil {
		return nil
	}
	return slices.Concat(l.meaning("").senses(), l.meaning("//"+l.repository+"//").senses())
}

// senses are the reading with every selector that its lines or its fragment can mean.
func (m meaning) senses() (list []Sense) {
	if m.fragment == "" {
		return []Sense{{m.kind, m.locator, ""}}
	}
	var texts []string
	if m.lines {
		texts = append(texts, "lines="+m.fragment)
	} else if span, ok := m.lineFragment(); ok {
		texts = append(texts, "lines="+span)
	} else {
		texts = append(texts, m.fragment)
		for _, name := range fragmentTypes {
			texts = append(texts, name+"="+m.fragment)
		}
	}
	for _, text := range texts {
		if sel, err := selector.Parse(text); err == nil {
			list = append(list, Sense{m.kind, m.locator, sel.String()})
		}
	}
	return list
}
