package selector

import (
	"context"
	"fmt"
	"strings"

	"ctxptr/authority/selector/symbols"
)

var symbolKind = &kind{
	name:      "symbol",
	modifiers: []string{"doc"},
	parse:     parseSymbol,
	summary:   "a definition in source code by its full path",
	example:   "symbol=Server.Close",
	doc: `symbol=A.B.f names a definition by its whole path from the file's root: every
type, function, module or namespace with a body around it counts, a file-wide
package or namespace clause does not. The range goes from the first decorator,
attribute, modifier or export to the last token with its semicolon; doc comments
are left out, symbol+doc=A.f adds the comment block directly above. One of
several declarators is selected alone.
A name may hold spaces. One that holds '.', '"', or '(' or ',' outside <...> is
written as a JSON string. Go methods are T.M ((*T).M is accepted), methods of a
Rust trait <S as Trait>.fmt, a Ruby singleton method A.self.m, an anonymous
default export default; private JavaScript names keep their #.
Overloads are told apart by parameter types, f(int,String), white space removed;
twins without such a difference are ambiguous. A syntax error inside the
definition, around it or before it blocks.
Go is always available. Python, JavaScript, TypeScript, TSX, Rust, Java, C, C++,
C#, Ruby, PHP, Bash, Kotlin and Scala need ctxptr-symbols installed beside
ctxptr; ctxptr version says which of them it can parse. Swift is not supported.`,
}

// symbol is a path of names from the root of a source file.
type symbol struct {
	path []segment
	doc  bool
}

func parseSymbol(value string, modifiers []string) (evaluator, error) {
	path, err := parsePath(value)
	if err != nil {
		return nil, err
	}
	return symbol{path: path, doc: len(modifiers) > 0}, nil
}

func (s symbol) value() string { return formatPath(s.path) }

func formatPath(path []segment) string {
	var b strings.Builder
	for i, seg := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(seg.String())
	}
	return b.String()
}

func (s symbol) find(ctx context.Context, d *Document) ([]Match, error) {
	o, err := d.definitionsOf(ctx)
	if err != nil {
		return nil, err
	}
	found := o.lookup(s.path)
	if err := o.prove(s.path[len(s.path)-1].name, found, d); err != nil {
		return nil, err
	}
	matches := make([]Match, len(found))
	for i, def := range found {
		matches[i].Range = o.rangeOf(def, s.doc)
	}
	if len(found) > 1 {
		o.tellApart(d, found, matches, s.doc)
	}
	return matches, nil
}

// tellApart gives each of several matches the selector that names it alone: its
// parameter types, else its lines where they are no other match's.
func (o *definitions) tellApart(d *Document, found []int, matches []Match, doc bool) {
	head := "symbol="
	if doc {
		head = "symbol+doc="
	}
	lines := make([]string, len(matches))
	uses := make(map[string]int)
	for i, m := range matches {
		first, last := d.Lines(m.Range)
		lines[i] = fmt.Sprintf("lines=%d-%d", first, last)
		uses[lines[i]]++
	}
	for i, def := range found {
		if path := o.alone(def); path != nil {
			matches[i].Alone = head + formatPath(path)
		} else if uses[lines[i]] == 1 {
			matches[i].Alone = lines[i]
		}
	}
}

// prove reports what keeps found from being all definitions with a path that
// ends in name: a syntax error on the way to one of them, or one behind which
// another may hide.
func (o *definitions) prove(name string, found []int, d *Document) error {
	for _, i := range found {
		if at := o.Defs[i].Broken; at >= 0 {
			return badContent(d, at, "a syntax error stands before, around or inside it")
		}
	}
	if len(o.Errors) == 0 {
		return nil
	}
	if len(found) == 0 {
		return badContent(d, o.FirstError(), "the document has a syntax error, so that an absence proves nothing")
	}
	return o.hidden(name, found, d)
}

// hidden reports a place in or behind a syntax error that may define name, as
// found does, once more.
func (o *definitions) hidden(name string, found []int, d *Document) error {
	s := o.suspectsOf(d)
	if s.mentions(name) {
		return badContent(d, o.FirstError(), "the same name stands in a part with a syntax error, which may define it once more")
	}
	for _, i := range found {
		if s.defines(name, o.depth[i], o.plain[i]) {
			return badContent(d, o.FirstError(), "the same name is defined once more behind a syntax error, which may hide its path")
		}
	}
	return nil
}

func badContent(d *Document, at int, why string) *Error {
	line, _ := d.Lines(Range{at, at})
	return &Error{Fault: BadContent, Offset: at, Proof: fmt.Sprintf("the symbol is unproven: %s (line %d)", why, line)}
}

// Symbols lists every definition of d that a symbol selector names alone, in
// document order. The error is an *Error.
func Symbols(ctx context.Context, d *Document) ([]Listed, error) {
	o, err := d.definitionsOf(ctx)
	if err != nil {
		return nil, err
	}
	var list []Listed
	for i := range o.Defs {
		path := o.alone(i)
		if path == nil || o.prove(o.nameOf(i), []int{i}, d) != nil {
			continue
		}
		list = append(list, Listed{Selector: "symbol=" + formatPath(path), Range: o.rangeOf(i, false), Kind: o.Defs[i].Kind})
	}
	return list, nil
}

// Languages returns the languages whose symbols can be selected, sorted: Go,
// and those of the companion where it is installed.
func Languages(ctx context.Context) []string {
	s, done := sessionOf(ctx)
	defer done()
	return withGo(s.languages(ctx))
}

func withGo(others []string) []string {
	for i, l := range others {
		if l > symbols.Go {
			return append(append(others[:i:i], symbols.Go), others[i:]...)
		}
	}
	return append(others, symbols.Go)
}
