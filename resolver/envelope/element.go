package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// element is one value of a JSON text with the place where it stands.
type element struct {
	kind     jsontext.Kind // { [ " 0 t f n
	key      string        // its name in an object
	at       int           // offset of the value's first byte in the document
	keyAt    int           // offset of its name, when it has one
	text     string        // of a string: decoded; of a number: as written
	children []*element    // of an object, in order and with repeated names; of an array
}

// elementReader reads one strict JSON text that stands somewhere in a document.
type elementReader struct {
	decoder *jsontext.Decoder
	text    []byte
	base    int // where the text begins in the document
	report  *check
	pointer string
}

// readElement reads the one JSON value of text, which begins base bytes into the
// document of c and is named by pointer there. What is no strict JSON (RFC 8259,
// UTF-8, no lone surrogates, nothing behind it) gives nil and one finding;
// repeated names are findings, and the value is read all the same.
func readElement(c *check, pointer string, base int, text []byte) *element {
	r := &elementReader{
		decoder: jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)),
		text:    text, base: base, report: c, pointer: pointer,
	}
	e, err := r.value(pointer)
	if err == nil {
		if _, err = r.decoder.ReadToken(); errors.Is(err, io.EOF) {
			return e
		}
		if err == nil {
			c.add(pointer, base+int(r.decoder.InputOffset()), CodeSyntax, "something follows the JSON value")
			return nil
		}
	}
	offset := r.decoder.InputOffset()
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = e.ByteOffset
	}
	what := "the text is no strict JSON"
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		what = "the JSON value is cut off"
	}
	c.add(pointer, base+min(int(offset), len(text)), CodeSyntax, "%s", what)
	return nil
}

// next returns the offset in the text of the next token.
func (r *elementReader) next() int {
	rest := r.text[r.decoder.InputOffset():]
	return len(r.text) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

func (r *elementReader) value(pointer string) (*element, error) {
	e := &element{at: r.base + r.next()}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch e.kind = token.Kind(); e.kind {
	case '{':
		return e, r.object(e, pointer)
	case '[':
		return e, r.array(e, pointer)
	case '"', '0':
		e.text = strings.Clone(token.String())
	}
	return e, nil
}

func (r *elementReader) object(e *element, pointer string) error {
	seen := map[string]bool{}
	for r.decoder.PeekKind() != '}' {
		at := r.base + r.next()
		token, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		name := strings.Clone(token.String())
		child := pointerTo(pointer, name)
		if seen[name] {
			r.report.add(child, at, CodeDuplicateKey, "the key stands twice")
		}
		seen[name] = true
		v, err := r.value(child)
		if err != nil {
			return err
		}
		v.key, v.keyAt = name, at
		e.children = append(e.children, v)
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *elementReader) array(e *element, pointer string) error {
	for r.decoder.PeekKind() != ']' {
		v, err := r.value(pointerTo(pointer, strconv.Itoa(len(e.children))))
		if err != nil {
			return err
		}
		e.children = append(e.children, v)
	}
	_, err := r.decoder.ReadToken()
	return err
}

// pointerTo returns the JSON Pointer of a member or an element.
func pointerTo(pointer, name string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// get returns the member of that name, the last one where it is repeated; nil
// when there is none, or e is no object.
func (e *element) get(name string) *element {
	if e == nil || e.kind != '{' {
		return nil
	}
	for i := len(e.children) - 1; i >= 0; i-- {
		if e.children[i].key == name {
			return e.children[i]
		}
	}
	return nil
}

// named returns the members of an object that have one of the names.
func (e *element) named(names []string) []*element {
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[name] = true
	}
	var members []*element
	for _, c := range e.children {
		if wanted[c.key] {
			members = append(members, c)
		}
	}
	return members
}

// find returns the value at a path of names and indices, nil when there is none.
func (e *element) find(path []string) *element {
	for _, name := range path {
		switch i, err := strconv.Atoi(name); {
		case e == nil:
			return nil
		case e.kind != '[':
			e = e.get(name)
		case err != nil || i >= len(e.children):
			return nil
		default:
			e = e.children[i]
		}
	}
	return e
}

// str returns the text of a string, "" and false for anything else.
func (e *element) str() (string, bool) {
	if e == nil || e.kind != '"' {
		return "", false
	}
	return e.text, true
}

// plain returns the value as package encoding/json decodes it, numbers as
// json.Number's text, for what checks it against a schema.
func (e *element) plain() any {
	switch e.kind {
	case '{':
		m := make(map[string]any, len(e.children))
		for _, c := range e.children {
			m[c.key] = c.plain()
		}
		return m
	case '[':
		list := make([]any, len(e.children))
		for i, c := range e.children {
			list[i] = c.plain()
		}
		return list
	case '"':
		return e.text
	case '0':
		return json.Number(e.text)
	case 't', 'f':
		return e.kind == 't'
	}
	return nil
}
