package selector

import (
	"bytes"
	"errors"

	"ctxptr/authority/selector/yaml"
)

const yamlName = "YAML"

var yamlFormat = &dataFormat{yamlName, parseYAML}

// yamlLimits bound a file to 24 MiB of nodes.
var yamlLimits = yaml.Limits{Nodes: 1 << 19, Depth: dataDepth}

// parseYAML parses every document of a YAML stream.
func parseYAML(src []byte) (*dataTree, *Error) {
	file, err := yaml.Parse(src, yamlLimits)
	if e, ok := errors.AsType[*yaml.Error](err); ok {
		return nil, yamlFault(e)
	}
	y := yamlTree{src: src, file: file}
	t := &dataTree{src: src, nodes: y.nodes(), roots: file.Roots, key: y.key}
	t.note = y.note
	t.proof = func(i int) *Error {
		if !y.proven(i) {
			return t.unproven(i, yamlName)
		}
		return nil
	}
	return t, nil
}

func yamlFault(e *yaml.Error) *Error {
	if e.Limit {
		return &Error{Fault: OverLimit, Proof: "the YAML text " + e.What}
	}
	return badData(yamlName, e.What, e.Offset)
}

// yamlTree is a parsed YAML stream.
type yamlTree struct {
	src  []byte
	file *yaml.File
}

func (y yamlTree) nodes() []dataNode {
	nodes := make([]dataNode, len(y.file.Nodes))
	forms := [...]form{yaml.Scalar: scalarForm, yaml.Mapping: objectForm, yaml.Sequence: arrayForm, yaml.Alias: aliasForm}
	for i, n := range y.file.Nodes {
		nodes[i] = dataNode{from: n.From, to: n.To, size: n.Size, form: forms[n.Kind]}
	}
	return nodes
}

// key returns the content of a key that is a scalar, whatever its tag.
func (y yamlTree) key(i int) (string, bool) {
	n := y.file.Nodes[i]
	return n.Value, n.Kind == yaml.Scalar
}

// note says that mapping i has a merge key, which may bring further keys.
func (y yamlTree) note(i int) string {
	end := i + int(y.file.Nodes[i].Size)
	for k := i + 1; k < end; {
		if y.mergeKey(y.file.Nodes[k]) {
			return "; it has a merge key, and merge keys are not followed"
		}
		k += int(y.file.Nodes[k].Size)
		k += int(y.file.Nodes[k].Size)
	}
	return ""
}

func (y yamlTree) mergeKey(n yaml.Node) bool {
	tag := y.file.Props[n.Props].Tag
	return n.Kind == yaml.Scalar && n.Value == "<<" &&
		(tag == "tag:yaml.org,2002:merge" || tag == "" && n.Style == yaml.Plain)
}

// proven decodes the bytes of node i alone and compares what they mean with
// the node. So that indentation and chomping mean the same, spaces stand for
// what is left of the node on its first line, and its terminator stays.
func (y yamlTree) proven(i int) bool {
	n := y.file.Nodes[i]
	from, to := int(n.From), int(n.To)
	column := y.column(from, to)
	alone := bytes.Repeat([]byte{' '}, column)
	alone = append(alone, y.src[from:to]...)
	alone = append(alone, lineBreakAt(y.src[to:])...)
	file, err := yaml.Parse(alone, yamlLimits)
	if err != nil || len(file.Roots) != 1 || file.Roots[0] != 0 || len(file.Nodes) != int(n.Size) {
		return false
	}
	for k, got := range file.Nodes {
		if !y.same(i+k, got, file.Props[got.Props], from-column) {
			return false
		}
	}
	return true
}

// column is how many bytes stand on the line before a node. Of one that ends on its
// first line only whether it begins the line matters, and every value of a long
// line asks.
func (y yamlTree) column(from, to int) int {
	before := y.src[:from]
	if !bytes.ContainsAny(y.src[from:to], "\r\n") {
		before = before[max(0, from-1):]
	}
	return len(before) - 1 - bytes.LastIndexAny(before, "\r\n")
}

// same reports whether node k is got, shifted by n bytes.
func (y yamlTree) same(k int, got yaml.Node, props yaml.Props, shift int) bool {
	want := y.file.Nodes[k]
	if y.file.Props[want.Props] != props {
		return false
	}
	got.Props = want.Props
	got.From += int32(shift)
	got.To += int32(shift)
	return got == want
}

// lineBreakAt returns the line break that text begins with, if any.
func lineBreakAt(text []byte) []byte {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return text[:2]
	case bytes.HasPrefix(text, []byte("\n")), bytes.HasPrefix(text, []byte("\r")):
		return text[:1]
	}
	return nil
}
