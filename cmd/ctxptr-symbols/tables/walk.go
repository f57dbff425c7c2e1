package tables

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"ctxptr/authority/selector/symbols"
)

// Bounds on what is outlined of one file.
const (
	// MaxDepth is how deep a tree may nest.
	MaxDepth = 10_000
	// maxPath is how many definitions may stand around one.
	maxPath = 200
	maxDefs = 1 << 20
)

// rule says what one kind of node means for the outline.
type rule func(w *walker, n ID, s scope)

// scope is where a node stands.
type scope struct {
	parent int          // the enclosing definition, or -1
	depth  int          // how many definitions that is
	whole  symbols.Span // extent of what wraps the node, as "export" does; To is 0 without
	prefix []string     // names before those of a definition here, as "self" of Ruby's singletons
	local  bool         // inside a function: its variables have no path
	closed bool         // a kind without a rule is a gap
	ended  bool         // a ';' behind a definition here belongs to it
}

// Language is the table of one language.
type Language struct {
	name string
	// rules has the kinds that mean something where definitions stand. A
	// named node of any other kind there is a gap, treated as a syntax error,
	// unless open is set because anything may stand there.
	rules map[string]rule
	open  bool
	// opaque has the kinds whose inside never matters, so that it need not be
	// looked at.
	opaque []string
	// lines is set where a definition that is complete ends with its line, end
	// where the word "end" closes one.
	lines, end bool
	// heredocs is set where the text of a here document stands behind the line
	// on which a definition that begins it ends.
	heredocs bool
	// markers is set where "end NAME" behind a definition belongs to it.
	markers bool
	// inner is the beginning of a comment that belongs to what is around it
	// rather than to what is below it.
	inner []string
}

// Opaque returns the kinds of nodes whose children are never looked at, unless
// they are broken.
func (l *Language) Opaque() []string { return l.opaque }

// walker collects the definitions of one tree.
type walker struct {
	*Tree
	lang     *Language
	out      symbols.Outline
	comments []symbols.Span
	heredocs []heredoc
	gaps     []symbols.Span
	tooMuch  bool
}

// Outline returns the outline of t by the table of l; false when it has more
// definitions, or nests them deeper, than is allowed.
func (l *Language) Outline(t *Tree) (symbols.Outline, bool) {
	w := &walker{Tree: t, lang: l}
	if t.Deep || len(t.Nodes) == 0 {
		return symbols.Outline{}, false
	}
	w.findComments()
	w.findHeredocs()
	w.children(0, scope{parent: -1, closed: true})
	if w.tooMuch {
		return symbols.Outline{}, false
	}
	w.finish()
	return w.out, true
}

// findComments collects the comments that may document what is below them.
func (w *walker) findComments() {
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if !strings.HasSuffix(n.Kind, "comment") || !n.Named {
			continue
		}
		if last := len(w.comments) - 1; last >= 0 && n.From < w.comments[last].To {
			continue // a part of the comment before
		}
		if !w.isInner(n) {
			w.comments = append(w.comments, symbols.Span{From: n.From, To: w.trimEnd(n.From, n.To)})
		}
	}
}

func (w *walker) isInner(n *Node) bool {
	for _, mark := range w.lang.inner {
		if strings.HasPrefix(string(w.Source[n.From:min(n.To, n.From+len(mark))]), mark) {
			return true
		}
	}
	return false
}

// trimEnd moves to back over white space, not past from.
func (w *walker) trimEnd(from, to int) int {
	for to > from && symbols.IsSpace(w.Source[to-1]) {
		to--
	}
	return to
}

// children applies the rules to what stands in n. Attributes and decorators
// that stand as siblings before a definition belong to it.
func (w *walker) children(n ID, s scope) {
	prefix := -1
	for c := w.Nodes[n].First; c != None; c = w.Nodes[c].Next {
		node := &w.Nodes[c]
		if strings.HasSuffix(node.Kind, "comment") || node.Field == "name" || node.Field == "condition" {
			continue
		}
		if w.isPrefix(c) {
			if prefix < 0 {
				prefix = node.From
			}
			continue
		}
		inner := s
		if prefix >= 0 && inner.whole.To == 0 {
			inner.whole = symbols.Span{From: prefix, To: node.To}
		}
		if node.Named {
			w.apply(c, inner)
		}
		prefix = -1
	}
}

