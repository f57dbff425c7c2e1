package grammar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/tables"
)

// dump writes a tree as one line.
func dump(t *tables.Tree, n tables.ID) string {
	node := t.Nodes[n]
	var b strings.Builder
	if node.Field != "" {
		b.WriteString(node.Field + ":")
	}
	fmt.Fprintf(&b, "%s[%d-%d]", node.Kind, node.From, node.To)
	if node.Missing {
		b.WriteString("!")
	}
	if node.Broken {
		b.WriteString("?")
	}
	if node.First != tables.None {
		b.WriteString("(")
		for c := node.First; c != tables.None; c = t.Nodes[c].Next {
			if c != node.First {
				b.WriteString(" ")
			}
			if t.Nodes[c].Parent != n {
				b.WriteString("ORPHAN")
			}
			b.WriteString(dump(t, c))
		}
		b.WriteString(")")
	}
	return b.String()
}

// TestTree holds for either way of parsing; build with the tag "binding" for
// the other one.
func TestTree(t *testing.T) {
	LimitMemory(symbols.ExitMemory)
	Allow(64 << 20)
	for _, tt := range []struct{ language, opaque, source, want string }{
		{symbols.Python, "", "x = f(1)\n", "module[0-9](expression_statement[0-8](assignment[0-8](left:identifier[0-1] =[2-3] right:call[4-8](function:identifier[4-5] arguments:argument_list[5-8](([5-6] integer[6-7] )[7-8])))))"},
		{symbols.Python, "call", "x = f(1)\n", "module[0-9](expression_statement[0-8](assignment[0-8](left:identifier[0-1] =[2-3] right:call[4-8])))"},
		{symbols.Python, "call", "f((\n", "module[0-4]?(ERROR[0-3]?(identifier[0-1] ([1-2] ([2-3]))"},
		{symbols.Java, "", "class A {", "program[0-9]?(class_declaration[0-9]?(class[0-5] name:identifier[6-7] body:class_body[8-9]?({[8-9] }[9-9]!?)))"},
		{symbols.Bash, "", "", "program[0-0]"},
	} {
		g := Of(tt.language, nil)
		if g == nil {
			if slices.Contains(Languages(), tt.language) {
				t.Errorf("%s: no grammar", tt.language)
			}
			continue
		}
		g = g.with(strings.Fields(tt.opaque))
		if got := dump(g.Parse([]byte(tt.source)), 0); got != tt.want {
			t.Errorf("%s %q:\ngot  %s\nwant %s", tt.language, tt.source, got, tt.want)
		}
	}
}

// TestDeepTree parses what nests deeper than is copied.
func TestDeepTree(t *testing.T) {
	LimitMemory(symbols.ExitMemory)
	Allow(256 << 20)
	g := Of(symbols.Python, nil)
	if g == nil {
		if len(Languages()) > 0 {
			t.Error("no grammar")
		}
		return
	}
	source := "x = " + strings.Repeat("(", tables.MaxDepth) + "1" + strings.Repeat(")", tables.MaxDepth)
	if tree := g.Parse([]byte(source)); !tree.Deep {
		t.Errorf("got %d nodes", len(tree.Nodes))
	}
}

// TestTablesKnowTheirGrammars checks that every kind that a table names is one
// of its grammar, so that a new version of a grammar cannot pass unnoticed.
func TestTablesKnowTheirGrammars(t *testing.T) {
	for _, language := range Languages() {
		if language == symbols.CHeader {
			continue
		}
		table := tables.Of(language)
		if table == nil {
			t.Errorf("%s: no table", language)
			continue
		}
		g := Of(language, table.Opaque())
		if g == nil {
			t.Errorf("%s: no grammar", language)
			continue
		}
		for _, k := range table.Kinds() {
			if !g.has(k) {
				t.Errorf("%s: the grammar has no %s", language, k)
			}
		}
	}
}
