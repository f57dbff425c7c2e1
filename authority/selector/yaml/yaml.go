// Package yaml parses YAML 1.2.2 into nodes with exact byte ranges. It follows
// the productions of the specification (https://yaml.org/spec/1.2.2/), in one
// pass and linear time, resolves no tags and follows no aliases.
//
// It departs from the specification in accepting a closing bracket of a flow
// collection at any indentation, as every common parser does.
package yaml

import "unicode/utf8"

// Kind is the kind of a node.
type Kind uint8

// The kinds.
const (
	Scalar Kind = iota
	Mapping
	Sequence
	Alias
)

// Style is how a scalar is written.
type Style uint8

// The styles. A node that is no scalar has the style Plain.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
)

// Node is one node of a document. Nodes stand in preorder: the first child of
// node i is i+1, its next sibling i+Size. The children of a mapping alternate
// key, value.
type Node struct {
	Value string // content of a scalar, name of an alias
	// From and To are the node's bytes: its properties and its content. An
	// empty node has From == To. A block scalar ends before its last line's
	// terminator; with "+" its trailing blank lines belong to it.
	From, To int32
	Size     int32 // nodes of the subtree, itself included
	Props    int32 // index in File.Props
	Kind     Kind
	Style    Style
}

// Props are the properties of a node.
type Props struct {
	Anchor string
	Tag    string // resolved with the document's handles, "!" for the non-specific tag
}

// File is a parsed stream of documents.
type File struct {
	Nodes []Node
	Props []Props // Props[0] has none
	Roots []int   // the root node of each document
}

// Limits bound what is parsed.
type Limits struct {
	Nodes int // nodes in a file
	Depth int // collections within each other
}

// Error says where and why a text is not YAML, or which limit it is over.
type Error struct {
	Offset int
	What   string // without content of the text
	Limit  bool
}

func (e *Error) Error() string { return e.What }

// Parse parses a stream. src is valid UTF-8 of less than 2 GiB. The error is an
// *Error.
func Parse(src []byte, limits Limits) (*File, error) {
	p := newParser(src, limits)
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// parse parses the stream and returns the *Error that a failure left it with.
func (p *parser) parse() (err error) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case *Error:
			err = failure
		default:
			panic(failure)
		}
	}()
	p.checkCharacters()
	p.stream()
	return nil
}

// parser reads a text once from front to back. A failure leaves it by a panic
// with an *Error, which parse recovers.
type parser struct {
	src    []byte
	limits Limits
	file   *File

	i      int  // offset of the next byte
	bol    int  // offset of the line's first byte
	end    int  // offset behind the last indicator or content read
	first  int  // offset of the first content on the last line that gap reached, if i is there
	indent int  // spaces before it
	tabbed bool // a tab stands in the white space that gap skipped last
	breaks int  // line breaks before the line of a scalar that was reached last

	steps   int               // bytes read and nodes moved, a measure of the work done
	open    []int             // collections not yet closed
	handles map[string]string // tag handles of the document
	anchors map[string]bool   // anchors of the document so far
}

func newParser(src []byte, limits Limits) *parser {
	return &parser{src: src, limits: limits, first: -1, file: &File{Props: make([]Props, 1)}}
}

func (p *parser) fail(offset int, what string) { panic(&Error{Offset: offset, What: what}) }

// checkCharacters refuses what c-printable [1] excludes.
func (p *parser) checkCharacters() {
	for i := 0; i < len(p.src); {
		c := p.src[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
				p.fail(i, "has a control character")
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(p.src[i:])
		if r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff || r == utf8.RuneError && size == 1 {
			p.fail(i, "has a character that is not printable")
		}
		i += size
	}
}

// at returns the byte n bytes ahead, 0 behind the end.
func (p *parser) at(n int) byte {
	if p.i+n < len(p.src) {
		return p.src[p.i+n]
	}
	return 0
}

func (p *parser) eof() bool { return p.i >= len(p.src) }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
func isWhite(c byte) bool { return c == ' ' || c == '\t' }

// isFlow reports whether c is an indicator of flow collections.
func isFlow(c byte) bool { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}' }

// spaceAt reports whether white space, a line break or the end stands n bytes
// ahead.
func (p *parser) spaceAt(n int) bool {
	return p.i+n >= len(p.src) || isWhite(p.src[p.i+n]) || isBreak(p.src[p.i+n])
}

// indicator reports whether c stands here as a block indicator, with space
// behind it.
func (p *parser) indicator(c byte) bool { return p.at(0) == c && !p.eof() && p.spaceAt(1) }

// lineBreak skips a line break, which must be here.
func (p *parser) lineBreak() {
	if p.src[p.i] == '\r' && p.at(1) == '\n' {
		p.i++
	}
	p.i++
	p.bol = p.i
}

// white skips white space on the line.
func (p *parser) white() {
	for isWhite(p.at(0)) {
		p.i++
		p.steps++
	}
}

// spaces skips spaces and returns how many there were.
func (p *parser) spaces() int {
	from := p.i
	for p.at(0) == ' ' {
		p.i++
	}
	p.steps += 1 + p.i - from
	return p.i - from
}

// comment skips a comment, if one stands here.
func (p *parser) comment() {
	if p.at(0) != '#' || p.i > p.bol && !isWhite(p.src[p.i-1]) {
		return
	}
	for !p.eof() && !isBreak(p.src[p.i]) {
		p.i++
		p.steps++
	}
}

// gap skips white space, comments and line breaks to the next content.
func (p *parser) gap() {
	for !p.fresh() {
		fresh := p.i == p.bol
		spaces := p.spaces()
		p.tabbed = p.at(0) == '\t'
		p.white()
		if fresh {
			p.indent, p.first = spaces, p.i
		}
		p.comment()
		if p.eof() || !isBreak(p.src[p.i]) {
			return
		}
		p.first = -1
		p.lineBreak()
	}
}

// fresh reports whether i is at the first content of a line.
func (p *parser) fresh() bool { return p.i == p.first }

// marker reports whether a document marker stands at the line's start, where i
// is.
func (p *parser) marker() bool {
	return p.i == p.bol && p.spaceAt(3) && (p.has("---") || p.has("..."))
}

func (p *parser) has(s string) bool {
	return len(p.src)-p.i >= len(s) && string(p.src[p.i:p.i+len(s)]) == s
}

// take consumes n bytes of indicators.
func (p *parser) take(n int) {
	p.i += n
	p.end = p.i
}
