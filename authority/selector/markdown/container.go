package markdown

// startContainer begins a block quote or list item at the cursor, behind the
// first matched containers. interrupts says that a paragraph would go on here.
func (s *scanner) startContainer(matched int, interrupts bool) bool {
	c := &s.c
	quote := c.peek() == '>'
	width := 1
	if !quote {
		if width = itemMarker(c.rest(), interrupts); width == 0 {
			return false
		}
	}
	s.closeTo(matched)
	if len(s.open) == MaxDepth {
		s.fail("containers in one another", MaxDepth, c.word)
		return true
	}
	from := Span{int32(c.word), int32(c.end)}
	if quote {
		block := s.push(Block{Kind: Quote, Span: from})
		s.open = append(s.open, container{block: block, quote: true})
		s.takeQuoteMarker()
		return true
	}
	block := s.push(Block{Kind: Item, Span: from})
	s.open = append(s.open, container{block: block, need: s.takeItemMarker(width), empty: true})
	return true
}

// takeItemMarker consumes a list item's marker of width bytes with the white
// space that belongs to it and returns the indent of the item's content.
func (s *scanner) takeItemMarker(width int) (need int) {
	c := &s.c
	need = c.indent() + width
	c.take(width)
	pad := c.indent()
	if pad > tabStop || c.blank() {
		pad = 1 // the content begins with indented code, or on the next line
	}
	c.skip(pad)
	return need + pad
}

// itemMarker returns the length of the list item marker with which text begins,
// 0 when there is none. Only an item with content, and if numbered with the
// number 1, interrupts a paragraph.
func itemMarker(text []byte, interrupts bool) int {
	n := 0
	switch c := text[0]; {
	case c == '-' || c == '+' || c == '*':
		n = 1
	case isDigit(c):
		n = numberMarker(text, interrupts)
	}
	if n == 0 || n < len(text) && !isSpace(text[n]) {
		return 0
	}
	if interrupts && len(trimSpace(text[n:])) == 0 {
		return 0
	}
	return n
}

// numberMarker returns the length of "1." or "1)".
func numberMarker(text []byte, interrupts bool) int {
	const mostDigits = 9
	n := 0
	value := 0
	for n < len(text) && n <= mostDigits && isDigit(text[n]) {
		value = value*10 + int(text[n]-'0')
		n++
	}
	if n > mostDigits || n == len(text) || text[n] != '.' && text[n] != ')' || interrupts && value != 1 {
		return 0
	}
	return n + 1
}
