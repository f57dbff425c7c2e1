package envelope

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority"
)

// parser reads one JSON document into nodes. What encoding/json would have to
// guess at is a finding: keys that stand twice, bytes that are no UTF-8, halves
// of surrogate pairs, anything behind the document.
type parser struct {
	*document
	d        *jsontext.Decoder
	from, to int // the bytes of the file that it reads
	unclean  []uncleanText
}

// uncleanText is a string whose finding waits for its place in the finished tree.
type uncleanText struct {
	node          *node
	at            int
	code, message string
}

// parse reads the bytes from..to of the file as one JSON document and hands its
// root to place, which puts it where it belongs; nothing is handed over when they
// are none. where is the JSON Pointer of the findings about the whole.
func (doc *document) parse(from, to int, where string, place func(*node)) {
	d := jsontext.NewDecoder(bytes.NewBuffer(doc.data[from:to:to]),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	p := &parser{document: doc, d: d, from: from, to: to}
	root, err := p.value()
	if err != nil {
		p.broken(err, where)
		return
	}
	place(root)
	for _, bad := range p.unclean {
		doc.add(bad.code, bad.at, bad.node.path(), bad.message)
	}
	if _, err := p.d.ReadToken(); !errors.Is(err, io.EOF) {
		doc.add(TrailingData, p.next(), where, "something follows the JSON document")
	}
}

// read reads the file as one JSON document. The root stays nil, and a finding says
// why, where it is none.
func (doc *document) read() {
	doc.parse(0, len(doc.data), "", func(n *node) { doc.root = n })
}

// here returns the offset in the file up to which was read.
func (p *parser) here() int { return p.from + int(p.d.InputOffset()) }

// next returns the offset of the next token, behind white space and separators.
func (p *parser) next() int {
	return p.to - len(bytes.TrimLeft(p.data[p.here():p.to], " \t\r\n,:"))
}

func (p *parser) broken(err error, where string) {
	at, message := p.here(), "the text is no strict JSON"
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = p.from + int(e.ByteOffset)
	}
	switch {
	case len(bytes.TrimSpace(p.data[p.from:p.to])) == 0:
		at, message = p.from, "the file is empty"
	case bytes.HasPrefix(p.data[p.from:p.to], []byte("\ufeff")):
		message = "a byte order mark stands before the JSON document"
	case bytes.IndexByte(p.data[p.from:min(p.to, p.from+4)], 0) >= 0:
		message = "the bytes are no UTF-8: UTF-16 or UTF-32, as it seems"
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		at, message = p.to, "the JSON document is cut off"
	case p.d.StackDepth() >= maxDepth:
		message = "arrays and objects stand in each other more than 10000 deep"
	}
	p.add(MalformedJSON, at, where, message)
}

// maxDepth is how deep the decoder reads.
const maxDepth = 10000

// value reads the next value.
func (p *parser) value() (*node, error) {
	n := &node{from: p.next(), kind: byte(p.d.PeekKind())}
	switch n.kind {
	case '{':
		return n, p.object(n)
	case '[':
		return n, p.array(n)
	case '"':
		return n, p.string(n)
	}
	token, err := p.d.ReadToken()
	if err != nil {
		return nil, err
	}
	n.to = p.here()
	if n.kind == '0' {
		n.text = token.String()
	}
	return n, nil
}

func (p *parser) string(n *node) error {
	raw, err := p.d.ReadValue()
	if err != nil {
		return err
	}
	n.to = n.from + len(raw)
	n.text = p.decode(n, n.from, raw)
	return nil
}

// decode returns the text of a string and notes what is wrong with its bytes.
func (p *parser) decode(n *node, at int, raw []byte) string {
	text, err := jsontext.AppendUnquote(nil, raw)
	switch {
	case err == nil:
	case !utf8.Valid(raw):
		p.unclean = append(p.unclean, uncleanText{n, at + invalidAt(raw), InvalidUTF8, "bytes of the string are no UTF-8"})
	default:
		p.unclean = append(p.unclean, uncleanText{n, at, LoneSurrogate, "an escape of the string is half of a surrogate pair"})
	}
	return string(text)
}

// invalidAt returns the first byte that begins no UTF-8 character.
func invalidAt(raw []byte) int {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(raw)
}

func (p *parser) array(n *node) error {
	if _, err := p.d.ReadToken(); err != nil {
		return err
	}
	for p.d.PeekKind() != ']' {
		item, err := p.value()
		if err != nil {
			return err
		}
		item.up, item.index = n, len(n.items)
		n.items = append(n.items, item)
	}
	_, err := p.d.ReadToken()
	n.to = p.here()
	return err
}

func (p *parser) object(n *node) error {
	if _, err := p.d.ReadToken(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.d.PeekKind() != '}' {
		at := p.next()
		raw, err := p.d.ReadValue()
		if err != nil {
			return err
		}
		raw = bytes.Clone(raw)
		value, err := p.value()
		if err != nil {
			return err
		}
		value.up, value.key = n, p.decode(value, at, raw)
		n.members = append(n.members, member{at, value})
		if seen[value.key] {
			p.unclean = append(p.unclean, uncleanText{value, at, DuplicateKey, "the key " + authority.Quote(value.key) + " stands twice"})
		}
		seen[value.key] = true
	}
	_, err := p.d.ReadToken()
	n.to = p.here()
	return err
}

// document is a file that is checked.
type document struct {
	data     []byte
	root     *node // nil when it is no JSON document
	lines    []int // byte at which each line begins
	findings []Finding
}

func newDocument(data []byte) *document {
	doc := &document{data: data, lines: []int{0}}
	for i, c := range data {
		if c == '\n' {
			doc.lines = append(doc.lines, i+1)
		}
	}
	return doc
}

// place returns line and column, from 1 and in bytes, of a byte of the file.
func (doc *document) place(at int) (line, column int) {
	at = min(at, len(doc.data))
	line = lastAtMost(doc.lines, at)
	return line + 1, at - doc.lines[line] + 1
}

// lastAtMost returns the index of the last of sorted numbers, the first of which is
// 0, that is not greater than at.
func lastAtMost(sorted []int, at int) int {
	i, _ := slices.BinarySearch(sorted, at+1)
	return i - 1
}

// eachLine yields the bytes from..to of every line with its terminator.
func (doc *document) eachLine(yield func(from, to int) bool) {
	for i, from := range doc.lines {
		to := len(doc.data)
		if i+1 < len(doc.lines) {
			to = doc.lines[i+1]
		}
		if !yield(from, to) {
			return
		}
	}
}

// add notes a finding at a byte of the file.
func (doc *document) add(code string, at int, pointer, message string) {
	line, column := doc.place(at)
	doc.findings = append(doc.findings, Finding{
		Pointer: strings.ToValidUTF8(pointer, "\ufffd"), Code: code, Message: message,
		Line: line, Column: column, Advice: isAdvice(code),
	})
}

// addAt notes a finding about a value.
func (doc *document) addAt(n *node, code, message string) { doc.add(code, n.from, n.path(), message) }
