package markdown

import "bytes"

// startTable begins a table when the cursor stands on a delimiter row with as
// many cells as the last line of the open paragraph, its header. What stands
// above the header stays a paragraph.
func (s *scanner) startTable() bool {
	columns := delimiterColumns(s.c.rest())
	if columns == 0 {
		return false
	}
	doc := s.doc
	header := doc.lines[len(doc.lines)-1]
	if cells(doc.Bytes(header)) != columns {
		return false
	}
	s.dropLastLine()
	s.closeLeaf()
	s.leaf = leaf{kind: Table, block: s.push(Block{Kind: Table, Span: Span{header.From, int32(s.c.end)}})}
	s.addRow(header)
	return true
}

// dropLastLine takes the last line from the open paragraph, and with its only
// line the paragraph itself.
func (s *scanner) dropLastLine() {
	doc := s.doc
	b := &doc.blocks[s.leaf.block]
	doc.lines = doc.lines[:len(doc.lines)-1]
	b.count--
	if b.count == 0 {
		doc.blocks = doc.blocks[:s.leaf.block]
		s.leaf = leaf{}
		return
	}
	b.To = doc.lines[len(doc.lines)-1].To
}

// addRow appends a row to the open table.
func (s *scanner) addRow(line Span) {
	row := s.push(Block{Kind: Row, Span: line})
	if s.err == nil {
		s.doc.blocks[row].Parent = s.leaf.block
		s.addLine(int(line.From), int(line.To))
	}
}

// delimiterColumns returns the number of columns of a delimiter row, 0 when
// text is none.
func delimiterColumns(text []byte) int {
	if c := text[0]; c != '|' && c != '-' && c != ':' {
		return 0
	}
	columns := 0
	for rest := trimPipes(text); ; columns++ {
		cell, after, more := bytes.Cut(rest, []byte{'|'})
		cell = bytes.TrimSuffix(bytes.TrimPrefix(trimSpace(cell), []byte{':'}), []byte{':'})
		if len(cell) == 0 || cell[0] != '-' || runLength(cell) != len(cell) {
			return 0
		}
		if !more {
			return columns + 1
		}
		rest = after
	}
}

// trimPipes cuts white space and one pipe from both ends of a row, the last one
// only when it is not escaped.
func trimPipes(row []byte) []byte {
	row = bytes.TrimPrefix(trimSpace(row), []byte{'|'})
	if n := len(row); n > 0 && row[n-1] == '|' && (n == 1 || row[n-2] != '\\') {
		row = row[:n-1]
	}
	return row
}

// cells returns the number of cells of a row.
func cells(row []byte) int {
	n := 1
	for rest := trimPipes(row); ; n++ {
		i := cellEnd(rest)
		if i == len(rest) {
			return n
		}
		rest = rest[i+1:]
	}
}

// FirstCell returns the content of a row's first cell without the white space
// around it.
func (d *Document) FirstCell(row Block) Span {
	line := d.Lines(row)[0]
	from, to := int(line.From), int(line.To)
	if d.src[from] == '|' {
		from++
	}
	to = from + cellEnd(d.src[from:to])
	for from < to && isSpace(d.src[from]) {
		from++
	}
	for from < to && isSpace(d.src[to-1]) {
		to--
	}
	return Span{int32(from), int32(to)}
}

// cellEnd returns the offset of the first pipe that no backslash escapes, or
// the length.
func cellEnd(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '|':
			return i
		case '\\':
			i++
		}
	}
	return len(text)
}