// isPrefix reports whether a node belongs to the definition that follows it.
func (w *walker) isPrefix(n ID) bool {
	return w.is(n, "attribute_item", "decorator") || w.is(n, "annotated_expression") && w.isAnnotation(n, 0)
}

// isAnnotation reports whether the grammar has taken annotations before a
// Kotlin declaration, "@T(x)", for an expression "(x)" that has annotations.
func (w *walker) isAnnotation(n ID, depth int) bool {
	if depth > maxPath {
		return false
	}
	for _, c := range w.named(n) {
		if !w.is(c, "annotation", "parenthesized_expression") && !(w.is(c, "annotated_expression") && w.isAnnotation(c, depth+1)) {
			return false
		}
	}
	return true
}

// apply applies the rule of one node.
func (w *walker) apply(n ID, s scope) {
	node := &w.Nodes[n]
	switch r, known := w.lang.rules[node.Kind]; {
	case known && r != nil:
		r(w, n, s)
	case known || node.Kind == "ERROR":
	case s.closed && !w.lang.open:
		w.gap(n)
	}
}

// gap records that n is a construct that the table does not know.
func (w *walker) gap(n ID) { w.gaps = append(w.gaps, w.Nodes[n].Span) }

// extent returns the range of a definition at n: that of what wraps it, and
// what ends it but stands behind its node.
func (w *walker) extent(n ID, s scope) symbols.Span {
	at := w.Nodes[n].Span
	if s.whole.To > 0 {
		at.From, at.To = min(at.From, s.whole.From), max(at.To, s.whole.To)
	}
	next := w.nextToken(n)
	if s.ended && w.is(next, ";") && !w.Nodes[next].Missing {
		at.To = max(at.To, w.Nodes[next].To)
	}
	if w.lang.markers && w.is(next, "end") && w.is(w.Nodes[next].Next, "_end_ident") {
		at.To = max(at.To, w.Nodes[w.Nodes[next].Next].To)
	}
	at.To = w.lastToken(at)
	return w.withHeredocs(at)
}

// lastToken returns where the last token in at ends that is no comment: some
// grammars let the comments behind a definition be part of it.
func (w *walker) lastToken(at symbols.Span) int {
	to := w.trimEnd(at.From, at.To)
	for i := sort.Search(len(w.comments), func(i int) bool { return w.comments[i].From >= to }) - 1; i >= 0; i-- {
		if c := w.comments[i]; c.To != to || c.From <= at.From {
			break
		}
		to = w.trimEnd(at.From, w.comments[i].From)
	}
	return to
}

// nextToken returns the next sibling of n that is no comment.
func (w *walker) nextToken(n ID) ID {
	for n = w.Nodes[n].Next; n != None && strings.HasSuffix(w.Nodes[n].Kind, "comment"); n = w.Nodes[n].Next {
	}
	return n
}

// define adds a definition and returns the scope of its inside, false where it
// has no name.
func (w *walker) define(n ID, s scope, kind string, names ...string) (scope, bool) {
	return w.defineAt(w.extent(n, s), n, s, kind, names...)
}

// defineAt is define for a definition of another extent than its node's.
func (w *walker) defineAt(at symbols.Span, n ID, s scope, kind string, names ...string) (scope, bool) {
	if len(names) == 0 || slices.Contains(names, "") {
		return s, false
	}
	names = slices.Concat(s.prefix, names)
	if len(w.out.Defs) >= maxDefs || s.depth+len(names) > maxPath {
		w.tooMuch = true
		return s, false
	}
	broken := -1
	if w.Nodes[n].Broken {
		broken = at.From
	}
	w.out.Defs = append(w.out.Defs, symbols.Def{Parent: s.parent, Names: names, Kind: kind, Span: at, Broken: broken, Doc: symbols.DocStart(w.Source, w.comments, at.From)})
	return scope{parent: len(w.out.Defs) - 1, depth: s.depth + len(names), local: s.local, closed: s.closed}, true
}

// overload records the parameter types of the definition made last.
func (w *walker) overload(types []string) {
	def := &w.out.Defs[len(w.out.Defs)-1]
	def.Overloads, def.Params = true, strings.Join(types, ",")
}

// Kinds returns every kind of node that the table names, in no order.
func (l *Language) Kinds() []string {
	return append(slices.Collect(maps.Keys(l.rules)), l.opaque...)
}
