package envelope

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority"
)

// ParsePrimitives reads the primitives of an identity from one JSON object. A
// primitive is a string, ordinal a number, a set an array of strings, and files
// an array of objects with exactly path and sha256. The error is a
// *PrimitiveError.
func ParsePrimitives(recipe string, data []byte) (Primitives, error) {
	c := newCheck(data)
	e := readElement(c, "", 0, data)
	switch {
	case len(c.findings) > 0:
		f := c.findings[0]
		return Primitives{}, &PrimitiveError{"the JSON object", f.Message + " (line " + strconv.Itoa(f.Line) + ", column " + strconv.Itoa(f.Column) + ")"}
	case e.kind != '{':
		return Primitives{}, &PrimitiveError{"the JSON object", "it is another value"}
	}
	p := Primitives{Values: map[string][]string{}}
	for _, member := range e.children {
		if err := p.read(recipe, member); err != nil {
			return Primitives{}, err
		}
	}
	return p, nil
}

// read takes one member of the object.
func (p *Primitives) read(recipe string, member *element) error {
	known, ok := lookupPrimitive(member.key)
	switch {
	case !ok || !slices.Contains(ParamNames(recipe), known.name):
		return &PrimitiveError{authority.Quote(member.key), recipe + " has no use for it"}
	case known.name == "files":
		return p.readFiles(member)
	case !known.many:
		want := jsontext.Kind('"')
		if known.name == "ordinal" {
			want = '0'
		}
		if member.kind != want {
			return &PrimitiveError{known.name, "it has another JSON type"}
		}
		p.Values[known.name] = []string{member.text}
		return nil
	case member.kind != '[':
		return &PrimitiveError{known.name, "it is no array"}
	}
	values := []string{}
	for _, item := range member.children {
		text, ok := item.str()
		if !ok {
			return &PrimitiveError{known.name, "not every member is a string"}
		}
		values = append(values, text)
	}
	p.Values[known.name] = values
	return nil
}

func (p *Primitives) readFiles(member *element) error {
	if member.kind != '[' || len(member.children) == 0 {
		return &PrimitiveError{"files", "it is no array of files"}
	}
	for _, item := range member.children {
		path, ok1 := item.get("path").str()
		digest, ok2 := item.get("sha256").str()
		id, err := authority.ParseIdentity("sha256:" + digest)
		if !ok1 || !ok2 || err != nil || len(item.children) != 2 {
			return &PrimitiveError{"files", "a file is an object of path and sha256, 64 lower-case hexadecimal digits"}
		}
		p.Files = append(p.Files, authority.ReviewFile{Path: path, Content: id})
	}
	return nil
}
