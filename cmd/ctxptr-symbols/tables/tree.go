// Package tables has what each language calls a definition: one table a
// language, from the kinds of nodes that its grammar makes to the definitions
// they stand for. It works on a plain copy of a syntax tree and needs no C.
package tables

import "ctxptr/authority/selector/symbols"

// ID is the number of a node in a Tree. None is no node.
type ID = int32

// None is no node.
const None ID = -1

// Node is one node of a syntax tree.
type Node struct {
	symbols.Span
	Kind   string // as the grammar names it, "ERROR" where it could not parse
	Field  string // what the node is to its parent, mostly empty
	Parent ID
	First  ID // first child
	Next   ID // next sibling
	Named  bool
	// Missing is set on a token that the parser made up to go on.
	Missing bool
	// Broken is set on a node that is or has an ERROR or Missing node.
	Broken bool
}

// Tree is a syntax tree in document order: a parent before its children, a node
// before its later siblings. Node 0 is the root.
type Tree struct {
	Source []byte
	Nodes  []Node
	// Deep is set when the tree was cut because it nests too deep.
	Deep bool
}

// MarkBroken sets Broken on every node above an ERROR or Missing node.
func (t *Tree) MarkBroken() {
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		n.Broken = n.Broken || n.Missing || n.Kind == "ERROR"
		if n.Broken && n.Parent != None {
			t.Nodes[n.Parent].Broken = true
		}
	}
}
