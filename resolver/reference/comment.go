package reference

import (
	"bytes"
	"strings"
)

// comments says where comments stand in a language.
type comments struct {
	line   []string    // begin a comment that ends with the line
	block  [][2]string // begin and end a comment
	quotes string      // begin a string that ends with the same byte, in its line
	long   [][2]string // begin and end a string that may go over lines; longer marks first
	// docs: a string of long that begins a statement is a docstring, a comment.
	docs bool
	// spaced: a line comment begins only behind white space or punctuation that
	// separates words, as in a shell.
	spaced bool
	regexp bool // a slash may begin a regular expression
	nested bool // block comments nest
	values bool // strings are values, read like comments (TOML)
}

// read reads comments, and docstrings, as running text. Strings and code
// hold pointers only. Comments on lines that follow one another are a scope.
func (c comments) read(f *finder) {
	r := commentReader{finder: f, comments: c, first: firstBytes(c)}
	f.strict = c.values
	for r.at < len(f.data) {
		r.next()
	}
}

// firstBytes marks the bytes with which a comment or string may begin.
func firstBytes(c comments) (first [256]bool) {
	mark := func(text string) { first[text[0]] = true }
	for _, m := range c.line {
		mark(m)
	}
	for _, pairs := range [][][2]string{c.block, c.long} {
		for _, m := range pairs {
			mark(m[0])
		}
	}
	for _, q := range []byte(c.quotes) {
		first[q] = true
	}
	first['/'] = first['/'] || c.regexp
	return first
}

// commentReader walks over source code.
type commentReader struct {
	*finder
	comments
	first [256]bool
	at    int
	last  int // where the last comment ended
	// plain tells of each byte that may begin a string or regular expression up
	// to where it begins none, because the last one was not closed in its line.
	plain   [256]int
	lineEnd int // of the line in which the current byte stood when it was asked for last
}

// next passes what begins at the current byte.
func (r *commentReader) next() {
	data := r.data
	for r.at < len(data) && !r.first[data[r.at]] {
		r.at++
	}
	if r.at == len(data) {
		return
	}
	rest := data[r.at:]
	for _, m := range r.block {
		if bytes.HasPrefix(rest, []byte(m[0])) {
			r.comment(r.blockEnd(m))
			return
		}
	}
	for _, m := range r.line {
		if bytes.HasPrefix(rest, []byte(m)) && r.mayBegin() {
			r.comment(r.at + lineLength(rest))
			return
		}
	}
	for _, m := range r.long {
		if bytes.HasPrefix(rest, []byte(m[0])) {
			r.longString(m)
			return
		}
	}
	switch c := rest[0]; {
	case r.at < r.plain[c]:
		r.at++
	case strings.IndexByte(r.quotes, c) >= 0:
		r.quoted(c)
	case c == '/' && r.regexp && r.beginsRegexp():
		r.regularExpression(rest)
	default:
		r.at++
	}
}

// mayBegin reports whether a line comment may begin at the current byte.
func (r *commentReader) mayBegin() bool {
	if !r.spaced || r.at == 0 {
		return true
	}
	return strings.IndexByte(" \t\r\n;()", r.data[r.at-1]) >= 0
}

func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// blockEnd returns where the block comment that begins at the current byte ends.
func (r *commentReader) blockEnd(m [2]string) int {
	depth := 0
	for i := r.at; i < len(r.data); {
		rest := r.data[i:]
		switch {
		case bytes.HasPrefix(rest, []byte(m[0])) && (depth == 0 || r.nested):
			depth++
			i += len(m[0])
		case bytes.HasPrefix(rest, []byte(m[1])):
			i += len(m[1])
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(r.data)
}

// comment reads the comment from the current byte to end.
func (r *commentReader) comment(to int) {
	from := r.at
	between := r.data[r.last:from]
	if r.last == 0 || len(bytes.TrimSpace(between)) > 0 || bytes.Count(between, []byte{'\n'}) > 1 {
		r.enter(nil, from, len(r.data))
	}
	eachLine(r.data, from, to, func(from, to int) {
		if len(bytes.Trim(r.data[from:to], " \t*/#")) == 0 {
			r.enter(nil, from, len(r.data))
		}
		r.scan(from, to)
	})
	r.at, r.last = to, to
}
