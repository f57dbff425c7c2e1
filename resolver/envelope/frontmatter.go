package envelope

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority/selector/yaml"
)

// frontMatterLimits bound front matter, which holds a few plain values.
var frontMatterLimits = yaml.Limits{Nodes: 1 << 16, Depth: 64}

const frontMatterMark = "---\n"

// cutFrontMatter returns where the YAML between the first line --- and the next
// begins, the YAML, and where what follows begins. It reports false, and a
// finding, when the document has no such front matter.
func (c *check) cutFrontMatter(document []byte) (yamlAt int, text []byte, rest int, ok bool) {
	if !bytes.HasPrefix(document, []byte(frontMatterMark)) {
		c.add("/front_matter", 0, CodeFrontMatter, "the first line is not ---, which opens the front matter")
		return 0, nil, 0, false
	}
	yamlAt = len(frontMatterMark)
	// One byte back: an empty front matter closes with the line right behind.
	end := bytes.Index(document[yamlAt-1:], []byte("\n"+frontMatterMark))
	if end < 0 {
		c.add("/front_matter", 0, CodeFrontMatter, "no later line --- closes the front matter")
		return 0, nil, 0, false
	}
	return yamlAt, document[yamlAt : yamlAt+end], yamlAt + end + len(frontMatterMark), true
}

// readFrontMatter reads YAML of one mapping, which begins base bytes into the
// document. What is no such mapping gives nil and a finding; repeated keys are
// findings.
func (c *check) readFrontMatter(base int, text []byte) *element {
	const pointer = "/front_matter"
	file, err := yaml.Parse(text, frontMatterLimits)
	if e, ok := errors.AsType[*yaml.Error](err); ok {
		c.add(pointer, base+e.Offset, CodeFrontMatter, "the YAML %s", e.What)
		return nil
	}
	if len(file.Roots) != 1 || file.Nodes[file.Roots[0]].Kind != yaml.Mapping {
		c.add(pointer, base, CodeFrontMatter, "it is not one YAML mapping")
		return nil
	}
	r := yamlReader{check: c, file: file, base: base}
	return r.value(file.Roots[0], pointer)
}

// yamlReader turns nodes of YAML into elements.
type yamlReader struct {
	check *check
	file  *yaml.File
	base  int
}

func (r yamlReader) value(i int, pointer string) *element {
	n := r.file.Nodes[i]
	e := &element{kind: '"', at: r.base + int(n.From), text: n.Value}
	if p := r.file.Props[n.Props]; p.Anchor != "" || p.Tag != "" || n.Kind == yaml.Alias {
		r.check.add(pointer, e.at, CodeFrontMatter, "a plain value has neither anchor, alias nor tag")
	}
	switch n.Kind {
	case yaml.Mapping:
		e.kind, e.text = '{', ""
		r.members(e, i, pointer)
	case yaml.Sequence:
		e.kind, e.text = '[', ""
		for k := i + 1; k < i+int(n.Size); k += int(r.file.Nodes[k].Size) {
			e.children = append(e.children, r.value(k, pointerTo(pointer, strconv.Itoa(len(e.children)))))
		}
	case yaml.Scalar:
		if n.Style == yaml.Plain {
			e.kind = plainKind(n.Value)
		}
	}
	return e
}

func (r yamlReader) members(e *element, i int, pointer string) {
	seen := map[string]bool{}
	for k := i + 1; k < i+int(r.file.Nodes[i].Size); {
		key := r.file.Nodes[k]
		at := r.base + int(key.From)
		child := pointerTo(pointer, key.Value)
		if key.Kind != yaml.Scalar {
			r.check.add(child, at, CodeFrontMatter, "a key is a plain value")
		}
		if seen[key.Value] {
			r.check.add(child, at, CodeDuplicateKey, "the key stands twice")
		}
		seen[key.Value] = true
		k += int(key.Size)
		v := r.value(k, child)
		v.key, v.keyAt = key.Value, at
		e.children = append(e.children, v)
		k += int(r.file.Nodes[k].Size)
	}
}

// notText are the plain scalars that the core schema of YAML 1.2 makes something
// else than strings of.
var notText = []struct {
	kind    jsontext.Kind
	pattern *regexp.Regexp
}{
	{'n', regexp.MustCompile(`^(|~|null|Null|NULL)$`)},
	{'t', regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)},
	{'0', regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)},
	{'0', regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)},
	{'0', regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)},
}

// plainKind is the type of a scalar without quotation marks.
func plainKind(text string) jsontext.Kind {
	for _, t := range notText {
		if t.pattern.MatchString(text) {
			return t.kind
		}
	}
	return '"'
}
