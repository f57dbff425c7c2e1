package selector

import (
	"bytes"
	"fmt"
	"strconv"
)

const (
	tomlName = "TOML"
	// tomlValues is how many values a TOML document may hold.
	tomlValues = 1 << 18
	// tomlMarks is how many bytes that may part two values or two keys a
	// document may hold: the parser makes a node of 88 bytes for each.
	tomlMarks = 1 << 20
)

var tomlFormat = &dataFormat{tomlName, parseTOML}

// parseTOML parses a TOML 1.0 document.
func parseTOML(src []byte) (*dataTree, *Error) {
	doc, err := readTOML(src)
	if err != nil {
		return nil, err
	}
	f := tomlFlat{doc: doc}
	f.node(doc.root)
	t := &dataTree{src: src, nodes: f.nodes, roots: []int{0}, invalid: doc.invalid}
	t.key = func(i int) (string, bool) { return f.keys[i], true }
	t.scattered = func(d *Document, i int) *Error { return doc.scattered(d, t, f.values[i]) }
	t.proof = func(i int) *Error {
		if !doc.proven(f.values[i]) {
			return t.unproven(i, tomlName)
		}
		return nil
	}
	return t, nil
}

// tomlFlat puts a TOML document's values in preorder.
type tomlFlat struct {
	doc    *tomlDoc
	nodes  []dataNode
	keys   []string     // by node, for keys
	values []*tomlValue // by node, for values
}

func (f *tomlFlat) add(n dataNode, key string, v *tomlValue) int {
	f.nodes = append(f.nodes, n)
	f.keys = append(f.keys, key)
	f.values = append(f.values, v)
	return len(f.nodes) - 1
}

func (f *tomlFlat) node(v *tomlValue) {
	from, to := v.span()
	i := f.add(dataNode{from: int32(from), to: int32(to), size: 1, form: v.form}, "", v)
	for k, child := range v.values {
		if v.form == objectForm {
			f.add(dataNode{size: 1}, v.keys[k], nil)
		}
		f.node(child)
	}
	f.nodes[i].size = int32(len(f.nodes) - i)
}

// span returns the bytes of a value that has bytes of its own.
func (v *tomlValue) span() (from, to int) {
	switch {
	case v.static:
		return v.from, v.to
	case len(v.parts) == 1 && v.parts[0].own:
		return v.parts[0].from, v.parts[0].to
	}
	return 0, 0
}

// scattered returns why a value has no bytes of its own: a table whose content
// stands under several headers or in several dotted keys, or one that only the
// header of another table implies.
func (doc *tomlDoc) scattered(d *Document, t *dataTree, v *tomlValue) *Error {
	switch {
	case v.static || len(v.parts) == 1 && v.parts[0].own:
		return nil
	case len(v.parts) == 1:
		return &Error{Fault: NoMatch, Proof: "the value there has no bytes of its own: only the header of a table below it implies it"}
	}
	e := &Error{Fault: ManyMatches, Proof: fmt.Sprintf("the content of the value there stands in %d places, under several headers or keys", len(v.parts))}
	for _, p := range v.parts[:min(len(v.parts), mostMatches)] {
		m := Match{Range: Range{t.base + p.shown.From, t.base + p.shown.To}}
		if from, to := p.leaf.span(); from < to && p.shown == (Range{from, to}) {
			m.Alone = atKind.name + "=" + p.leaf.path()
		} else {
			m.Alone = d.LinesName(m.Range)
		}
		e.Matches = append(e.Matches, m)
	}
	return e
}

// path returns the RFC 6901 pointer of a value.
func (v *tomlValue) path() string {
	var tokens []string
	for ; v.parent != nil; v = v.parent {
		token := strconv.Itoa(v.index)
		if v.parent.form == objectForm {
			token = escapeToken(v.parent.keys[v.index])
		}
		tokens = append(tokens, token)
	}
	var text []byte
	for i := len(tokens) - 1; i >= 0; i-- {
		text = append(append(text, '/'), tokens[i]...)
	}
	return string(text)
}

// proven parses the bytes of a value alone, a table's as a document, and
// compares what they mean with the value.
func (doc *tomlDoc) proven(v *tomlValue) bool {
	from, to := v.span()
	alone := bytes.Clone(doc.src[from:to])
	if v.static {
		alone = append([]byte("v = "), alone...)
	}
	got, err := readTOML(alone)
	if err != nil || got.invalid != nil {
		return false
	}
	if !v.static {
		return sameTOML(v, got.root)
	}
	return len(got.root.values) == 1 && sameTOML(v, got.root.values[0])
}

// sameTOML reports whether two values mean the same.
func sameTOML(a, b *tomlValue) bool {
	if a.form != b.form || a.kind != b.kind || a.data != b.data || len(a.values) != len(b.values) {
		return false
	}
	for i := range a.values {
		if a.form == objectForm && a.keys[i] != b.keys[i] {
			return false
		}
		if !sameTOML(a.values[i], b.values[i]) {
			return false
		}
	}
	return true
}
