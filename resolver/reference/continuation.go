package reference

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// continuation reads :781 or :66-70 about the path that was named before it in
// the same scope. A number that servers listen on needs a path with lines before
// it.
func (f *finder) continuation(p *piece, i, end int, lines [2]int) int {
	if f.sample || !f.beginsContinuation(p, i) || end < p.to && f.data[end] == ':' {
		return 0
	}
	r, stated := f.antecedent(i)
	if r.Target.Path == "" || !stated && (f.strict || lines[0] == lines[1] && isPort(lines[0])) {
		return 0
	}
	r.Target.Lines = lines
	f.add(r, i, end)
	f.named(r, end)
	return f.furtherLines(p, r, end)
}

// beginsContinuation reports whether what stands before the colon at i lets it
// begin something.
func (f *finder) beginsContinuation(p *piece, i int) bool {
	if i == p.from {
		return true
	}
	c := f.data[i-1]
	if (c == '"' || c == '\'') && i-1 > p.from {
		c = f.data[i-2] // an opening quote, and none behind the key of a value
	}
	return strings.IndexByte(" \t`([,;/)*|&", c) >= 0 || c >= utf8.RuneSelf
}

// isPort reports whether a number is one that servers commonly listen on.
func isPort(n int) bool {
	switch n {
	case 80, 443, 1234, 3000, 3001, 3306, 4000, 4200, 4317, 4318, 5000, 5001, 5173, 5432, 6379, 8000, 8001, 8080, 8081, 8443, 8888, 9000, 9090, 9100, 9200, 27017:
		return true
	}
	return false
}

// furtherLines reads what goes on behind path:12 as a list, and returns where it
// ends: ,34 and ,40-50 without spaces, or ", 34 and 40-50" when a bracket or
// backtick closes it, so that no other number is taken for a line.
func (f *finder) furtherLines(p *piece, r Reference, end int) int {
	r.Form = Continuation
	spaced := end < p.to && f.closesList(p, end)
	for {
		from := end + f.separator(end, p.to, spaced)
		lines, next, ok := f.lineNumbers(from, p.to)
		if from == end || !ok || !f.endsNumber(next, p.to) {
			return end
		}
		r.Target.Lines = lines
		f.add(r, from, next)
		end = next
	}
}

// separator returns the length of what stands between two of a list of lines.
func (f *finder) separator(at, to int, spaced bool) int {
	rest := f.data[at:min(to, at+len(", and "))]
	if spaced {
		for _, s := range []string{", and ", ", ", " and ", " & "} {
			if bytes.HasPrefix(rest, []byte(s)) {
				return len(s)
			}
		}
	}
	if len(rest) > 1 && rest[0] == ',' && is(rest[1], digitByte) {
		return 1
	}
	return 0
}

// closesList reports whether a list of lines that goes on at at ends before a
// closing bracket or a backtick.
func (f *finder) closesList(p *piece, at int) bool {
	for {
		n := f.separator(at, p.to, true)
		_, next, ok := f.lineNumbers(at+n, p.to)
		if n == 0 || !ok {
			return at < p.to && strings.IndexByte(")]`", f.data[at]) >= 0
		}
		at = next
	}
}
