package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is what a heading says.
type Text struct {
	// Plain is the text without marks, its white space collapsed and trimmed,
	// and with the text of images.
	Plain string
	// Anchors are the names under which a link finds the heading: GitHub's slug
	// without a number behind it, then {#id} and the id and name of a elements
	// in the heading. None of them repeats.
	Anchors []string
	// Valid is false when the heading is not UTF-8. Then it has no text.
	Valid bool
}

// Text returns what heading b says. The error is a *LimitError.
func (d *Document) Text(b Block) (Text, error) {
	size := 0
	for _, l := range d.Lines(b) {
		size += int(l.To-l.From) + 1
	}
	if size > maxHeadingBytes {
		return Text{}, &LimitError{What: "bytes in a heading", Most: maxHeadingBytes, At: int(b.From)}
	}
	raw := bytes.TrimRight(d.join(nil, d.Lines(b)), " \t\n")
	if !utf8.Valid(raw) {
		return Text{}, nil
	}
	raw, id := cutAttributes(raw)
	if id != "" && d.src[b.From] == '#' {
		raw = trimClosing(raw) // ## Text ## {#id}
	}
	p := parseInline(d, raw)
	var all, visible strings.Builder
	p.write(&all, &visible)
	return Text{Plain: Collapse(all.String()), Anchors: names(slug(visible.String()), id, p.anchors), Valid: true}, nil
}

// names joins the names of a heading, without empty and repeated ones.
func names(slug, id string, anchors []string) []string {
	if id == "" && len(anchors) == 0 && slug != "" {
		return []string{slug}
	}
	var all []string
	seen := map[string]bool{"": true}
	for _, name := range append([]string{slug, id}, anchors...) {
		if !seen[name] {
			all = append(all, name)
			seen[name] = true
		}
	}
	return all
}

// cutAttributes cuts "{#id .class key=value}" from the end of a heading and
// returns its id. Braces that hold no id are text.
func cutAttributes(text []byte) (rest []byte, id string) {
	open := bytes.LastIndexByte(text, '{')
	if open < 0 || text[len(text)-1] != '}' || open > 0 && text[open-1] == '\\' {
		return text, ""
	}
	for field := range strings.FieldsSeq(string(text[open+1 : len(text)-1])) {
		switch {
		case field[0] == '#' && len(field) > 1 && id == "":
			id = field[1:]
		case field[0] == '.' && len(field) > 1, field[0] != '#' && strings.Contains(field, "="):
		default:
			return text, ""
		}
	}
	if id == "" {
		return text, ""
	}
	return bytes.TrimRight(text[:open], " \t"), id
}

// Collapse makes one space of each run of spaces, tabs and line ends and cuts
// them from both ends.
func Collapse(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }), " ")
}

// slug returns the fragment GitHub gives a heading: lower case; letters, marks,
// decimal and letter numbers, connectors, spaces and hyphens stay; spaces
// become hyphens. It is not trimmed.
func slug(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case 'a' <= r && r <= 'z':
			b.WriteRune(r)
		case r == 'İ':
			b.WriteString("i\u0307") // full case mapping: the only one that differs in lower case
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
