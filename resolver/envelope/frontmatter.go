package envelope

import (
	"bytes"
	"errors"

	"ctxptr/authority"
	"ctxptr/authority/selector/yaml"
)

// frontMatterLimits bound front matter, which holds a few plain values.
var frontMatterLimits = yaml.Limits{Nodes: 1 << 16, Depth: 64}

const frontMatterMark = "---\n"

// cutFrontMatter returns where the YAML between the first line --- and the next
// stands, and where what follows begins. It reports false, and a finding, when
// the file has no such front matter.
func (c *check) cutFrontMatter() (from, to, rest int, ok bool) {
	if !bytes.HasPrefix(c.data, []byte(frontMatterMark)) {
		c.add(MalformedReport, 0, "/front_matter", "the first line is not ---, which opens the front matter")
		return 0, 0, 0, false
	}
	from = len(frontMatterMark)
	// One byte back: an empty front matter closes with the line right behind.
	end := bytes.Index(c.data[from-1:], []byte("\n"+frontMatterMark))
	if end < 0 {
		c.add(MalformedReport, 0, "/front_matter", "no later line --- closes the front matter")
		return 0, 0, 0, false
	}
	return from, from + end, from + end + len(frontMatterMark), true
}

// readFrontMatter reads YAML of one mapping as the member front_matter of root.
// What is no such mapping is a finding, as are repeated keys.
func (c *check) readFrontMatter(root *node, from, to int) {
	const pointer = "/front_matter"
	file, err := yaml.Parse(c.data[from:to], frontMatterLimits)
	if e, ok := errors.AsType[*yaml.Error](err); ok {
		c.add(MalformedReport, from+e.Offset, pointer, "the YAML "+e.What)
		return
	}
	if len(file.Roots) != 1 || file.Nodes[file.Roots[0]].Kind != yaml.Mapping {
		c.add(MalformedReport, from, pointer, "it is not one YAML mapping")
		return
	}
	r := yamlReader{c, file, from}
	n := r.open(file.Roots[0])
	root.adopt("front_matter", from, n)
	r.fill(n, file.Roots[0])
}

// yamlReader turns nodes of YAML into those of a document.
type yamlReader struct {
	check *check
	file  *yaml.File
	base  int
}

// open makes a node without what it holds.
func (r yamlReader) open(i int) *node {
	y := r.file.Nodes[i]
	n := &node{kind: '"', from: r.base + int(y.From), to: r.base + int(y.To)}
	switch {
	case y.Kind == yaml.Mapping:
		n.kind = '{'
	case y.Kind == yaml.Sequence:
		n.kind = '['
	default:
		if n.text = y.Value; y.Kind == yaml.Scalar && y.Style == yaml.Plain {
			n.kind = plainKind(y.Value)
		}
	}
	return n
}

// fill reads what a node holds, once it stands in its place.
func (r yamlReader) fill(n *node, i int) {
	y := r.file.Nodes[i]
	if p := r.file.Props[y.Props]; p.Anchor != "" || p.Tag != "" || y.Kind == yaml.Alias {
		r.check.addAt(n, MalformedReport, "a plain value has neither anchor, alias nor tag")
	}
	end := i + int(y.Size)
	switch y.Kind {
	case yaml.Mapping:
		r.members(n, i+1, end)
	case yaml.Sequence:
		for k := i + 1; k < end; k += int(r.file.Nodes[k].Size) {
			item := r.open(k)
			item.up, item.index = n, len(n.items)
			n.items = append(n.items, item)
			r.fill(item, k)
		}
	}
}

// members reads keys and values in turn.
func (r yamlReader) members(n *node, k, end int) {
	seen := map[string]bool{}
	for k < end {
		key := r.file.Nodes[k]
		at := r.base + int(key.From)
		k += int(key.Size)
		value := r.open(k)
		n.adopt(key.Value, at, value)
		if key.Kind != yaml.Scalar {
			r.check.add(MalformedReport, at, value.path(), "a key is a plain value")
		}
		if seen[key.Value] {
			r.check.add(DuplicateKey, at, value.path(), "the key "+authority.Quote(key.Value)+" stands twice")
		}
		seen[key.Value] = true
		r.fill(value, k)
		k += int(r.file.Nodes[k].Size)
	}
}

// notText are the plain scalars that the core schema of YAML 1.2 makes something
// else than strings of.
var notText = [...]struct {
	kind    byte
	pattern pattern
}{
	{'n', pattern{text: `^(|~|null|Null|NULL)$`}},
	{'t', pattern{text: `^(true|True|TRUE|false|False|FALSE)$`}},
	{'0', pattern{text: `^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`}},
	{'0', pattern{text: `^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`}},
	{'0', pattern{text: `^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`}},
}

// plainKind is the type of a scalar without quotation marks.
func plainKind(text string) byte {
	for i := range notText {
		if t := &notText[i]; t.pattern.get().MatchString(text) {
			return t.kind
		}
	}
	return '"'
}
