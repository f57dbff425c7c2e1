package markdown

import (
	"bytes"
	"strings"
	"unicode"
)

// mostLabel is the greatest length of a link label in bytes. CommonMark counts
// 999 characters; a label that is longer in bytes is no label here.
const mostLabel = 999

// scanLabel returns the length of the link label with which text begins, its
// brackets included, 0 when there is none.
func scanLabel(text []byte) int {
	if len(text) == 0 || text[0] != '[' {
		return 0
	}
	for i := 1; i < len(text) && i <= mostLabel+1; i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			return 0
		case ']':
			if len(bytes.TrimFunc(text[1:i], isWhiteRune)) == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

func isWhiteRune(r rune) bool { return r < 0x80 && isWhite(byte(r)) }

// normalLabel returns what labels are compared by: white space collapsed, case
// folded.
func normalLabel(label []byte) string {
	fields := bytes.FieldsFunc(label, isWhiteRune)
	folded := strings.Map(foldRune, string(bytes.Join(fields, []byte{' '})))
	return strings.ReplaceAll(folded, "ß", "SS") // the one full folding in common use
}

// foldRune returns the least rune that differs from r in case only.
func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

// scanDestination returns the length of the link destination with which text
// begins, -1 when there is none; 0 is the empty destination.
func scanDestination(text []byte) int {
	if len(text) > 0 && text[0] == '<' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				if i+1 < len(text) && isPunct(text[i+1]) {
					i++
				}
			case '>':
				return i + 1
			case '<', '\n', '\r':
				return -1
			}
		}
		return -1
	}
	return scanBareDestination(text)
}

// scanBareDestination reads a destination without angle brackets: no white
// space and no control characters, parentheses balanced and not deep.
func scanBareDestination(text []byte) int {
	const deepest = 32
	depth, i := 0, 0
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && isPunct(text[i+1]):
			i++
		case c == '(':
			if depth++; depth > deepest {
				return -1
			}
		case c == ')':
			if depth--; depth < 0 {
				return i
			}
		case c <= ' ' || c == 0x7f:
			if depth > 0 {
				return -1
			}
			return i
		}
	}
	if depth > 0 {
		return -1
	}
	return i
}

// scanTitle returns the length of the link title with which text begins, its
// quotes included, 0 when there is none.
func scanTitle(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	closer := text[0]
	switch closer {
	case '"', '\'':
	case '(':
		closer = ')'
	default:
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == closer:
			return i + 1
		case c == '(' && closer == ')':
			return 0
		}
	}
	return 0
}

// isPunct reports whether b is ASCII punctuation, which a backslash escapes.
func isPunct(b byte) bool {
	return '!' <= b && b <= '/' || ':' <= b && b <= '@' || '[' <= b && b <= '`' || '{' <= b && b <= '~'
}
