package selector

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

var atKind = &kind{
	name:       "at",
	positional: throughIndex,
	parse:      parseAt,
	summary:    "a value in JSON, YAML or TOML, by RFC 6901 pointer",
	example:    "at=/dependencies/left-pad",
	doc: `at=POINTER; the empty pointer names the whole document's value. In a token ~1
is '/' and ~0 is '~'. A token is a key of an object or, in an array, an index
from 0 without leading zeros; a token of digits makes the path positional. The
range is the value's own bytes, without its key: a value without bytes, such as
an empty YAML value, is missing. A key that stands twice on the path is
ambiguous. In YAML aliases and merge keys are not followed, and a path must be
unique across the documents of a file. A TOML table is what stands below its
header; one whose content stands under several headers is ambiguous. In a
Markdown file the path selects in its front matter. The file's name decides the
format; tsconfig.json, .jsonc and the like may have comments.`,
}

// at is a parsed RFC 6901 pointer: its text and its unescaped tokens.
type at struct {
	text   string
	tokens []string
}

// parseAt parses an RFC 6901 pointer. Each token has one spelling, since '/'
// and '~' must be escaped and nothing else can be.
func parseAt(value string, _ []string) (evaluator, error) {
	if value == "" {
		return at{}, nil
	}
	if value[0] != '/' {
		return nil, malformed(0, "a path is empty or begins with '/', as RFC 6901 has it")
	}
	if i := invalidUTF8([]byte(value)); i >= 0 {
		return nil, malformed(i, "a path is valid UTF-8, as keys are")
	}
	for i := 0; i < len(value); i++ {
		if value[i] == '~' && (i+1 == len(value) || value[i+1] != '0' && value[i+1] != '1') {
			return nil, malformed(i, "'~' is written ~0 and '/' is written ~1; no other escape exists")
		}
	}
	tokens := strings.Split(value[1:], "/")
	for i, t := range tokens {
		tokens[i] = unescapeToken(t)
	}
	return at{text: value, tokens: tokens}, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s []byte) int {
	if utf8.Valid(s) {
		return -1
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
}

func unescapeToken(t string) string {
	return strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
}

func escapeToken(t string) string {
	return strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1")
}

// throughIndex reports whether a token of the path could be an array index. The
// text alone cannot tell an index from a key of digits, so a key of digits
// counts too: a path that may be positional is never taken for one that is not.
func throughIndex(value string) bool {
	for token := range strings.SplitSeq(value, "/") {
		if _, ok := arrayIndex(token); ok {
			return true
		}
	}
	return false
}

// arrayIndex parses an array index: decimal, without leading zeros. One too
// large for any array is the largest int.
func arrayIndex(token string) (int, bool) {
	if token == "" || token[0] == '0' && token != "0" || strings.Trim(token, "0123456789") != "" {
		return 0, false
	}
	if len(token) > 9 {
		return int(^uint(0) >> 1), true
	}
	n := 0
	for _, c := range []byte(token) {
		n = 10*n + int(c-'0')
	}
	return n, true
}

func (a at) value() string { return a.text }

func (a at) find(ctx context.Context, d *Document) ([]Match, error) {
	t, fault := d.dataTree()
	if fault != nil {
		return nil, fault
	}
	found, err := a.walkAll(d, t)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		ranges := t.rangesOf(found)
		return capMatches(ranges, func(most int) []string { return d.linesNames(ranges[:most]) })
	}
	i := found[0]
	if err := t.single(d, i); err != nil {
		return nil, err
	}
	if err := t.prove(ctx, i); err != nil {
		return nil, err
	}
	return []Match{{Range: t.rangeOf(i)}}, nil
}

// walkAll follows the path from every document of the file. A fork, which is a
// key that stands twice, is an error; no match at all is one that says where
// the path ended.
func (a at) walkAll(d *Document, t *dataTree) ([]int, error) {
	var found []int
	reason := "the file holds no document"
	for _, root := range t.roots {
		i, end := t.walk(root, a.tokens)
		switch {
		case end == nil:
			found = append(found, i)
		case len(end.forks) > 0:
			return nil, t.forkError(d, a, end)
		default:
			reason = end.reason
		}
	}
	if t.invalid != nil {
		return nil, t.invalid
	}
	if len(found) == 0 {
		return nil, &Error{Fault: NoMatch, Proof: fmt.Sprintf("at=%s names nothing: %s", clip(a.text), reason)}
	}
	return found, nil
}
