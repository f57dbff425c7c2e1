//go:build cgo

// Package grammar is where C comes in: the tree-sitter runtime and the grammars
// of the languages. Nothing but the companion imports it.
package grammar

import (
	"sync"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"

	"ctxptr/cmd/ctxptr-symbols/tables"
)

// Grammar is one grammar, ready to parse.
type Grammar struct {
	language *sitter.Language
	kinds    []kind   // by number
	fields   []string // by number
}

// kind is what is asked of every node, by the number of its kind.
type kind struct {
	name   string
	named  bool
	opaque bool
}

// errorKind is the number of the kind of an ERROR node.
const errorKind = 1<<16 - 1

// load makes the Grammar of a language whose table has opaque kinds.
func load(pointer unsafe.Pointer, opaque []string) *Grammar {
	g := &Grammar{language: sitter.NewLanguage(pointer)}
	skip := make(map[string]bool, len(opaque))
	for _, k := range opaque {
		skip[k] = true
	}
	for id := range uint16(g.language.NodeKindCount()) {
		name := g.language.NodeKindForId(id)
		g.kinds = append(g.kinds, kind{name: name, named: g.language.NodeKindIsNamed(id), opaque: skip[name]})
	}
	for id := range uint16(g.language.FieldCount() + 1) {
		g.fields = append(g.fields, g.language.FieldNameForId(id))
	}
	return g
}

// grammars has those that were asked for.
var grammars struct {
	sync.Mutex
	loaded map[string]*Grammar
}

// Of returns the grammar of a language, nil where this build has none.
func Of(language string, opaque []string) *Grammar {
	grammars.Lock()
	defer grammars.Unlock()
	if g := grammars.loaded[language]; g != nil {
		return g
	}
	pointer := pointerOf(language)
	if pointer == nil {
		return nil
	}
	if grammars.loaded == nil {
		grammars.loaded = make(map[string]*Grammar)
	}
	g := load(pointer, opaque)
	grammars.loaded[language] = g
	return g
}

// Parse parses source and copies the tree, without what is inside opaque nodes
// that have no error. It returns nil where the grammar and the runtime do not
// go together.
func (g *Grammar) Parse(source []byte) *tables.Tree {
	parser := sitter.NewParser()
	defer parser.Close()
	if parser.SetLanguage(g.language) != nil {
		return nil
	}
	tree := parser.Parse(source, nil)
	if tree == nil {
		return nil
	}
	defer tree.Close()
	return g.copy(tree, source)
}

// copy copies a tree in document order.
func (g *Grammar) copy(tree *sitter.Tree, source []byte) *tables.Tree {
	cursor := tree.Walk()
	defer cursor.Close()
	out := &tables.Tree{Source: source, Nodes: make([]tables.Node, 0, len(source)/16+16)}
	broken := tree.RootNode().HasError()
	parent, previous, depth := tables.None, tables.None, 0
	for {
		id, inside := g.add(out, cursor, parent, previous, broken)
		previous = id
		if inside && cursor.GotoFirstChild() {
			if depth++; depth > tables.MaxDepth {
				out.Deep = true
				return out
			}
			parent, previous = id, tables.None
			continue
		}
		for !cursor.GotoNextSibling() {
			if !cursor.GotoParent() {
				out.MarkBroken()
				return out
			}
			depth--
			previous = parent
			parent = out.Nodes[parent].Parent
		}
	}
}

// add appends the node at the cursor and reports whether to look inside.
func (g *Grammar) add(out *tables.Tree, cursor *sitter.TreeCursor, parent, previous tables.ID, broken bool) (id tables.ID, inside bool) {
	node := cursor.Node()
	k := kind{name: "ERROR", named: true}
	if number := node.KindId(); number != errorKind {
		k = g.kinds[number]
	}
	n := tables.Node{Kind: k.name, Named: k.named, Parent: parent, First: tables.None, Next: tables.None}
	from, to := node.ByteRange()
	n.From, n.To = int(from), int(to)
	if field := cursor.FieldId(); field != 0 {
		n.Field = g.fields[field]
	}
	n.Missing = broken && node.IsMissing()
	id = tables.ID(len(out.Nodes))
	if previous != tables.None {
		out.Nodes[previous].Next = id
	} else if parent != tables.None {
		out.Nodes[parent].First = id
	}
	out.Nodes = append(out.Nodes, n)
	return id, !k.opaque || broken && node.HasError()
}
