package selector

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority/selector/symbols"
)

// A segment is one name of a symbol's path, with the parameter types that tell
// it from its overloads where the selector states them.
type segment struct {
	name   string
	params string // comma-separated, without white space
	typed  bool   // parameter types are stated, maybe none: f()
}

// String returns the canonical spelling, which scanSegment gives back as s.
func (s segment) String() string {
	if !s.typed {
		return formatName(s.name)
	}
	return formatName(s.name) + "(" + s.params + ")"
}

// formatName returns name as it is where that reads back as the same name, else
// as a JSON string.
func formatName(name string) string {
	if s, end, err := scanSegment(name, 0); err == nil && end == len(name) && s == (segment{name: name}) {
		return name
	}
	quoted, err := jsontext.AppendQuote(nil, name)
	if err != nil { // names are valid UTF-8, the only thing it refuses
		return name
	}
	return string(quoted)
}

// parsePath parses seg("."seg)*, the value of a symbol selector.
func parsePath(value string) ([]segment, error) {
	if !utf8.ValidString(value) {
		return nil, malformed(0, "a symbol is not valid UTF-8")
	}
	var path []segment
	for at := 0; ; at++ {
		seg, end, err := scanSegment(value, at)
		if err != nil {
			return nil, err
		}
		if path = append(path, seg); len(path) > maxPath {
			return nil, malformed(at, "a symbol has more than 256 names")
		}
		if end == len(value) {
			return path, nil
		}
		if value[end] != '.' {
			return nil, malformed(end, "a symbol's names are separated by '.'")
		}
		at = end
	}
}

// maxPath is the most names a symbol may have.
const maxPath = 256

// scanSegment reads one segment of s at offset at and the white space around
// it, and returns where it ends.
func scanSegment(s string, at int) (seg segment, end int, err error) {
	i := skipSpace(s, at)
	switch {
	case i < len(s) && s[i] == '"':
		seg.name, i, err = scanQuoted(s, i)
	case i < len(s) && s[i] == '(' && at == 0:
		seg.name, i, err = scanReceiver(s, i)
	default:
		seg.name, i, err = scanName(s, i)
	}
	if err != nil {
		return segment{}, 0, err
	}
	if i = skipSpace(s, i); i < len(s) && s[i] == '(' {
		seg.typed = true
		if seg.params, i, err = scanParams(s, i); err != nil {
			return segment{}, 0, err
		}
	}
	return seg, skipSpace(s, i), nil
}

// scanQuoted reads the JSON string at s[at:].
func scanQuoted(s string, at int) (name string, end int, err error) {
	end = endOfString(s, at)
	if end < 0 {
		return "", 0, malformed(at, "a quoted name has no closing '\"'")
	}
	unquoted, err := jsontext.AppendUnquote(nil, s[at:end])
	if err != nil {
		return "", 0, malformed(at, "a quoted name is not a JSON string")
	}
	if len(unquoted) == 0 {
		return "", 0, malformed(at, "a name is empty")
	}
	return string(unquoted), end, nil
}

// endOfString returns the offset behind the '"' that ends the string at s[at:],
// or -1.
func endOfString(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// scanReceiver reads Go's spelling of a receiver, (T) or (*T).
func scanReceiver(s string, at int) (name string, end int, err error) {
	closing := strings.IndexByte(s[at:], ')')
	if closing < 0 {
		return "", 0, malformed(at, "a receiver has no closing ')'")
	}
	end = at + closing + 1
	name = strings.TrimSpace(s[at+1 : end-1])
	name = strings.TrimSpace(strings.TrimPrefix(name, "*"))
	if name == "" || strings.ContainsAny(name, ". \t\"(,") {
		return "", 0, malformed(at, "a receiver is (T) or (*T)")
	}
	return name, end, nil
}

// scanName reads a bare name: up to '.' or '(', where a '<…>' hides '(' and
// ','.
func scanName(s string, at int) (name string, end int, err error) {
	i, angles := at, true
	for ; i < len(s) && s[i] != '.' && s[i] != '('; i++ {
		switch c := s[i]; {
		case c == '<' && angles && !isOperator(s[at:i]):
			closing := closingAngle(s, i)
			if angles = closing > 0; angles {
				i = closing
			}
		case c == '"' || c == ',' || c == ')':
			return "", 0, malformed(i, "a name that has '\"', ',' or ')' is written as a JSON string")
		case symbols.IsSpace(c) && endsName(s, skipSpace(s, i)):
		case c < ' ' || c == 0x7f:
			return "", 0, malformed(i, "a name that has control characters is written as a JSON string")
		}
	}
	name = strings.TrimRight(s[at:i], " \t\n\r\f")
	if name == "" {
		return "", 0, malformed(at, "a name is empty")
	}
	if name[0] == '<' {
		name = symbols.Squeeze(name)
	}
	return name, i, nil
}

// endsName reports whether a bare name cannot go on at s[at:].
func endsName(s string, at int) bool { return at == len(s) || s[at] == '.' || s[at] == '(' }

// isOperator reports whether what precedes a '<' makes it part of the name of
// an operator: "operator<".
func isOperator(before string) bool {
	return strings.TrimRight(before, "<=> ") == "operator"
}

// closingAngle returns the offset of the '>' that closes the '<' at s[at], or
// -1. The '>' of "->" and "=>" closes nothing.
func closingAngle(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if s[i-1] == '-' || s[i-1] == '=' && depth > 0 && i > at+1 {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		case '.', '"':
			return -1
		}
	}
	return -1
}

// scanParams reads "(A, B<C, D>)" and returns the types without white space.
func scanParams(s string, at int) (params string, end int, err error) {
	depth := 0
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return symbols.DropSpace(s[at+1 : i]), i + 1, nil
			}
		case c == '"':
			closing := endOfString(s, i)
			if closing < 0 {
				return "", 0, malformed(i, "a string among the parameter types has no closing '\"'")
			}
			i = closing - 1
		}
	}
	return "", 0, malformed(at, "the parameter types have no closing ')'")
}

func skipSpace(s string, at int) int {
	for at < len(s) && symbols.IsSpace(s[at]) {
		at++
	}
	return at
}
