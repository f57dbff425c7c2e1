package selector

// The kinds of difference that Difference tells apart.
const (
	EOLOnly        = "eol-only"        // CRLF here, LF there
	WhitespaceOnly = "whitespace-only" // other ASCII white space, more or less of it
	Content        = "content"
)

// Difference says how old and new differ, for a diagnosis: EOLOnly,
// WhitespaceOnly or Content, and "" when they are identical.
func Difference(old, new []byte) string {
	switch {
	case string(old) == string(new):
		return ""
	case equalBut(old, new, crOfCRLF):
		return EOLOnly
	case equalBut(old, new, whiteSpace):
		return WhitespaceOnly
	}
	return Content
}

// equalBut reports whether a and b are equal without the bytes that skip holds
// for.
func equalBut(a, b []byte, skip func(text []byte, at int) bool) bool {
	i, j := 0, 0
	for {
		for i < len(a) && skip(a, i) {
			i++
		}
		for j < len(b) && skip(b, j) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i++
		j++
	}
}

func crOfCRLF(text []byte, at int) bool {
	return text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n'
}

func whiteSpace(text []byte, at int) bool {
	c := text[at]
	return c == ' ' || '\t' <= c && c <= '\r'
}
