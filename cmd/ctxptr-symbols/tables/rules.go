package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// pass is the rule of a node that defines nothing but may hold definitions: a
// conditional block.
func pass(w *walker, n ID, s scope) {
	s.whole, s.ended = symbols.Span{}, false
	w.children(n, s)
}

// ended makes the rule of a definition to which a ';' behind it belongs.
func ended(r rule) rule {
	return func(w *walker, n ID, s scope) {
		s.ended = true
		r(w, n, s)
	}
}

// loose is pass where a kind without a rule is no gap: the parts of a
// statement that has expressions beside blocks.
func loose(w *walker, n ID, s scope) {
	s.closed = false
	pass(w, n, s)
}

// block is pass for a block of statements, all of which the table knows where
// they are not local.
func block(w *walker, n ID, s scope) {
	s.closed = !s.local
	pass(w, n, s)
}

// wrap is the rule of a node whose extent is that of the definition in it:
// "export", "template<…>", a decorated definition.
func wrap(w *walker, n ID, s scope) {
	s.whole, s.closed = w.extent(n, s), false
	s.ended = false
	w.children(n, s)
}

// one returns the scope of one of several declarators in a statement at n: the
// extent is the declarator's alone, or the statement's where it is the only one.
func (w *walker) one(n ID, s scope, several bool) scope {
	if several {
		s.whole, s.ended = symbols.Span{}, false
	} else {
		s.whole, s.ended = w.extent(n, s), false
	}
	return s
}

// all returns the children of n of one of the kinds.
func (w *walker) all(n ID, kinds ...string) []ID {
	var out []ID
	for c := w.first(n); c != None; c = w.Nodes[c].Next {
		if w.is(c, kinds...) {
			out = append(out, c)
		}
	}
	return out
}

// declarators makes the rule of a statement with declarators of the given kinds,
// each with its name where name finds it.
func declarators(kind string, name func(*walker, ID) string, kinds ...string) rule {
	return func(w *walker, n ID, s scope) {
		if s.local {
			return
		}
		list := w.all(n, kinds...)
		for _, d := range list {
			w.define(d, w.one(n, s, len(list) > 1), kind, name(w, d))
		}
	}
}

// simple makes the rule of a definition that has its name in the field "name"
// and its members in the fields or kinds of bodies.
func simple(kind string, bodies ...string) rule {
	return func(w *walker, n ID, s scope) {
		if inner, ok := w.define(n, s, kind, w.nameOf(n)); ok {
			w.members(n, inner, bodies...)
		}
	}
}

// members applies the rules to the members of a type or module at n, which have
// paths even where the type is local to a function.
func (w *walker) members(n ID, inner scope, bodies ...string) {
	inner.local, inner.closed = false, true
	w.bodies(n, inner, bodies)
}

// function makes the rule of a function: what is inside is local to it.
func function(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if inner, ok := w.define(n, s, kind, w.nameOf(n)); ok {
			w.bodyOfFunction(n, inner)
		}
	}
}

// bodyOfFunction applies the rules to the functions and types in a function.
func (w *walker) bodyOfFunction(n ID, inner scope) {
	inner.local, inner.closed = true, false
	w.bodies(n, inner, []string{"body"})
}

// bodies applies the rules to what stands in those children of n that have one
// of the names as field or kind.
func (w *walker) bodies(n ID, s scope, names []string) {
	for c := w.Nodes[n].First; c != None; c = w.Nodes[c].Next {
		for _, name := range names {
			if w.Nodes[c].Field == name || w.Nodes[c].Kind == name {
				w.children(c, s)
				break
			}
		}
	}
}

// nameOf returns the text of the field "name".
func (w *walker) nameOf(n ID) string { return w.text(w.field(n, "name")) }

// field returns the first child of n in a field.
func (w *walker) field(n ID, name string) ID {
	return w.find(n, func(c *Node) bool { return c.Field == name })
}

// kind returns the first child of n of a kind.
func (w *walker) kind(n ID, kind string) ID {
	return w.find(n, func(c *Node) bool { return c.Kind == kind })
}

// find returns the first child of n that is ok.
func (w *walker) find(n ID, ok func(*Node) bool) ID {
	for c := w.first(n); c != None; c = w.Nodes[c].Next {
		if ok(&w.Nodes[c]) {
			return c
		}
	}
	return None
}

// first returns the first child of n, None for None.
func (w *walker) first(n ID) ID {
	if n == None {
		return None
	}
	return w.Nodes[n].First
}

// is reports whether n is a node of one of the kinds.
func (w *walker) is(n ID, kinds ...string) bool {
	if n == None {
		return false
	}
	for _, k := range kinds {
		if w.Nodes[n].Kind == k {
			return true
		}
	}
	return false
}

// named returns the named children of n that are no comments.
func (w *walker) named(n ID) []ID {
	var out []ID
	for c := w.first(n); c != None; c = w.Nodes[c].Next {
		if w.Nodes[c].Named && !strings.HasSuffix(w.Nodes[c].Kind, "comment") {
			out = append(out, c)
		}
	}
	return out
}

// text returns the source of n, empty for None.
func (w *walker) text(n ID) string {
	if n == None {
		return ""
	}
	return string(w.Source[w.Nodes[n].From:w.Nodes[n].To])
}

// code returns the source of n without its comments; nodes that were not
// looked into count as they are.
func (w *walker) code(n ID) string {
	if n == None {
		return ""
	}
	var b strings.Builder
	at, end := w.Nodes[n].From, w.Nodes[n].To
	for i := int(n) + 1; i < len(w.Nodes) && w.Nodes[i].From < end; i++ {
		c := &w.Nodes[i]
		if strings.HasSuffix(c.Kind, "comment") && c.From >= at {
			b.Write(w.Source[at:c.From])
			at = min(c.To, end)
		}
	}
	b.Write(w.Source[at:end])
	return b.String()
}

// typeText returns the source of a type as signatures compare it: without
// comments and white space.
func (w *walker) typeText(n ID) string { return symbols.DropSpace(w.code(n)) }

// stringText returns what a string literal says where it has no escapes, else
// its source.
func (w *walker) stringText(n ID) string {
	s := w.text(n)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && !strings.Contains(s, `\`) {
		return s[1 : len(s)-1]
	}
	return s
}

// ignore returns rules for kinds that define nothing.
func ignore(rules map[string]rule, kinds string) {
	for k := range strings.FieldsSeq(kinds) {
		rules[k] = nil
	}
}

// same gives several kinds one rule.
func same(rules map[string]rule, r rule, kinds string) {
	for k := range strings.FieldsSeq(kinds) {
		rules[k] = r
	}
}

// splitNames returns the names of a qualified name, without white space.
func splitNames(s, separator string) []string {
	return strings.Split(symbols.DropSpace(s), separator)
}
