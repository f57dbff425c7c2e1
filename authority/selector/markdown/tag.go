package markdown

import (
	"bytes"
	"html"
	"strings"
)

// tagLength returns the length of the complete open or closing tag with which
// text begins (CommonMark §6.6), 0 when there is none.
func tagLength(text []byte) int {
	n, _ := scanTag(text, nil)
	return n
}

// scanTag returns the length of the tag with which text begins, and its name.
// attribute, when not nil, is called with each attribute.
func scanTag(text []byte, attribute func(name, value []byte)) (n int, name []byte) {
	if len(text) < 2 || text[0] != '<' {
		return 0, nil
	}
	if text[1] == '/' {
		name = tagName(text[2:])
		n = skipWhite(text, 2+len(name))
		if len(name) == 0 || n == len(text) || text[n] != '>' {
			return 0, nil
		}
		return n + 1, name
	}
	name = tagName(text[1:])
	if len(name) == 0 {
		return 0, nil
	}
	at := 1 + len(name)
	for {
		next := skipWhite(text, at)
		if next == len(text) {
			return 0, nil
		}
		switch {
		case text[next] == '>':
			return next + 1, name
		case text[next] == '/' && next+1 < len(text) && text[next+1] == '>':
			return next + 2, name
		case next == at:
			return 0, nil // an attribute needs white space before it
		}
		end, ok := scanAttribute(text, next, attribute)
		if !ok {
			return 0, nil
		}
		at = end
	}
}

// scanAttribute reads the attribute at offset at and returns where it ends.
func scanAttribute(text []byte, at int, attribute func(name, value []byte)) (end int, ok bool) {
	end = at
	for end < len(text) && isAttributeByte(text[end], end == at) {
		end++
	}
	if end == at {
		return 0, false
	}
	name := text[at:end]
	var value []byte
	if eq := skipWhite(text, end); eq < len(text) && text[eq] == '=' {
		if value, end = scanValue(text, skipWhite(text, eq+1)); value == nil {
			return 0, false
		}
	}
	if attribute != nil {
		attribute(name, value)
	}
	return end, true
}

// scanValue reads an attribute value, without its quotes; nil when there is
// none.
func scanValue(text []byte, at int) (value []byte, end int) {
	if at == len(text) {
		return nil, at
	}
	if q := text[at]; q == '"' || q == '\'' {
		i := bytes.IndexByte(text[at+1:], q)
		if i < 0 {
			return nil, at
		}
		return text[at+1 : at+1+i], at + i + 2
	}
	end = at
	for end < len(text) && !isWhite(text[end]) && strings.IndexByte("\"'=<>`", text[end]) < 0 {
		end++
	}
	if end == at {
		return nil, at
	}
	return text[at:end], end
}

func isAttributeByte(b byte, first bool) bool {
	switch {
	case isLetter(b), b == '_', b == ':':
		return true
	case first:
		return false
	}
	return isDigit(b) || b == '.' || b == '-'
}

// isWhite reports whether b separates the parts of a tag, a link or a label.
func isWhite(b byte) bool { return isSpace(b) || b == '\n' }

// skipWhite returns the first offset at or after at that is not white space.
func skipWhite(text []byte, at int) int {
	for at < len(text) && isWhite(text[at]) {
		at++
	}
	return at
}

// Anchor reads the HTML tag with which text begins when it is an a element's
// open or closing tag. n is the tag's length, 0 when there is no such tag;
// names are the values of its id and name attributes, none for a closing tag.
func Anchor(text []byte) (n int, names []string) {
	n, tag := scanTag(text, func(name, value []byte) {
		if isAnchorAttribute(name) && len(value) > 0 {
			names = append(names, html.UnescapeString(string(value)))
		}
	})
	if n == 0 || !bytes.EqualFold(tag, []byte("a")) {
		return 0, nil
	}
	return n, names
}

func isAnchorAttribute(name []byte) bool {
	return bytes.EqualFold(name, []byte("id")) || bytes.EqualFold(name, []byte("name"))
}
