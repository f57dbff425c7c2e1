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
	b := treeBuilder{nodes: make([]dataNode, 0, min(jsonBound(text), dataNodes))}
	if err := jsonNodes(format, text, &b); err != nil {
		return nil, err
	}
	nodes := b.nodes
	t := &dataTree{src: src, nodes: nodes, roots: []int{0}}
	t.key = func(i int) (string, bool) { return jsonString(text[nodes[i].from:nodes[i].to]) }
	t.proof = func(i int) *Error {
		n := nodes[i]
		c := treeChecker{nodes: nodes[i : i+int(n.size)], base: int(n.from)}
		if err := jsonNodes(format, plain(src[n.from:n.to]), &c); err != nil || c.next != int(n.size) {
			return t.unproven(i, format)
		}
		return nil
	}
	return t, nil
}

// jsonBound returns how many nodes a text has at most.
func jsonBound(text []byte) int {
	n := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringLen(text[i:]) - 1
		case ',', ':', '[', '{':
			n++
		}
	}
	return n
}

// jsonNodes gives the nodes of one JSON text to a sink. Repeated keys are let
// through: whoever walks a path finds them. So are escapes of lone surrogates, which
// RFC 8259 allows; the text is known to be UTF-8.
func jsonNodes(format string, text []byte, to treeSink) *Error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for first := true; first || to.depth() > 0; first = false {
		if err := jsonToken(dec, to); err != nil {
			return jsonFault(format, err, dec.InputOffset())
		}
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return badData(format, "goes on after its value", int(dec.InputOffset()))
	}
	return nil
}

// jsonToken reads one token. Its error is the decoder's, or an *Error where a
// limit is reached.
func jsonToken(dec *jsontext.Decoder, to treeSink) error {
	switch k := dec.PeekKind(); k {
	case '{', '[':
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		form := objectForm
		if k == '[' {
			form = arrayForm
		}
		return to.add(int(dec.InputOffset())-1, 0, form)
	case '}', ']':
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		return to.close(int(dec.InputOffset()))
	}
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	end := int(dec.InputOffset())
	return to.add(end-len(v), end, scalarForm)
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
