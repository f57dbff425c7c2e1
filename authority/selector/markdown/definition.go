package markdown

import "bytes"

// takeDefinitions makes Definition blocks of the link reference definitions
// with which the open paragraph begins. When nothing else is in it, there is no
// paragraph left and no leaf open.
func (s *scanner) takeDefinitions() {
	doc := s.doc
	b := doc.blocks[s.leaf.block]
	if b.count == 0 || doc.src[b.From] != '[' {
		return
	}
	s.text = doc.join(s.text[:0], doc.Lines(b))
	s.doc.steps += len(s.text)
	for rest := s.text; len(rest) > 0 && s.err == nil; {
		_, n := scanDefinition(rest)
		if n == 0 {
			return
		}
		s.takeDefinition(bytes.Count(rest[:n], []byte{'\n'}))
		rest = rest[n:]
	}
}

// takeDefinition splits the first lines off the open paragraph.
func (s *scanner) takeDefinition(lines int) {
	doc := s.doc
	b := &doc.blocks[s.leaf.block]
	rest := *b
	rest.first += int32(lines)
	rest.count -= int32(lines)
	b.Kind, b.count = Definition, int32(lines)
	b.To = doc.lines[rest.first-1].To
	if rest.count == 0 {
		s.leaf = leaf{}
		return
	}
	rest.From = doc.lines[rest.first].From
	if len(doc.blocks) >= maxBlocks {
		s.fail("blocks in a Markdown document", maxBlocks, int(rest.From))
		return
	}
	doc.blocks = append(doc.blocks, rest)
	s.leaf.block++
}

// join appends lines to room, each with an LF behind it.
func (d *Document) join(room []byte, lines []Span) []byte {
	for _, l := range lines {
		room = append(append(room, d.Bytes(l)...), '\n')
	}
	return room
}

// scanDefinition reads the link reference definition with which text, lines
// that end with LF, begins (CommonMark §4.7). n is its length with the LF
// behind it, 0 when there is none.
func scanDefinition(text []byte) (label []byte, n int) {
	labelEnd := scanLabel(text)
	if labelEnd == 0 || labelEnd == len(text) || text[labelEnd] != ':' {
		return nil, 0
	}
	from := skipBreak(text, labelEnd+1)
	length := scanDestination(text[from:])
	if length <= 0 {
		return nil, 0
	}
	label = text[1 : labelEnd-1]
	end := from + length
	if title := skipBreak(text, end); title > end {
		if n := scanTitle(text[title:]); n > 0 {
			if after := lineEnd(text, title+n); after > 0 {
				return label, after
			}
		}
	}
	return label, lineEnd(text, end)
}

// skipBreak skips spaces and tabs and at most one line end.
func skipBreak(text []byte, at int) int {
	at = skipSpace(text, at)
	if at < len(text) && text[at] == '\n' {
		at = skipSpace(text, at+1)
	}
	return at
}

// skipSpace skips spaces and tabs.
func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// lineEnd returns the offset behind the LF that ends the line of at, 0 when
// more than white space stands before it.
func lineEnd(text []byte, at int) int {
	at = skipSpace(text, at)
	if at < len(text) && text[at] == '\n' {
		return at + 1
	}
	return 0
}

// defined reports whether label names a definition anywhere in the document.
func (d *Document) defined(label []byte) bool {
	if d.refs == nil {
		d.refs = map[string]bool{}
		for _, b := range d.blocks {
			if b.Kind == Definition {
				label, _ := scanDefinition(d.join(nil, d.Lines(b)))
				d.refs[normalLabel(label)] = true
			}
		}
	}
	return d.refs[normalLabel(label)]
}
