package symbols

// IsSpace reports whether c is white space between tokens.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// DropSpace returns s without its white space.
func DropSpace(s string) string { return respace(s, false) }

// Squeeze returns s without its white space, but for one blank between a word,
// or a closing bracket, and a word: "< S<T>  as fmt :: Debug >" is
// "<S<T> as fmt::Debug>".
func Squeeze(s string) string { return respace(s, true) }

func respace(s string, keepWords bool) string {
	b := make([]byte, 0, len(s))
	gap := false
	for i := range len(s) {
		c := s[i]
		if IsSpace(c) {
			gap = true
			continue
		}
		if gap && keepWords && isWord(c) && endsWord(b) {
			b = append(b, ' ')
		}
		b, gap = append(b, c), false
	}
	return string(b)
}

// endsWord reports whether b ends with a word or with a closing bracket, which
// the '>' of "->" and "=>" is not.
func endsWord(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch last := b[len(b)-1]; last {
	case ']', ')':
		return true
	case '>':
		return len(b) == 1 || b[len(b)-2] != '-' && b[len(b)-2] != '='
	default:
		return isWord(last)
	}
}

// isWord reports whether c can stand in a word; every byte outside ASCII can.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '\'' || c >= 0x80
}
