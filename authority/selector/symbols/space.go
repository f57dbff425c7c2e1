package symbols

import "strings"

// IsSpace reports whether c is white space between tokens.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// DropSpace returns s without its white space.
func DropSpace(s string) string { return respace(s, false) }

// Squeeze returns s without its white space, but for one blank between two
// words: "< S  as fmt :: Debug >" is "<S as fmt::Debug>".
func Squeeze(s string) string { return respace(s, true) }

func respace(s string, keepWords bool) string {
	var b strings.Builder
	b.Grow(len(s))
	var last byte
	gap := false
	for i := range len(s) {
		c := s[i]
		if IsSpace(c) {
			gap = true
			continue
		}
		if gap && keepWords && isWord(last) && isWord(c) {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
		last, gap = c, false
	}
	return b.String()
}

// isWord reports whether c can stand in a word; every byte outside ASCII can.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '\'' || c >= 0x80
}
