package markdown

import "bytes"

// startLeaf begins a heading, fence, HTML block or thematic break at the
// cursor, behind the first matched containers. lazy says that a paragraph is
// open, whole that all its containers go on in this line.
func (s *scanner) startLeaf(matched int, lazy, whole bool) bool {
	c := &s.c
	rest := c.rest()
	switch rest[0] {
	case '#':
		return s.startATX(matched, rest)
	case '`', '~':
		n := fenceLength(rest)
		if n == 0 {
			return false
		}
		s.closeTo(matched)
		s.openLeaf(Code)
		s.leaf.fence = rest[:n]
		return true
	case '<':
		return s.startHTML(matched, rest, lazy)
	case '=', '-', '*', '_':
		if lazy && whole && s.setext(rest) {
			return true
		}
		if !s.isBreak(rest) {
			return false
		}
		s.closeTo(matched)
		s.openLeaf(Break)
		s.closeLeaf()
		return true
	}
	return false
}

// startATX begins and ends an ATX heading.
func (s *scanner) startATX(matched int, rest []byte) bool {
	const deepest = 6
	level := runLength(rest)
	if level > deepest || level < len(rest) && !isSpace(rest[level]) {
		return false
	}
	s.closeTo(matched)
	s.openLeaf(Heading)
	s.doc.blocks[s.leaf.block].Level = uint8(level)
	text := trimClosing(trimSpace(rest[level:]))
	from := s.c.word + level
	for from < s.c.end && isSpace(s.doc.src[from]) {
		from++
	}
	s.addLine(from, from+len(text))
	s.closeLeaf()
	return true
}

// trimClosing cuts the closing sequence from the text of an ATX heading.
func trimClosing(text []byte) []byte {
	open := bytes.TrimRight(text, "#")
	if len(open) == 0 {
		return open
	}
	if len(open) == len(text) || !isSpace(open[len(open)-1]) {
		return text
	}
	return trimSpace(open)
}

// setext makes a heading of the open paragraph when rest is its underline and
// more than link reference definitions stands above it.
func (s *scanner) setext(rest []byte) bool {
	if rest[0] != '=' && rest[0] != '-' || len(trimSpace(rest)) != runLength(rest) {
		return false
	}
	s.takeDefinitions()
	if s.leaf.kind != Paragraph {
		return false
	}
	b := &s.doc.blocks[s.leaf.block]
	b.Kind, b.Level, b.To = Heading, 1, int32(s.c.end)
	if rest[0] == '-' {
		b.Level = 2
	}
	s.leaf.kind = Heading
	s.closeLeaf()
	return true
}

// isBreak reports whether rest is a thematic break: three or more of one mark,
// white space between them. A line of many list markers is looked through once
// only: what stopped one attempt stops the later ones before it.
func (s *scanner) isBreak(rest []byte) bool {
	if rest[0] == '=' || s.c.word < s.c.noBreakBefore {
		return false
	}
	marks := 0
	for i, c := range rest {
		s.c.steps++
		switch {
		case c == rest[0]:
			marks++
		case !isSpace(c):
			s.c.noBreakBefore = s.c.word + i
			return false
		}
	}
	return marks >= 3
}

// fenceLength returns the length of the code fence with which rest begins, 0
// when there is none.
func fenceLength(rest []byte) int {
	n := runLength(rest)
	if n < 3 || rest[0] == '`' && bytes.IndexByte(rest[n:], '`') >= 0 {
		return 0
	}
	return n
}

// closesFence reports whether rest closes the code block that fence opened.
func closesFence(rest, fence []byte) bool {
	if len(rest) == 0 || rest[0] != fence[0] {
		return false
	}
	n := runLength(rest)
	return n >= len(fence) && len(trimSpace(rest[n:])) == 0
}

// runLength returns how often text's first byte stands at its beginning.
func runLength(text []byte) int {
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// trimSpace cuts spaces and tabs from both ends.
func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t") }
