package reference

import (
	"bytes"
	"strings"
)

// longString passes a string over lines, or reads it when it is a docstring.
func (r *commentReader) longString(m [2]string) {
	from := r.at
	end := len(r.data)
	for i := from + len(m[0]); i < len(r.data); i++ {
		if r.data[i] == '\\' && !strings.Contains(m[0], "r") {
			i++
		} else if bytes.HasPrefix(r.data[i:], []byte(m[1])) {
			end = i + len(m[1])
			break
		}
	}
	if r.docs && r.beginsStatement() || r.values {
		r.comment(end)
		return
	}
	r.at = end
}

// beginsStatement reports whether what stands before the current byte, on its
// line, is at most a prefix such as r, and ends a statement or a block's head.
func (r *commentReader) beginsStatement() bool {
	before := bytes.TrimRight(r.data[max(0, r.at-lookBack):r.at], "rRuUbBfF")
	before = bytes.TrimRight(before, " \t")
	if len(before) == 0 {
		return true
	}
	if before[len(before)-1] != '\n' {
		return false
	}
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) == 0 || strings.IndexByte("([{,=+\\%", before[len(before)-1]) < 0
}

// endOfLine returns where the line of the current byte ends.
func (r *commentReader) endOfLine() int {
	if r.at >= r.lineEnd {
		r.lineEnd = r.at + lineLength(r.data[r.at:])
	}
	return r.lineEnd
}

// quoted passes a string within its line; a quote that is not closed there is
// none.
func (r *commentReader) quoted(quote byte) {
	line := r.data[r.at:r.endOfLine()]
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			if r.values {
				r.enter(nil, r.at+1, r.at+i)
				r.scanEscaped(r.at+1, r.at+i)
			}
			r.at += i + 1
			return
		}
	}
	r.plain[quote] = r.at + len(line)
	r.at++
}

// regularExpression passes the one with which rest begins, or its slash.
func (r *commentReader) regularExpression(rest []byte) {
	n := regexpLength(rest)
	if n == 0 {
		r.plain['/'] = r.endOfLine()
	}
	r.at += max(1, n)
}

// beginsRegexp reports whether a slash at the current byte begins a regular
// expression: an operand is expected, going by what stands before it.
func (r *commentReader) beginsRegexp() bool {
	before := bytes.TrimRight(r.data[max(0, r.at-lookBack):r.at], " \t")
	if len(before) == 0 {
		return true
	}
	return strings.IndexByte("(,=:[!&|?{};\n", before[len(before)-1]) >= 0 || bytes.HasSuffix(before, []byte("return"))
}

// regexpLength returns the length of the regular expression with which text
// begins, 0 when it does not end in its line.
func regexpLength(text []byte) int {
	class := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		case '\n':
			return 0
		}
	}
	return 0
}
