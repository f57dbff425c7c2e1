package selector

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxptr/authority/selector/markdown"
)

// isIdentifier reports whether s is an identifier such as AC-010: letters and
// digits joined by - _ ~ and dots. To be told from the first word of a text it
// holds a digit, or a hyphen or underscore and no lower-case letter.
func isIdentifier(s string) bool {
	if s == "" || len(scanToken(s)) != len(s) || strings.IndexByte("-_~.", s[0]) >= 0 || strings.IndexByte("-_~.", s[len(s)-1]) >= 0 {
		return false
	}
	return strings.ContainsFunc(s, unicode.IsDigit) || strings.ContainsAny(s, "-_") && !strings.ContainsFunc(s, unicode.IsLower)
}

// scanToken returns the longest beginning of s that no boundary ends: letters
// with their marks, digits, - _ ~, and dots before a letter or digit.
func scanToken(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isWordRune(r), r == '-', r == '_', r == '~':
		case r == '.' && startsWord(s[i+1:]):
		default:
			return s[:i]
		}
		i += n
	}
	return s
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWordRune(r)
}

// mostToken is the greatest length of an identifier in bytes, so that a line
// is looked at only as far as one can reach.
const mostToken = 256

// leadingIdentifier returns the identifier with which text begins, behind
// anchors and the marks of emphasis and code; empty when it begins with none.
func leadingIdentifier(text []byte) string {
	id, _ := cutIdentifier(text)
	return id
}

// wholeIdentifier returns the identifier that is all of text but for anchors
// and marks around it, empty when it is none.
func wholeIdentifier(text []byte) string {
	id, rest := cutIdentifier(text)
	if len(skipMarks(rest)) > 0 {
		return ""
	}
	return id
}

// cutIdentifier returns the identifier with which text begins and what stands
// behind it. An underscore behind it is a boundary only as the mark that closes
// the one before it.
func cutIdentifier(text []byte) (id string, rest []byte) {
	after := skipMarks(text)
	token := scanToken(string(after[:min(len(after), mostToken+utf8.UTFMax)]))
	id = token
	if k := trailing(text[:len(text)-len(after)], '_'); k > 0 && trailing([]byte(token), '_') == k {
		id = token[:len(token)-k]
	}
	if len(token) > mostToken || !isIdentifier(id) {
		return "", nil
	}
	return id, after[len(id):]
}

// trailing returns how often c stands at the end of text.
func trailing(text []byte, c byte) int { return len(text) - len(bytes.TrimRight(text, string(c))) }

// skipMarks returns text without the anchors and the marks of emphasis and code
// before its first word. White space counts between anchors only: a mark before
// white space opens nothing.
func skipMarks(text []byte) []byte {
	for len(text) > 0 {
		switch text[0] {
		case '*', '_', '`':
			text = text[1:]
			continue
		case '<':
			n, _ := markdown.Anchor(text)
			if n == 0 {
				return text
			}
			text = bytes.TrimLeft(text[n:], " \t")
			continue
		}
		break
	}
	return text
}

// cutTaskBox cuts "[ ] " or "[x] " from the beginning of a list item.
func cutTaskBox(text []byte) []byte {
	if len(text) < 4 || text[0] != '[' || text[2] != ']' || text[3] != ' ' && text[3] != '\t' {
		return text
	}
	switch text[1] {
	case ' ', 'x', 'X':
		return bytes.TrimLeft(text[3:], " \t")
	}
	return text
}

// cutBullet cuts a bullet character and the white space behind it from a line.
func cutBullet(line []byte) (rest []byte, found bool) {
	rest, found = bytes.CutPrefix(line, []byte("•"))
	if !found {
		return line, false
	}
	return bytes.TrimLeft(rest, " \t\u00a0"), true
}

// beginsItem reports whether line begins with an identifier whose first rune is
// a letter: a wrapped line may begin with a number.
func beginsItem(line []byte) bool {
	first, _ := utf8.DecodeRuneInString(leadingIdentifier(line))
	return unicode.IsLetter(first)
}
