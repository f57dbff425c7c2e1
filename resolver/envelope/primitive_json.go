package envelope

import (
	"fmt"
	"slices"

	"ctxptr/authority"
)

// ParsePrimitives reads the primitives of an identity from one JSON object. A
// primitive is a string, ordinal a number, a set an array of strings, and files
// an array of objects with exactly path and sha256. The error is a
// *PrimitiveError.
func ParsePrimitives(recipe string, data []byte) (Primitives, error) {
	doc := newDocument(data)
	doc.read()
	switch {
	case len(doc.findings) > 0:
		f := doc.findings[0]
		return Primitives{}, &PrimitiveError{"the JSON object", fmt.Sprintf("%s (line %d, column %d)", f.Message, f.Line, f.Column)}
	case doc.root.kind != '{':
		return Primitives{}, &PrimitiveError{"the JSON object", article(doc.root.typeName()) + " stands in its place"}
	}
	p := Primitives{Values: map[string][]string{}}
	for _, m := range doc.root.members {
		if err := p.read(recipe, m.value); err != nil {
			return Primitives{}, err
		}
	}
	return p, nil
}

// read takes one member of the object.
func (p *Primitives) read(recipe string, n *node) error {
	known, ok := lookupPrimitive(n.key)
	want := byte('"')
	switch {
	case !ok || !slices.Contains(ParamNames(recipe), known.name):
		return &PrimitiveError{authority.Quote(n.key), recipe + " has no use for it"}
	case known.many:
		want = '['
	case known.name == "ordinal":
		want = '0'
	}
	if n.kind != want {
		return &PrimitiveError{known.name, article(n.typeName()) + " stands in its place"}
	}
	switch {
	case known.name == "files":
		return p.readFiles(n)
	case !known.many:
		p.Values[known.name] = []string{n.text}
		return nil
	}
	values := []string{}
	for _, item := range n.items {
		if item.kind != '"' {
			return &PrimitiveError{known.name, "not every member is a string"}
		}
		values = append(values, item.text)
	}
	p.Values[known.name] = values
	return nil
}

func (p *Primitives) readFiles(n *node) error {
	for _, item := range n.items {
		path, digest := item.get("path"), item.get("sha256")
		id, err := authority.ParseIdentity("sha256:" + digest.str())
		if path == nil || path.kind != '"' || err != nil || len(item.members) != 2 {
			return &PrimitiveError{"files", "a file is an object of path and sha256, 64 lower-case hexadecimal digits"}
		}
		p.Files = append(p.Files, authority.ReviewFile{Path: path.text, Content: id})
	}
	if len(p.Files) == 0 {
		return &PrimitiveError{"files", "the list is empty"}
	}
	return nil
}
