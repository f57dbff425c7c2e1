package markdown

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanEntity reads the character reference with which text, which begins with
// '&', begins (CommonMark §2.5). n is its length, 0 when there is none.
func scanEntity(text []byte) (decoded string, n int) {
	const longest = 33 // the longest name of HTML 5, with '&' and ';'
	end := bytes.IndexByte(text[:min(len(text), longest)], ';')
	if end < 2 {
		return "", 0
	}
	reference := string(text[:end+1])
	if reference[1] == '#' {
		decoded = numericEntity(reference[2:end])
	} else {
		decoded = namedEntity(reference)
	}
	if decoded == "" {
		return "", 0
	}
	return decoded, end + 1
}

// numericEntity decodes "35" or "x23"; what is no Unicode scalar value, and
// zero, is U+FFFD.
func numericEntity(digits string) string {
	base, most := 10, 7
	if digits != "" && digits[0]|0x20 == 'x' {
		digits, base, most = digits[1:], 16, 6
	}
	value, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > most || digits[0] == '+' {
		return ""
	}
	if value == 0 || value > utf8.MaxRune || !utf8.ValidRune(rune(value)) {
		return string(utf8.RuneError)
	}
	return string(rune(value))
}

// namedEntity decodes "&name;". html.UnescapeString also decodes a name that is
// only the beginning of this one, and then leaves the ';'.
func namedEntity(reference string) string {
	for _, c := range []byte(reference[1 : len(reference)-1]) {
		if !isLetter(c) && !isDigit(c) {
			return ""
		}
	}
	decoded := html.UnescapeString(reference)
	if strings.HasSuffix(decoded, ";") && reference != "&semi;" {
		return ""
	}
	return decoded
}
