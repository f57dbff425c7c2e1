package markdown

import "bytes"

// tabStop is the distance of tab stops in columns.
const tabStop = 4

// reader cuts a document into lines.
type reader struct {
	src  []byte
	next int // first byte of the next line
	lf   int // the first LF at or after next, len(src) when there is none
	cr   int // the same for CR
}

func newReader(src []byte, at int) *reader { return &reader{src: src, next: at, lf: -1, cr: -1} }

// line returns the next line without its terminator, false at the end. Each
// terminator is searched for once, so documents with one kind only stay linear.
func (r *reader) line() (Span, bool) {
	if r.next >= len(r.src) {
		return Span{}, false
	}
	from := r.next
	r.lf = seek(r.src, '\n', r.lf, from)
	r.cr = seek(r.src, '\r', r.cr, from)
	end := min(r.lf, r.cr)
	r.next = end + 1
	if r.cr+1 == r.lf && end == r.cr {
		r.next = r.lf + 1
	}
	return Span{int32(from), int32(end)}, true
}

// seek returns known when it is not before from, else the next c from there.
func seek(src []byte, c byte, known, from int) int {
	if known >= from {
		return known
	}
	i := bytes.IndexByte(src[from:], c)
	if i < 0 {
		return len(src)
	}
	return from + i
}

// cursor is a place in a line, in bytes and in columns. Within a tab that is
// only partly consumed at stays on the tab and column tells how far.
type cursor struct {
	src             []byte
	at, end         int
	column          int
	word            int // first byte at or after at that is no space or tab, or end
	wordColumn      int
	steps           int
	lineFrom        int
	noBreakBefore   int // no thematic break begins before this byte
	firstWordColumn int // column of the line's first word
}

func newCursor(src []byte, line Span) cursor {
	c := cursor{src: src, at: int(line.From), end: int(line.To), lineFrom: int(line.From)}
	c.word = c.at
	c.findWord()
	c.firstWordColumn = c.wordColumn
	return c
}

// findWord moves word behind the white space in which it stands.
func (c *cursor) findWord() {
	for c.word < c.end {
		c.steps++
		switch c.src[c.word] {
		case ' ':
			c.wordColumn++
		case '\t':
			c.wordColumn += tabStop - c.wordColumn%tabStop
		default:
			return
		}
		c.word++
	}
}

// indent returns the columns of white space at the cursor.
func (c *cursor) indent() int { return c.wordColumn - c.column }

// blank reports whether nothing but white space is left.
func (c *cursor) blank() bool { return c.word == c.end }

// peek returns the first byte that is no white space, 0 when there is none.
func (c *cursor) peek() byte {
	if c.word == c.end {
		return 0
	}
	return c.src[c.word]
}

// rest returns the line from the first byte that is no white space.
func (c *cursor) rest() []byte { return c.src[c.word:c.end] }

// skip moves over n columns of white space, or all of it when there is less.
func (c *cursor) skip(n int) {
	for n > 0 && c.at < c.word {
		width := 1
		if c.src[c.at] == '\t' {
			width = tabStop - c.column%tabStop
		}
		if width > n {
			c.column += n
			return
		}
		c.column += width
		n -= width
		c.at++
	}
}

// take moves to the first byte that is no white space and over n bytes more,
// which are no tabs.
func (c *cursor) take(n int) {
	c.at, c.column = c.word+n, c.wordColumn+n
	c.word, c.wordColumn = c.at, c.column
	c.findWord()
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
