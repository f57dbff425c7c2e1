package selector

import "fmt"

const (
	// dataDepth is how deep values may nest.
	dataDepth = 1000
	// dataNodes is how many values and keys a document may hold: 16 bytes of
	// memory each.
	dataNodes = 1 << 22
)

// form is what a node of a data tree is.
type form uint8

const (
	scalarForm form = iota
	objectForm      // its children alternate key, value
	arrayForm
	aliasForm // a YAML alias, which is not followed
)

func (f form) String() string { return [...]string{"scalar", "object", "array", "alias"}[f] }

// dataNode is one value of a data document, or one key of an object. Nodes
// stand in preorder, so the first child of node i is i+1 and its next sibling
// i+size.
type dataNode struct {
	from, to int32 // bytes of the parsed text
	size     int32 // nodes of the subtree, itself included
	form     form
}

// dataTree is a parsed document: where each value and each key stands.
type dataTree struct {
	src   []byte // the text that was parsed
	base  int    // its offset in the document
	nodes []dataNode
	roots []int // one node a document of the file
	// key returns the text of key node i, false where no path can name it.
	key func(i int) (string, bool)
	// invalid is a fault in the document that only a path which it makes
	// ambiguous may precede.
	invalid *Error
	// note returns what of object i its keys do not show; nil when there never
	// is anything.
	note func(i int) string
	// scattered returns why node i has no bytes of its own; nil when all have.
	scattered func(d *Document, i int) *Error
	// proof shows that the bytes of node i, parsed alone, are the value that
	// stands there in the whole text.
	proof func(i int) *Error
}

// treeSink takes the nodes of a tree in preorder.
type treeSink interface {
	// add takes a node and opens it if it is a container, whose end close
	// gives. Its error is an *Error.
	add(from, to int, f form) error
	close(to int) error
	depth() int // containers open
}

// treeBuilder makes the nodes of a tree.
type treeBuilder struct {
	nodes []dataNode
	open  []int // the containers not yet closed
}

func (b *treeBuilder) add(from, to int, f form) error {
	if len(b.nodes) >= dataNodes {
		return &Error{Fault: OverLimit, Proof: fmt.Sprintf("the document holds more than %d keys and values", dataNodes)}
	}
	b.nodes = append(b.nodes, dataNode{from: int32(from), to: int32(to), size: 1, form: f})
	if f == objectForm || f == arrayForm {
		if len(b.open) >= dataDepth {
			return &Error{Fault: OverLimit, Proof: fmt.Sprintf("values nest deeper than %d", dataDepth)}
		}
		b.open = append(b.open, len(b.nodes)-1)
	}
	return nil
}

func (b *treeBuilder) close(to int) error {
	last := len(b.open) - 1
	n := &b.nodes[b.open[last]]
	n.to = int32(to)
	n.size = int32(len(b.nodes) - b.open[last])
	b.open = b.open[:last]
	return nil
}

func (b *treeBuilder) depth() int { return len(b.open) }

// errOther says that a text has other nodes than the tree it is compared with.
var errOther = &Error{Fault: BadContent, Proof: "the text is not the tree's"}

// treeChecker compares what it takes with a subtree whose bytes begin at base.
type treeChecker struct {
	nodes []dataNode
	base  int
	next  int
	open  []int
}

func (c *treeChecker) add(from, to int, f form) error {
	container := f == objectForm || f == arrayForm
	if c.next >= len(c.nodes) {
		return errOther
	}
	n := c.nodes[c.next]
	if n.form != f || int(n.from) != c.base+from || !container && int(n.to) != c.base+to {
		return errOther
	}
	if container {
		c.open = append(c.open, c.next)
	}
	c.next++
	return nil
}

func (c *treeChecker) close(to int) error {
	last := len(c.open) - 1
	n := c.nodes[c.open[last]]
	if int(n.to) != c.base+to || int(n.size) != c.next-c.open[last] {
		return errOther
	}
	c.open = c.open[:last]
	return nil
}

func (c *treeChecker) depth() int { return len(c.open) }

// pathEnd is where a path ended without a match: at a key that stands in
// several places, or for a reason.
type pathEnd struct {
	forks  []int
	step   int
	reason string
}

// walk follows tokens from node i.
func (t *dataTree) walk(i int, tokens []string) (int, *pathEnd) {
	for step, token := range tokens {
		next, end := t.step(i, token)
		if end != nil {
			end.step = step + 1
			return 0, end
		}
		i = next
	}
	return i, nil
}

// step goes from node i to its child token.
func (t *dataTree) step(i int, token string) (int, *pathEnd) {
	switch n := t.nodes[i]; n.form {
	case objectForm:
		return t.member(i, token)
	case arrayForm:
		return t.element(i, token)
	case aliasForm:
		return 0, &pathEnd{reason: "the path leads through an alias, and aliases are not followed"}
	}
	return 0, &pathEnd{reason: fmt.Sprintf("token %s would have to stand in a scalar", clip(token))}
}

func (t *dataTree) member(i int, token string) (int, *pathEnd) {
	var found []int
	for name, v := range t.children(i) {
		if name == token {
			found = append(found, v)
		}
	}
	switch {
	case len(found) > 1:
		return 0, &pathEnd{forks: found}
	case len(found) == 1:
		return found[0], nil
	case t.aliasedKey(i):
		return 0, &pathEnd{reason: "a key of the object is an alias, and aliases are not followed"}
	}
	return 0, &pathEnd{reason: fmt.Sprintf("the object has no key %s%s", clip(token), t.noted(i))}
}

func (t *dataTree) noted(i int) string {
	if t.note == nil {
		return ""
	}
	return t.note(i)
}

func (t *dataTree) element(i int, token string) (int, *pathEnd) {
	want, ok := arrayIndex(token)
	if !ok {
		return 0, &pathEnd{reason: fmt.Sprintf("%s is no index of an array", clip(token))}
	}
	end, n := i+int(t.nodes[i].size), 0
	for v := i + 1; v < end; v += int(t.nodes[v].size) {
		if n == want {
			return v, nil
		}
		n++
	}
	return 0, &pathEnd{reason: fmt.Sprintf("the array has %d elements, so none has index %s", n, clip(token))}
}

// rangeOf returns the bytes of node i in the document.
func (t *dataTree) rangeOf(i int) Range {
	return Range{t.base + int(t.nodes[i].from), t.base + int(t.nodes[i].to)}
}

// single returns why node i has no bytes of its own, nil when it has.
func (t *dataTree) single(d *Document, i int) *Error {
	if t.scattered == nil {
		return nil
	}
	return t.scattered(d, i)
}

func (t *dataTree) rangesOf(nodes []int) []Range {
	ranges := make([]Range, len(nodes))
	for k, i := range nodes {
		ranges[k] = t.rangeOf(i)
	}
	return ranges
}

func (t *dataTree) forkError(d *Document, a at, end *pathEnd) *Error {
	e := &Error{
		Fault: ManyMatches,
		Proof: fmt.Sprintf("at=%s is not unique: token %d stands in %d places of one object", clip(a.text), end.step, len(end.forks)),
	}
	for _, r := range t.rangesOf(end.forks[:min(len(end.forks), mostMatches)]) {
		e.Matches = append(e.Matches, Match{Range: r, Alone: d.LinesName(r)})
	}
	return e
}
