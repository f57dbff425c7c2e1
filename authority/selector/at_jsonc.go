package selector

import "bytes"

// blankJSONC returns a copy of src in which spaces stand for comments and for
// trailing commas, so that every other byte keeps its place. What is not JSON
// with comments is left as it is, for the parser to refuse.
func blankJSONC(src []byte) []byte {
	b := blanker{text: bytes.Clone(src), comma: -1}
	for b.at < len(b.text) {
		b.next()
	}
	return b.text
}

// blanker walks over a text once.
type blanker struct {
	text  []byte
	at    int
	last  byte // the last byte that is neither space nor comment
	comma int  // offset of that byte if it is a comma behind a value, else -1
}

func (b *blanker) next() {
	c := b.text[b.at]
	switch c {
	case ' ', '\t', '\r', '\n':
		b.at++
		return
	case '/':
		b.blank(commentLen(b.text[b.at:]))
		return
	case ',':
		b.comma = -1
		if b.last != 0 && bytes.IndexByte([]byte("[{,:"), b.last) < 0 {
			b.comma = b.at
		}
		b.last = c
		b.at++
		return
	case ']', '}':
		if b.comma >= 0 {
			b.text[b.comma] = ' '
		}
	case '"':
		b.at += stringLen(b.text[b.at:]) - 1
	}
	b.last, b.comma = c, -1
	b.at++
}

// blank overwrites a comment of n bytes with spaces; line ends stay, so that
// lines stay. Where there is none, nothing behind it is read.
func (b *blanker) blank(n int) {
	if n == 0 {
		b.at = len(b.text)
		return
	}
	for i := b.at; i < b.at+n; i++ {
		if c := b.text[i]; c != '\n' && c != '\r' {
			b.text[i] = ' '
		}
	}
	b.at += n
}

// commentLen returns the length of the comment that text begins with, 0 when
// there is none: one is not closed, or holds U+2028 or U+2029, which end a line
// comment for some readers and not for others.
func commentLen(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		n := bytes.IndexAny(text, "\r\n")
		if n < 0 {
			n = len(text)
		}
		if bytes.Contains(text[:n], []byte("\u2028")) || bytes.Contains(text[:n], []byte("\u2029")) {
			return 0
		}
		return n
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
	}
	return 0
}

// stringLen returns the length of the string that text begins with, up to the
// end when it is not closed.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
