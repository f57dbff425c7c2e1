package selector

import (
	"cmp"
	"context"
	"slices"
	"strconv"
)

const (
	// keysText is how many bytes the selectors of one listing may have.
	keysText = 64 << 20
	// keysProof is how many bytes one listing may prove; nested values are
	// proven once for each value around them.
	keysProof = 256 << 20
)

// Keys lists every value of a data document that a selector of type "at"
// names, in document order, outer values first. Its Kind is "object", "array"
// or "scalar". The error is an *Error.
func Keys(ctx context.Context, d *Document) ([]Listed, error) {
	t, fault := d.dataTree()
	if fault != nil {
		return nil, fault
	}
	if t.invalid != nil {
		return nil, t.invalid
	}
	l := lister{ctx: ctx, doc: d, tree: t}
	if err := l.visit(t.roots, ""); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.found, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	})
	return l.found, nil
}

// lister walks every document of a file at once, so that it knows of each path
// how many values have it.
type lister struct {
	ctx   context.Context
	doc   *Document
	tree  *dataTree
	found []Listed
	text  int // bytes of the paths seen
	bytes int // bytes proven
}

// visit lists the value that path names, and those below it. nodes are all
// values that have the path, at most one a document.
func (l *lister) visit(nodes []int, path string) error {
	l.text += len(path)
	if l.text > keysText {
		return &Error{Fault: OverLimit, Proof: "the paths of the document's values take more than 64 MiB"}
	}
	if len(nodes) == 1 {
		if err := l.list(nodes[0], path); err != nil {
			return err
		}
	}
	for _, b := range l.branches(nodes) {
		if b.forked {
			continue
		}
		if err := l.visit(b.nodes, path+"/"+escapeToken(b.token)); err != nil {
			return err
		}
	}
	return nil
}

// list appends one value, unless its range can't be proven.
func (l *lister) list(i int, path string) error {
	r := l.tree.rangeOf(i)
	l.bytes += r.To - r.From
	if l.bytes > keysProof {
		return &Error{Fault: OverLimit, Proof: "the document's values nest too deep to list them all"}
	}
	if l.tree.single(l.doc, i) != nil {
		return nil
	}
	if err := l.tree.prove(l.ctx, i); err != nil {
		if err.Fault == OverLimit {
			return err
		}
		return nil
	}
	l.found = append(l.found, Listed{Selector: atKind.name + "=" + path, Range: r, Kind: l.tree.nodes[i].form.String()})
	return nil
}

// branch is the values that one token leads to.
type branch struct {
	token  string
	nodes  []int
	owner  int  // the last node that has the token
	forked bool // a node has it twice
}

// branches returns what each token leads to from any of nodes.
func (l *lister) branches(nodes []int) []branch {
	var all []branch
	index := map[string]int{}
	for _, owner := range nodes {
		for token, child := range l.tree.children(owner) {
			i, seen := index[token]
			if !seen {
				i = len(all)
				index[token] = i
				all = append(all, branch{token: token, owner: -1})
			}
			b := &all[i]
			b.forked = b.forked || b.owner == owner
			b.owner = owner
			b.nodes = append(b.nodes, child)
		}
	}
	return all
}

// children yields each token of node i that a path can name, with its value. A
// token that stands twice is yielded twice; of an object with an alias for a
// key none is, since the alias may be any key.
func (t *dataTree) children(i int) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		switch t.nodes[i].form {
		case objectForm:
			t.members(i, yield)
		case arrayForm:
			t.elements(i, yield)
		}
	}
}

func (t *dataTree) members(i int, yield func(string, int) bool) {
	end := i + int(t.nodes[i].size)
	if t.aliasedKey(i) {
		return
	}
	for k := i + 1; k < end; {
		v := k + int(t.nodes[k].size)
		if name, ok := t.key(k); ok && !yield(name, v) {
			return
		}
		k = v + int(t.nodes[v].size)
	}
}

func (t *dataTree) elements(i int, yield func(string, int) bool) {
	end, n := i+int(t.nodes[i].size), 0
	for v := i + 1; v < end; v += int(t.nodes[v].size) {
		if !yield(strconv.Itoa(n), v) {
			return
		}
		n++
	}
}

// aliasedKey reports whether a key of object i is an alias.
func (t *dataTree) aliasedKey(i int) bool {
	end := i + int(t.nodes[i].size)
	for k := i + 1; k < end; {
		if t.nodes[k].form == aliasForm {
			return true
		}
		k += int(t.nodes[k].size)
		k += int(t.nodes[k].size)
	}
	return false
}
