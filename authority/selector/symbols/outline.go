// Package symbols is what ctxptr and its companion ctxptr-symbols share: the
// outline of a source file, the frames in which it travels, and which file is
// written in which language. It parses no source code itself.
package symbols

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Span is a half-open byte range [From, To) of a source file.
type Span struct{ From, To int }

// Def is one definition of a source file.
type Def struct {
	// Parent is the index of the enclosing definition, always a smaller one
	// than this definition's own, or -1 at the file's root.
	Parent int
	// Names has the names from Parent down to this definition, mostly one:
	// "namespace a::b" is one definition with two.
	Names []string
	// Kind is what the language calls it: function, method, class, field, …
	Kind string
	// Params has the parameter types, comma-separated, without white space,
	// where the language knows overloading and Overloads is set.
	Params    string
	Overloads bool
	// Span goes from the first decorator, attribute or modifier to the last
	// token.
	Span
	// Doc is where the comment block directly above begins, or From.
	Doc int
	// Broken is the offset of the syntax error that makes the way to this
	// definition or its extent unprovable, or -1.
	Broken int
}

// Outline has every definition of a source file, in document order, and the
// places that the parser could not make sense of.
type Outline struct {
	Defs   []Def
	Errors []Span
}

// FirstError returns where the first place begins that the parser could not
// make sense of, or -1.
func (o *Outline) FirstError() int {
	first := -1
	for _, e := range o.Errors {
		if first < 0 || e.From < first {
			first = e.From
		}
	}
	return first
}

// DocStart returns where the block of comments directly above from begins, or
// from when there is none. The comments are in document order. A block is made
// of comments that are the first thing on their line, without an empty line
// between them or below them.
func DocStart(source []byte, comments []Span, from int) int {
	start := from
	for i := sort.Search(len(comments), func(i int) bool { return comments[i].From >= from }) - 1; i >= 0; i-- {
		c := comments[i]
		if !adjoin(source[min(c.To, start):start]) || !firstOnLine(source, c.From) || isShebang(source, c.From) {
			break
		}
		start = c.From
	}
	return start
}

// adjoin reports whether only white space with at most one line end is between.
func adjoin(between []byte) bool {
	lines := 0
	for _, b := range between {
		switch b {
		case ' ', '\t', '\r', '\f':
		case '\n':
			lines++
		default:
			return false
		}
	}
	return lines <= 1
}

func firstOnLine(source []byte, at int) bool {
	for at--; at >= 0 && source[at] != '\n'; at-- {
		if source[at] != ' ' && source[at] != '\t' {
			return false
		}
	}
	return true
}

func isShebang(source []byte, at int) bool {
	return at == 0 && len(source) > 1 && source[0] == '#' && source[1] == '!'
}

// NotText returns the offset of the first byte that no source code has, NUL or
// invalid UTF-8, or -1.
func NotText(source []byte) int {
	nul := bytes.IndexByte(source, 0)
	if utf8.Valid(source) {
		return nul
	}
	for at := 0; at < len(source) && at != nul; {
		r, size := utf8.DecodeRune(source[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return nul
}
