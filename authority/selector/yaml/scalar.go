package yaml

import (
	"strings"
	"unicode/utf8"
)

// plainSafe reports whether what follows the indicator at hand keeps it in a plain
// scalar (ns-plain-safe [127]).
func (p *parser) plainSafe(inFlow bool) bool {
	return !p.spaceAt(1) && !(inFlow && isFlow(p.src[p.i+1]))
}

// plainBegins reports whether a plain scalar begins here (ns-plain-first [126]).
func (p *parser) plainBegins(inFlow bool) bool {
	c := p.at(0)
	switch {
	case p.spaceAt(0):
		return false
	case c == '-' || c == '?' || c == ':':
		return p.plainSafe(inFlow)
	}
	return strings.IndexByte(",[]{}#&*!|>'\"%@`", c) < 0
}

// plain parses a plain scalar of one or more lines (ns-plain [131]).
func (p *parser) plain(n int, inFlow bool) string {
	from := p.i
	p.plainLine(inFlow)
	if !p.toPlainLine(n, inFlow) {
		return string(p.src[from:p.end])
	}
	var text strings.Builder
	text.Write(p.src[from:p.end])
	for more := true; more; more = p.toPlainLine(n, inFlow) {
		fold(&text, p.breaks)
		from := p.i
		p.plainLine(inFlow)
		text.Write(p.src[from:p.end])
	}
	return text.String()
}

// fold writes what n line breaks between two lines mean: one is a space, of
// more the first is dropped.
func fold(text *strings.Builder, n int) {
	if n == 1 {
		text.WriteByte(' ')
	}
	for range n - 1 {
		text.WriteByte('\n')
	}
}

// plainLine reads the part of a plain scalar that stands on this line and sets
// end behind it.
func (p *parser) plainLine(inFlow bool) {
	for ; !p.eof(); p.i++ {
		p.steps++
		c := p.src[p.i]
		switch {
		case isWhite(c):
			continue
		case isBreak(c),
			c == ':' && !p.plainSafe(inFlow),
			c == '#' && isWhite(p.src[p.i-1]),
			inFlow && isFlow(c):
			return
		case c == 0xef && p.has("\ufeff"):
			p.fail(p.i, "has a byte order mark inside")
		}
		p.end = p.i + 1
	}
}

// toPlainLine goes to the next line of a plain scalar. When there is none it
// reports false and stays behind the scalar.
func (p *parser) toPlainLine(n int, inFlow bool) bool {
	if p.eof() || !isBreak(p.src[p.i]) {
		p.i = p.end
		return false
	}
	end, bol := p.end, p.bol
	p.breaks = 0
	for !p.eof() && isBreak(p.src[p.i]) {
		p.lineBreak()
		p.breaks++
		p.toContent()
	}
	c := p.at(0)
	if p.eof() || p.marker() || p.indent < n || c == '#' ||
		c == ':' && !p.plainSafe(inFlow) || inFlow && isFlow(c) {
		p.i, p.bol = end, bol
		return false
	}
	return true
}

// toContent skips white space at a line's start, where i is.
func (p *parser) toContent() {
	p.indent = p.spaces()
	p.white()
}

// foldLines goes over line breaks inside a quoted scalar and counts them in
// breaks.
func (p *parser) foldLines(n int) {
	p.breaks = 0
	for !p.eof() && isBreak(p.src[p.i]) {
		p.lineBreak()
		p.breaks++
		if p.marker() {
			p.fail(p.i, "has a document marker inside a quoted scalar")
		}
		p.toContent()
	}
	if !p.eof() && p.indent < n {
		p.fail(p.i, "has a quoted scalar that is indented too little")
	}
}

// singleQuoted parses c-single-quoted [120].
func (p *parser) singleQuoted(n int) string {
	from := p.i
	var text strings.Builder
	for p.i++; !p.eof(); p.steps++ {
		switch c := p.src[p.i]; {
		case c == '\'' && p.at(1) == '\'':
			text.WriteByte('\'')
			p.i += 2
		case c == '\'':
			p.take(1)
			return text.String()
		case isWhite(c) || isBreak(c):
			p.quotedSpace(&text, n)
		default:
			text.WriteByte(c)
			p.i++
		}
	}
	p.fail(from, "has a quoted scalar that is not closed")
	return ""
}

// quotedSpace reads white space in a quoted scalar; around line breaks it is
// folded.
func (p *parser) quotedSpace(text *strings.Builder, n int) {
	from := p.i
	p.white()
	if p.eof() || !isBreak(p.src[p.i]) {
		text.Write(p.src[from:p.i])
		return
	}
	p.foldLines(n)
	fold(text, p.breaks)
}

// doubleQuoted parses c-double-quoted [109].
func (p *parser) doubleQuoted(n int) string {
	from := p.i
	var text strings.Builder
	for p.i++; !p.eof(); p.steps++ {
		switch c := p.src[p.i]; {
		case c == '"':
			p.take(1)
			return text.String()
		case c == '\\':
			p.escape(&text, n)
		case isWhite(c) || isBreak(c):
			p.quotedSpace(&text, n)
		default:
			text.WriteByte(c)
			p.i++
		}
	}
	p.fail(from, "has a quoted scalar that is not closed")
	return ""
}

// escape reads c-ns-esc-char [62] or an escaped line break.
func (p *parser) escape(text *strings.Builder, n int) {
	c := p.at(1)
	if isBreak(c) {
		p.i++
		p.foldLines(n)
		for range p.breaks - 1 {
			text.WriteByte('\n')
		}
		return
	}
	// A letter's place in the string is the number of its digits.
	if digits := strings.IndexByte("  x u   U", c); c != ' ' && digits > 0 {
		p.numericEscape(text, digits)
		return
	}
	const names, means = "0abt\tnvfre \"/\\N_LP", "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	i := strings.IndexByte(names, c)
	if i < 0 || p.i+1 >= len(p.src) {
		p.fail(p.i, "has an unknown escape")
	}
	text.WriteRune([]rune(means)[i])
	p.i += 2
}

// numericEscape reads \xXX, \uXXXX or \UXXXXXXXX.
func (p *parser) numericEscape(text *strings.Builder, digits int) {
	var r rune
	for i := range digits {
		d := hexDigit(p.at(2 + i))
		if d < 0 || r > utf8.MaxRune {
			p.fail(p.i, "has a broken escape")
		}
		r = r<<4 | rune(d)
	}
	if !utf8.ValidRune(r) {
		p.fail(p.i, "has an escape of no character")
	}
	text.WriteRune(r)
	p.i += 2 + digits
}
