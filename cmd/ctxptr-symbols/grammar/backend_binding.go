//go:build cgo && (!linux || binding)

// This is parsing by the runtime's Go binding, which crosses between Go and C
// at every node and every allocation. It is what other systems than Linux use;
// the tag "binding" chooses it there too, for tests.

package grammar

// #include <stdlib.h>
import "C"

import (
	"os"
	"sync/atomic"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"

	"ctxptr/cmd/ctxptr-symbols/tables"
)

// budget is what the runtime may still allocate for the present file, in bytes.
// Memory that is given back does not count, so that the budget also bounds
// work.
var budget atomic.Int64

// LimitMemory ends the process with an exit code when the runtime has allocated
// more than Allow granted.
func LimitMemory(exitCode int) {
	spend := func(size uint) C.size_t {
		if budget.Add(-int64(size)) < 0 {
			os.Exit(exitCode)
		}
		return C.size_t(size)
	}
	sitter.SetAllocator(
		func(size uint) unsafe.Pointer { return C.malloc(spend(size)) },
		func(count, size uint) unsafe.Pointer {
			spend(count * size)
			return C.calloc(C.size_t(count), C.size_t(size))
		},
		func(p unsafe.Pointer, size uint) unsafe.Pointer { return C.realloc(p, spend(size)) },
		func(p unsafe.Pointer) { C.free(p) },
	)
}

// Allow sets what the runtime may allocate from now on.
func Allow(bytes int64) { budget.Store(bytes) }

// quick returns a grammar as it is.
func quick(_ string, grammar unsafe.Pointer) unsafe.Pointer { return grammar }

type scratch struct{}

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
	k := g.kindOf(node.KindId())
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
