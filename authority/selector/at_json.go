package selector

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	jsonName  = "JSON"
	jsoncName = "JSON with comments"
)

var (
	jsonFormat  = &dataFormat{jsonName, parseJSON}
	jsoncFormat = &dataFormat{jsoncName, parseJSONC}
)

// parseJSON parses one JSON text, strictly after RFC 8259.
func parseJSON(src []byte) (*dataTree, *Error) {
	return jsonTree(jsonName, src, func(b []byte) []byte { return b })
}

// parseJSONC parses a JSON text with comments and trailing commas.
func parseJSONC(src []byte) (*dataTree, *Error) { return jsonTree(jsoncName, src, blankJSONC) }

// jsonTree parses src after plain has turned it into RFC 8259 text of the same
// length, in which every value stands where it stood.
func jsonTree(format string, src []byte, plain func([]byte) []byte) (*dataTree, *Error) {
	text := plain(src)
	nodes, err := jsonNodes(format, text)
	if err != nil {
		return nil, err
	}
	t := &dataTree{src: src, nodes: nodes, roots: []int{0}}
	t.key = func(i int) (string, bool) { return jsonString(text[nodes[i].from:nodes[i].to]) }
	t.proof = func(i int) *Error {
		n := nodes[i]
		alone, err := jsonNodes(format, plain(src[n.from:n.to]))
		if err != nil || !sameShape(nodes[i:i+int(n.size)], alone) {
			return t.unproven(i, format)
		}
		return nil
	}
	return t, nil
}

// sameShape reports whether two subtrees have the same values at the same
// places, counted from the start of each. The bytes are the same, so the values
// are.
func sameShape(a, b []dataNode) bool {
	if len(a) != len(b) {
		return false
	}
	base := a[0].from
	for i := range a {
		moved := dataNode{from: a[i].from - base, to: a[i].to - base, size: a[i].size, form: a[i].form}
		if moved != b[i] {
			return false
		}
	}
	return true
}

// jsonNodes tokenises one JSON text. Repeated keys are let through: whoever
// walks a path finds them. So are escapes of lone surrogates, which RFC 8259
// allows; the text is known to be UTF-8.
func jsonNodes(format string, text []byte) ([]dataNode, *Error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var b treeBuilder
	for first := true; first || len(b.open) > 0; first = false {
		if err := jsonToken(dec, &b); err != nil {
			return nil, jsonFault(format, err, dec.InputOffset())
		}
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, badData(format, "goes on after its value", int(dec.InputOffset()))
	}
	return b.nodes, nil
}

// jsonToken reads one token. Its error is the decoder's, or an *Error where a
// limit is reached.
func jsonToken(dec *jsontext.Decoder, b *treeBuilder) error {
	switch k := dec.PeekKind(); k {
	case '{', '[':
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		form := objectForm
		if k == '[' {
			form = arrayForm
		}
		return b.add(int(dec.InputOffset())-1, 0, form)
	case '}', ']':
		_, err := dec.ReadToken()
		if err == nil {
			b.close(int(dec.InputOffset()))
		}
		return err
	}
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	end := int(dec.InputOffset())
	return b.add(end-len(v), end, scalarForm)
}

// jsonFault says where the text breaks, without a word of it.
func jsonFault(format string, err error, offset int64) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = e.ByteOffset
	}
	return badData(format, "breaks its grammar", int(offset))
}

// jsonString unquotes a string, false when it holds a lone surrogate, which no
// path can spell.
func jsonString(quoted []byte) (string, bool) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), true
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	return string(text), err == nil
}
