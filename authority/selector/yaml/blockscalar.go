package yaml

import "strings"

// blockScalar parses c-l+literal [170] and c-l+folded [174].
func (p *parser) blockScalar(d pending) {
	pr := p.merge(d.outer, d.inner)
	node := Node{Style: Literal, From: int32(d.from), Props: pr.index}
	if p.src[p.i] == '>' {
		node.Style = Folded
	}
	width, chomp := p.blockHeader()
	indent := max(d.n, 0) + width
	if width == 0 {
		indent = p.detectIndent(d.n + 1)
	}
	node.Value = p.blockLines(indent, chomp, node.Style == Folded)
	node.To = int32(p.end)
	p.add(node)
}

// blockHeader reads c-b-block-header [162]: an indentation indicator, 0 when
// there is none, and a chomping indicator, in any order.
func (p *parser) blockHeader() (width int, chomp byte) {
	p.take(1)
	for {
		switch c := p.at(0); {
		case width == 0 && '1' <= c && c <= '9':
			width = int(c - '0')
		case chomp == 0 && (c == '-' || c == '+'):
			chomp = c
		default:
			p.endOfLine("has a block scalar header that is not understood")
			return width, chomp
		}
		p.take(1)
	}
}

// detectIndent returns the indentation of the first line that is not blank, at
// least least.
func (p *parser) detectIndent(least int) int {
	most := 0
	for i := p.i; ; {
		from := i
		for i < len(p.src) && p.src[i] == ' ' {
			i++
		}
		spaces := i - from
		p.steps += 1 + spaces
		switch {
		case i >= len(p.src):
			return max(most, spaces, least)
		case !isBreak(p.src[i]):
			if spaces < least {
				return max(most, least)
			}
			if most > spaces {
				p.fail(from, "has a block scalar that begins with a blank line of too many spaces")
			}
			return spaces
		}
		most = max(most, spaces)
		if p.src[i] == '\r' && i+1 < len(p.src) && p.src[i+1] == '\n' {
			i++
		}
		i++
	}
}

// blockLines reads the lines of a block scalar and sets end behind the last
// that belongs to it.
func (p *parser) blockLines(indent int, chomp byte, folded bool) string {
	l := blockText{folded: folded}
	kept := p.end
	for p.nextBlockLine(indent) {
		from := p.i
		for !p.eof() && !isBreak(p.src[p.i]) {
			p.i++
		}
		p.steps += 1 + p.i - from
		if line := p.src[from:p.i]; len(line) > 0 {
			l.line(line)
			p.end = p.i
		}
		// The end of the text ends a line too.
		l.breaks++
		kept = p.i
		if !p.eof() {
			p.lineBreak()
		}
	}
	if chomp == '+' && l.breaks > 0 {
		p.end = kept
	}
	return l.chomped(chomp)
}

// nextBlockLine goes behind a line's indentation, where i is at its start, and
// reports whether the line belongs to a scalar of indentation indent.
func (p *parser) nextBlockLine(indent int) bool {
	if p.eof() || p.marker() {
		return false
	}
	n := 0
	for n < indent && p.at(n) == ' ' {
		n++
	}
	if n < indent && p.i+n < len(p.src) && !isBreak(p.src[p.i+n]) {
		p.refuseTabLine(n)
		return false
	}
	p.i += n
	return true
}

// refuseTabLine refuses a blank line with a tab that ends a block scalar: no
// production of the specification has it.
func (p *parser) refuseTabLine(n int) {
	if p.at(n) != '\t' {
		return
	}
	for isWhite(p.at(n)) {
		n++
	}
	if p.spaceAt(n) {
		p.fail(p.i+n, "has a tab in the indentation of a block scalar")
	}
}

// blockText puts the lines of a block scalar together.
type blockText struct {
	text   strings.Builder
	folded bool
	begun  bool
	spaced bool // the last line begins with white space
	breaks int  // line breaks since the last line that is not blank
}

func (l *blockText) line(line []byte) {
	spaced := isWhite(line[0])
	if l.folded && l.begun && !l.spaced && !spaced {
		fold(&l.text, l.breaks)
	} else {
		l.text.WriteString(strings.Repeat("\n", l.breaks))
	}
	l.text.Write(line)
	l.begun, l.spaced, l.breaks = true, spaced, 0
}

// chomped returns the text with the line breaks at its end that chomp leaves.
func (l *blockText) chomped(chomp byte) string {
	switch {
	case chomp == '+':
		l.text.WriteString(strings.Repeat("\n", l.breaks))
	case chomp == 0 && l.begun && l.breaks > 0:
		l.text.WriteByte('\n')
	}
	return l.text.String()
}
