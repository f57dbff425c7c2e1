package markdown

// Parse finds the blocks of src. The error is a *LimitError. src must not
// change afterwards.
func Parse(src []byte) (*Document, error) {
	if len(src) > MaxBytes {
		return nil, &LimitError{What: "bytes in a Markdown document", Most: MaxBytes, At: MaxBytes}
	}
	s := scanner{doc: &Document{src: src}}
	r := newReader(src, contentStart(src))
	for line, ok := r.line(); ok && s.err == nil; line, ok = r.line() {
		s.line(line)
	}
	s.closeTo(0)
	if s.err != nil {
		return nil, s.err
	}
	return s.doc, nil
}

// scanner holds what is open while the lines of a document pass by.
type scanner struct {
	doc  *Document
	c    cursor
	open []container
	leaf leaf
	text []byte // room for the joined lines of a paragraph
	err  *LimitError
}

// container is an open Quote or Item.
type container struct {
	block int32
	quote bool
	need  int  // Item: columns of indent that its lines have
	empty bool // Item: nothing has begun in it
}

// leaf is the open block that takes lines; kind is 0 when there is none.
type leaf struct {
	kind  Kind
	block int32
	fence []byte   // Code: the opening fence, empty for indented code
	html  htmlKind // HTML
}

// line puts one line where it belongs: into the open blocks that go on in it,
// then into the blocks that begin in it.
func (s *scanner) line(l Span) {
	s.c = newCursor(s.doc.src, l)
	matched := s.matchContainers()
	if matched < len(s.open) || !s.continueLeaf() {
		s.openBlocks(matched)
	}
	s.doc.steps += s.c.steps + matched + 1
}

// matchContainers consumes the markers and indents of the open containers that
// go on in this line and returns how many do.
func (s *scanner) matchContainers() int {
	c := &s.c
	for i := range s.open {
		o := &s.open[i]
		switch {
		case o.quote:
			if c.indent() >= tabStop || c.peek() != '>' {
				return i
			}
			s.takeQuoteMarker()
			s.doc.blocks[o.block].To = int32(c.end)
		case c.blank():
			if o.empty {
				return i
			}
			c.skip(c.indent())
		case c.indent() < o.need:
			return i
		default:
			c.skip(o.need)
		}
	}
	return len(s.open)
}

// takeQuoteMarker consumes '>' and one column of white space behind it.
func (s *scanner) takeQuoteMarker() {
	s.c.take(1)
	s.c.skip(1)
}

// continueLeaf reports whether the line belongs to an open code or HTML block,
// which look at nothing but their own end.
func (s *scanner) continueLeaf() bool {
	switch {
	case s.leaf.kind == Code && len(s.leaf.fence) > 0:
		if s.c.indent() < tabStop && closesFence(s.c.rest(), s.leaf.fence) {
			s.touch()
			s.closeLeaf()
			return true
		}
	case s.leaf.kind == Code:
		if s.c.indent() < tabStop && !s.c.blank() {
			return false
		}
	case s.leaf.kind == HTML:
		if s.leaf.html.endsBlank() && s.c.blank() {
			return false
		}
		s.touch()
		s.closeHTML()
		return true
	default:
		return false
	}
	s.touch()
	return true
}

// touch takes the line into the open leaf, unless it is blank.
func (s *scanner) touch() {
	if !s.c.blank() {
		s.doc.blocks[s.leaf.block].To = int32(s.c.end)
	}
}

// openBlocks begins the blocks that begin in this line behind the first matched
// containers, or adds the line to a paragraph or table.
func (s *scanner) openBlocks(matched int) {
	// A paragraph that stands in containers which do not go on may still take
	// the line: a lazy continuation.
	lazy := s.leaf.kind == Paragraph
	whole := matched == len(s.open)
	for s.err == nil {
		if s.c.blank() {
			s.closeTo(matched)
			return
		}
		if s.c.firstWordColumn > MaxIndent {
			s.fail("columns of indent", MaxIndent, s.c.lineFrom)
			return
		}
		if s.c.indent() >= tabStop {
			if !lazy {
				s.closeTo(matched)
				s.openLeaf(Code)
				return
			}
			break
		}
		if s.startLeaf(matched, lazy, whole) {
			return
		}
		if !s.startContainer(matched, lazy && whole) {
			break
		}
		matched, lazy, whole = len(s.open), false, false
	}
	s.addText(matched, whole)
}

// addText adds the line to the open paragraph or table, or begins a paragraph.
func (s *scanner) addText(matched int, whole bool) {
	switch {
	case s.leaf.kind == Paragraph:
		if !whole || s.c.indent() >= tabStop || !s.startTable() {
			s.addLine(s.c.word, s.c.end)
		}
	case s.leaf.kind == Table && whole:
		s.touch()
		s.addRow(Span{int32(s.c.word), int32(s.c.end)})
	default:
		s.closeTo(matched)
		s.openLeaf(Paragraph)
		s.addLine(s.c.word, s.c.end)
	}
}

// openLeaf begins a leaf at the cursor's word.
func (s *scanner) openLeaf(k Kind) {
	s.leaf = leaf{kind: k, block: s.push(Block{Kind: k, Span: Span{int32(s.c.word), int32(s.c.end)}})}
}

// push appends a block within the innermost open container and returns its
// index.
func (s *scanner) push(b Block) int32 {
	doc := s.doc
	if len(doc.blocks) >= maxBlocks {
		s.fail("blocks in a Markdown document", maxBlocks, int(b.From))
		return int32(len(doc.blocks) - 1)
	}
	b.Parent = None
	if n := len(s.open); n > 0 {
		b.Parent = s.open[n-1].block
		s.open[n-1].empty = false
	}
	b.first = int32(len(doc.lines))
	doc.blocks = append(doc.blocks, b)
	return int32(len(doc.blocks) - 1)
}

// addLine appends a line of content to the last block.
func (s *scanner) addLine(from, to int) {
	if len(s.doc.lines) >= maxLines {
		s.fail("lines of text in a Markdown document", maxLines, from)
		return
	}
	s.doc.lines = append(s.doc.lines, Span{int32(from), int32(to)})
	last := &s.doc.blocks[len(s.doc.blocks)-1]
	last.count++
	last.To = max(last.To, int32(to))
}

// closeTo closes the leaf and all but the first n containers.
func (s *scanner) closeTo(n int) {
	s.closeLeaf()
	for len(s.open) > n {
		last := s.open[len(s.open)-1].block
		s.open = s.open[:len(s.open)-1]
		s.extend(s.doc.blocks[last].To)
	}
}

// closeLeaf closes the leaf, if any.
func (s *scanner) closeLeaf() {
	if s.leaf.kind == Paragraph {
		s.extend(s.doc.blocks[s.leaf.block].To)
		s.takeDefinitions()
	} else if s.leaf.kind != 0 {
		s.extend(s.doc.blocks[s.leaf.block].To)
	}
	s.leaf = leaf{}
}

// extend makes the innermost open container reach to.
func (s *scanner) extend(to int32) {
	if n := len(s.open); n > 0 {
		b := &s.doc.blocks[s.open[n-1].block]
		b.To = max(b.To, to)
	}
}

// fail keeps the first limit that was passed.
func (s *scanner) fail(what string, most, at int) {
	if s.err == nil {
		s.err = &LimitError{What: what, Most: most, At: at}
	}
}
