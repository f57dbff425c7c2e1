package resolver

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"ctxptr/authority"
)

// Found is the text of a pointer that stands in a line of text.
type Found struct {
	Column int // in bytes, from 1
	Text   string
}

// FindInLine returns every pointer in a line of text, in order. One starts at
// "ctxptr:" and a kind, and ends before the first byte that no pointer holds;
// trailing dots and colons belong to the sentence.
func FindInLine(line string) []Found {
	var found []Found
	for at := 0; ; {
		i := strings.Index(line[at:], Scheme)
		if i < 0 {
			return found
		}
		from := at + i
		at = from + len(Scheme)
		if joined(line, from) || !startsPointer(line[from:]) {
			continue // unread, so that many of them take no more than linear time
		}
		end := from
		for end < len(line) && inPointer(line[end]) {
			end++
		}
		text := strings.TrimRight(line[from:end], ".:")
		if startsPointer(text) {
			found = append(found, Found{from + 1, text})
			at = from + len(text)
		}
	}
}

// inPointer reports whether a byte can stand in a pointer's text.
func inPointer(c byte) bool { return isRaw(c) || strings.IndexByte("@#%+", c) >= 0 }

// joined reports whether what stands before from makes the scheme the end of a
// longer word, or a name space of a URN (RFC 8141). Marks join it to a letter or digit
// before them; behind anything else they are a bullet or emphasis.
func joined(line string, from int) bool {
	const urn = "urn:"
	if from >= len(urn) && strings.EqualFold(line[from-len(urn):from], urn) {
		return true
	}
	word := strings.TrimRight(line[:from], "-._~")
	return word != "" && isRaw(word[len(word)-1]) && strings.IndexByte("=:/", word[len(word)-1]) < 0
}

// startsPointer reports whether text is the scheme, a kind in lower case and a
// colon, whatever follows.
func startsPointer(text string) bool {
	rest := strings.TrimPrefix(text, Scheme)
	n := 0
	for n < len(rest) && 'a' <= rest[n] && rest[n] <= 'z' {
		n++
	}
	return n > 0 && n < len(rest) && rest[n] == ':'
}

// ParseInText parses a pointer that stands in text, where it must be canonical.
func ParseInText(text string) (Pointer, error) {
	p, err := ParsePointer(text)
	if err != nil {
		return Pointer{}, err
	}
	if canonical := p.String(); canonical != text {
		return Pointer{}, syntaxAt(differAt(canonical, text), "in text a pointer stands in its canonical spelling")
	}
	return p, nil
}

func differAt(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

// noPointer advises the mint command when an argument looks like its target, and says
// it when a pointer stands there with something before it.
func noPointer(text string, f *authority.Fault) *authority.Fault {
	if f.Code != authority.MalformedSyntax || text == "" || strings.HasPrefix(text, Scheme) {
		return f
	}
	const inJSON = "{[\""
	told := *f
	switch {
	case strings.IndexByte(inJSON, text[0]) < 0 && FindInLine(text) != nil:
		told.Proof = "a pointer begins with ctxptr:, and something stands before it"
	case len(text) <= maxEcho && !strings.ContainsAny(text, inJSON) && printable(text):
		told.Proof = "this is no pointer; mint prints one for a target"
		told.Fix = []string{"ctxptr", "mint", text}
		if text[0] == '-' {
			told.Fix = []string{"ctxptr", "mint", "--", text}
		}
	}
	return &told
}

// printable reports whether text is UTF-8 without characters that could steer a
// terminal or reorder what stands on it.
func printable(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) < 0
}
