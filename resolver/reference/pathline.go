package reference

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pathLine reads path:12, path:12:5, path:12-34, path:L12-L34 around the colon
// at i, or a continuation of a path named before, and returns where it ends, 0
// for neither. A list goes on with commas, path:12,34-40: each further part is a
// continuation.
func (f *finder) pathLine(p *piece, i int) int {
	lines, end, ok := f.lineNumbers(i+1, p.to)
	if !ok || !f.endsNumber(end, p.to) {
		return 0
	}
	start := f.pathStart(p.floor, i)
	if start == i || start == i-1 && f.data[start] == '/' {
		return f.continuation(p, i, end, lines)
	}
	if end < p.to && f.data[end] == '_' && f.data[start] == '_' {
		start++ // emphasis
	}
	r, start, ok := f.pathReference(PathLine, start, i)
	if !ok {
		return 0
	}
	r.Target.Lines = lines
	if last, after, ok := f.splitRange(end, p.to); ok && lines[0] == lines[1] {
		r.Target.Lines[1], end = last, after
	}
	f.add(r, start, end)
	f.named(r, end)
	return f.furtherLines(p, r, end)
}

// splitRange reads the rest of a range whose ends stand in code spans of their
// own, `path:12`–`34`, up to and without the last backtick.
func (f *finder) splitRange(at, to int) (last, end int, ok bool) {
	if at >= to || f.data[at] != '`' {
		return 0, 0, false
	}
	dash := f.dash(at+1, to)
	if next := at + 1 + dash; dash > 0 && next < to && f.data[next] == '`' {
		last, end, ok = f.number(next+1, to)
		return last, end, ok && end < to && f.data[end] == '`'
	}
	return 0, 0, false
}

// pathReference reads data[from:to] as a path in running text that ends before a
// line number or fragment. At the beginning of a code span two segments do: bin/tool.
func (f *finder) pathReference(form Form, from, to int) (r Reference, start int, ok bool) {
	word := string(f.data[from:to])
	path := strings.TrimLeft(cutTag(word), "-+%@")
	from += len(word) - len(path)
	if from > 0 && (f.data[from-1] == '\\' || f.endsBroken(from) || f.endsPlaceholder(from)) {
		// A path of Windows or an escape, or the rest of a path that is no UTF-8 or that
		// words to be filled in begin.
		return r, from, false
	}
	quoted := !f.strict && from > 0 && f.data[from-1] == '`' && strings.Contains(path, "/")
	if !namesFile(path, f.strict) && !(quoted && namesFile("./"+path, false)) {
		return r, from, false
	}
	return Reference{Form: form, Skip: skipOf(path), Target: textTarget(path)}, from, true
}

// cutTag cuts a tag of HTML off the beginning of a path. A placeholder has a
// slash behind it.
func cutTag(path string) string {
	if i := strings.IndexByte(path, '>'); path[0] == '<' && i > 0 && i+1 < len(path) && path[i+1] != '/' {
		return path[i+1:]
	}
	return path
}

// endsBroken reports whether a byte that is no UTF-8 stands before at.
func (f *finder) endsBroken(at int) bool {
	r, n := utf8.DecodeLastRune(f.data[max(0, at-utf8.UTFMax):at])
	return r == utf8.RuneError && n == 1
}

// endsPlaceholder reports whether what stands before a slash at at is a placeholder of
// several words, <40 hex digits> or {the root}; one with a quote or a sign is a tag or
// code.
func (f *finder) endsPlaceholder(at int) bool {
	const longest = 64
	before := f.data[max(0, at-longest):at]
	if f.data[at] != '/' || len(before) == 0 {
		return false
	}
	open := strings.IndexByte(">}", before[len(before)-1])
	if open < 0 {
		return false
	}
	from := bytes.LastIndexByte(before, "<{"[open])
	return from >= 0 && !bytes.ContainsAny(before[from:], "\n\"'=();")
}

// mostDigits are the digits of a line number.
const mostDigits = 8

// number reads a number with an optional L before it.
func (f *finder) number(at, to int) (n, end int, ok bool) {
	if at < to && f.data[at] == 'L' {
		at++
	}
	end = at
	for end < to && is(f.data[end], digitByte) {
		end++
	}
	if end == at || end-at > mostDigits {
		return 0, at, false
	}
	n, _ = strconv.Atoi(string(f.data[at:end]))
	return n, end, n > 0
}

// lineNumbers reads 12, 12:5, 12-34, 12:5-9 and 12:5-34:9, a dash being - or an
// en dash, and returns the lines without the columns.
func (f *finder) lineNumbers(at, to int) (lines [2]int, end int, ok bool) {
	first, end, ok := f.number(at, to)
	if !ok {
		return lines, at, false
	}
	lines = [2]int{first, first}
	column := false
	end, column = f.column(end, to)
	dash := f.dash(end, to)
	last, after, ok := f.number(end+dash, to)
	if dash == 0 || !ok {
		return lines, end, true
	}
	after, ended := f.column(after, to)
	if !column || ended {
		lines[1] = last
	}
	return lines, after, true
}

// column passes :5.
func (f *finder) column(at, to int) (end int, ok bool) {
	if at < to && f.data[at] == ':' {
		if _, end, ok := f.number(at+1, to); ok && f.data[at+1] != 'L' {
			return end, true
		}
	}
	return at, false
}

// dash returns the length of the dash of a range at at, 0 for none.
func (f *finder) dash(at, to int) int {
	const enDash = "–"
	switch {
	case at+1 < to && f.data[at] == '-':
		return 1
	case at+len(enDash) < to && string(f.data[at:at+len(enDash)]) == enDash:
		return len(enDash)
	}
	return 0
}

// endsNumber reports whether a line number may end before at: not within a word,
// a time, a version, a port with a path, or the tag of an image.
func (f *finder) endsNumber(at, to int) bool {
	if at == to {
		return true
	}
	c := f.data[at]
	next := byte(' ')
	if at+1 < to {
		next = f.data[at+1]
	}
	switch {
	case c == '_' && !is(next, wordByte):
		return true // emphasis
	case c == '/' && (next == ':' || next == ' ' || next == '`'):
		return true // another one follows
	case is(c, wordByte), c == '/', c == '%', c == '@', c == '\\', c == '=':
		return false
	case c == '.', c == ':', c == '-':
		return !is(next, wordByte)
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRune(f.data[at:to])
		return !inPath(r) || r == '…' || isIdeograph(r)
	}
	return true
}

// isIdeograph reports whether a rune belongs to a script without spaces, so that
// a number may stand against it.
func isIdeograph(r rune) bool { return r >= 0x2e80 }
