package reference

import (
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
	if start == i {
		return f.continuation(p, i, end, lines)
	}
	r, start, ok := f.pathReference(PathLine, start, i)
	if !ok {
		return 0
	}
	r.Target.Lines = lines
	f.add(r, start, end)
	f.named(r.Target, end)
	return f.furtherLines(p, r.Target, end)
}

// pathReference reads data[from:to] as a path in running text that ends before a
// line number.
func (f *finder) pathReference(form Form, from, to int) (r Reference, start int, ok bool) {
	word := string(f.data[from:to])
	path := strings.TrimLeft(word, "-+%@")
	from += len(word) - len(path)
	if from > 0 && f.data[from-1] == '\\' {
		return r, from, false // a path of Windows, or an escape
	}
	strict := f.strict || from == 0 || f.data[from-1] != '`'
	if !namesFile(path, f.strict) && (strict || strings.Count(path, "/") == 0 || !namesFile("./"+path, false)) {
		return r, from, false
	}
	return Reference{Form: form, Skip: skipOf(path), Target: textTarget(path)}, from, true
}

// furtherLines reads what follows path:12 in a list without spaces: ,34 and
// ,40-50.
func (f *finder) furtherLines(p *piece, t Target, end int) int {
	for end+1 < p.to && f.data[end] == ',' && is(f.data[end+1], digitByte) {
		lines, next, ok := f.lineNumbers(end+1, p.to)
		if !ok || !f.endsNumber(next, p.to) {
			return end
		}
		t.Lines = lines
		f.add(Reference{Form: Continuation, Skip: skipOf(t.Path), Target: t}, end+1, next)
		end = next
	}
	return end
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

// continuation reads :781 or :66-70 about the path that was named before it in
// the same scope. A number that servers listen on needs a path with lines before
// it.
func (f *finder) continuation(p *piece, i, end int, lines [2]int) int {
	if f.sample || f.scope == nil || !f.beginsContinuation(p, i) || end < p.to && f.data[end] == ':' {
		return 0
	}
	t, stated := f.antecedent(i)
	if t.Path == "" || !stated && lines[0] == lines[1] && isPort(lines[0]) {
		return 0
	}
	t.Lines = lines
	f.add(Reference{Form: Continuation, Skip: skipOf(t.Path), Target: t}, i, end)
	f.named(t, end)
	return f.furtherLines(p, t, end)
}

// beginsContinuation reports whether what stands before the colon at i lets it
// begin something.
func (f *finder) beginsContinuation(p *piece, i int) bool {
	if i == p.from {
		return true
	}
	c := f.data[i-1]
	return strings.IndexByte(" \t`([,;/)*'\"|&", c) >= 0 || c >= utf8.RuneSelf
}

// isPort reports whether a number is one that servers commonly listen on.
func isPort(n int) bool {
	switch n {
	case 80, 443, 1234, 3000, 3001, 3306, 4000, 4200, 4317, 4318, 5000, 5001, 5173, 5432, 6379, 8000, 8001, 8080, 8081, 8443, 8888, 9000, 9090, 9100, 9200, 27017:
		return true
	}
	return false
}
