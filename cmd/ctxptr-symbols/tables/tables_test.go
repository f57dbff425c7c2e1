package tables

import (
	"slices"
	"strings"
	"testing"

	"ctxptr/authority/selector/symbols"
)

var languages = []string{
	symbols.Bash, symbols.C, symbols.CPP, symbols.CSharp, symbols.Java, symbols.JavaScript, symbols.Kotlin, symbols.PHP,
	symbols.Python, symbols.Ruby, symbols.Rust, symbols.Scala, symbols.TSX, symbols.TypeScript,
}

// fields are those that tables look at, and none.
var fields = []string{
	"", "", "name", "body", "declarator", "value", "type", "parameters", "left", "right", "pattern", "declaration",
	"method", "arguments", "block", "trait", "scope", "object", "property", "key", "default_value", "dimensions",
}

// grow makes a tree of the kinds of a table from arbitrary bytes: three bytes a
// node say how far to go up, which kind and which field it has.
func grow(l *Language, plan, source []byte) *Tree {
	kinds := l.Kinds()
	slices.Sort(kinds)
	kinds = append(kinds, ";", ",", "identifier", "comment", "ERROR", "parameter", "nothing known", "scope_resolution",
		"variable_declarator", "function_declarator", "qualified_identifier", "heredoc_beginning", "parenthesized_expression")
	t := &Tree{Source: source, Nodes: []Node{{Kind: "root", Named: true, Parent: None, First: None, Next: None, Span: symbols.Span{From: 0, To: len(source)}}}}
	last := map[ID]ID{}
	at := ID(0)
	for ; len(plan) >= 3; plan = plan[3:] {
		for up := plan[0] % 4; up > 0 && at != 0; up-- {
			at = t.Nodes[at].Parent
		}
		n := Node{Kind: kinds[int(plan[1])%len(kinds)], Field: fields[int(plan[2])%len(fields)], Parent: at, First: None, Next: None}
		n.Named = len(n.Kind) > 1
		n.Missing = plan[0] >= 250
		n.From = t.Nodes[at].From
		if before, some := last[at]; some {
			n.From = t.Nodes[before].To
		}
		n.To = n.From + (t.Nodes[at].To-n.From)/(1+int(plan[0]>>6))
		id := ID(len(t.Nodes))
		if before, some := last[at]; some {
			t.Nodes[before].Next = id
		} else {
			t.Nodes[at].First = id
		}
		last[at] = id
		t.Nodes = append(t.Nodes, n)
		at = id
	}
	t.MarkBroken()
	return t
}

// FuzzTables holds that no tree, however strange, makes a table panic or give a
// definition that breaks the rules of an outline.
func FuzzTables(f *testing.F) {
	source := strings.Repeat("a b; { c } \"d\"\n# e <f> (g)\n", 20)
	for i := range languages {
		f.Add(uint8(i), []byte("abcdefghijklmnopqrstuvwxyz0123456789"), source)
	}
	f.Fuzz(func(t *testing.T, language uint8, plan []byte, source string) {
		l := Of(languages[int(language)%len(languages)])
		tree := grow(l, plan, []byte(source))
		o, ok := l.Outline(tree)
		if !ok {
			return
		}
		for i, d := range o.Defs {
			if d.Parent >= i || d.Doc < 0 || d.Doc > d.From || d.From > d.To || d.To > len(source) || len(d.Names) == 0 || slices.Contains(d.Names, "") {
				t.Fatalf("definition %d: %+v", i, d)
			}
		}
		for _, e := range o.Errors {
			if e.From < 0 || e.From > e.To || e.To > len(source) {
				t.Fatalf("error %+v", e)
			}
		}
	})
}

// TestUnknownKindIsAGap gives a table a kind that it does not know.
func TestUnknownKindIsAGap(t *testing.T) {
	l := Of(symbols.Rust)
	tree := &Tree{Source: []byte("novelty"), Nodes: []Node{
		{Kind: "source_file", Named: true, Parent: None, First: 1, Next: None, Span: symbols.Span{From: 0, To: 7}},
		{Kind: "novelty_item", Named: true, Parent: 0, First: None, Next: None, Span: symbols.Span{From: 0, To: 7}},
	}}
	o, ok := l.Outline(tree)
	if !ok || !slices.Equal(o.Errors, []symbols.Span{{From: 0, To: 7}}) {
		t.Errorf("got %+v %t", o, ok)
	}
}

func TestNoTable(t *testing.T) {
	if Of(symbols.Go) != nil || Of(symbols.Swift) != nil || Of("") != nil {
		t.Error("a table for what has none")
	}
	for _, l := range languages {
		if Of(l) == nil {
			t.Errorf("%s: no table", l)
		}
	}
}
