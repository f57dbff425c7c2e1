package selector

import (
	"context"
	"strings"
	"unicode/utf8"

	"ctxptr/authority/selector/markdown"
)

var headingKind = &kind{
	name:      "heading",
	modifiers: []string{"own"},
	parse:     parseHeading,
	summary:   "a Markdown section by the text of its heading",
	example:   "heading=Install/Linux",
	doc: `heading=TEXT; TEXT is the heading's text without marks, white space collapsed,
upper and lower case told apart. heading=A/B is a B directly below an A; a slash
or backslash in a heading is written \/ or \\. The range begins with the heading
line and ends before the next heading of the same or a higher level; heading+own
ends it before the first subheading. A heading in a quote or list has no section
and cannot be selected, but makes an equal one ambiguous.`,
}

// heading is a path of heading texts, the outermost first.
type heading struct {
	path []string
	own  bool
}

func parseHeading(value string, modifiers []string) (evaluator, error) {
	if !utf8.ValidString(value) {
		return nil, malformed(0, "a heading is named by its text, which is UTF-8")
	}
	var path []string
	var segment strings.Builder
	from := 0
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == '/':
			text := markdown.Collapse(segment.String())
			if text == "" {
				return nil, malformed(from, "the text of a heading is empty")
			}
			path = append(path, text)
			segment.Reset()
			from = i + 1
		case value[i] == '\\':
			if i++; i == len(value) || value[i] != '/' && value[i] != '\\' {
				return nil, malformed(i-1, `the escapes in a heading are \/ and \\`)
			}
			segment.WriteByte(value[i])
		default:
			segment.WriteByte(value[i])
		}
	}
	return heading{path: path, own: len(modifiers) > 0}, nil
}

func (h heading) value() string {
	segments := make([]string, len(h.path))
	for i, s := range h.path {
		segments[i] = escapeSegment(s)
	}
	return strings.Join(segments, "/")
}

// escapeSegment writes a heading's text as a segment of a path.
func escapeSegment(text string) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	return strings.NewReplacer(`\`, `\\`, `/`, `\/`).Replace(text)
}

func (h heading) find(ctx context.Context, d *Document) ([]Match, error) {
	o, err := d.outline(ctx)
	if err != nil {
		return nil, err
	}
	var found []int
	for i := range o.heads {
		if o.fits(i, h.path) {
			found = append(found, i)
		}
	}
	if h.own {
		return o.matchHeads(found, headingKind.name+"+own")
	}
	return o.matchHeads(found, headingKind.name)
}

// fits reports whether head i and the sections around it have the texts of
// path, the last of which is its own.
func (o *outline) fits(i int, path []string) bool {
	for k := len(path) - 1; k >= 0; k-- {
		if i < 0 || o.heads[i].text != path[k] {
			return false
		}
		i = o.heads[i].parent
	}
	return true
}

// matchHeads makes matches of the sections of the found heads. selector is the
// type, with modifiers, of the selectors that tell them apart.
func (o *outline) matchHeads(found []int, selector string) ([]Match, error) {
	selectable := 0
	for _, i := range found {
		if !o.heads[i].nested {
			selectable++
		}
	}
	if len(found) > 0 && selectable == 0 {
		return nil, inContainer()
	}
	ranges := make([]Range, len(found))
	for k, i := range found {
		ranges[k] = o.heads[i].Range
		if h := &o.heads[i]; !h.nested && strings.HasSuffix(selector, "+own") {
			ranges[k].To = h.ownTo
		}
	}
	return capMatches(ranges, func(most int) []string { return o.headNames(found[:most], ranges, selector) })
}

// inContainer is the error for a place that fits where no section is.
func inContainer() *Error {
	return &Error{Fault: NoMatch, Near: true, Proof: "the only headings that fit stand in a block quote or list, where a section has no end"}
}

// headNames returns for each found head a selector that names it alone: the
// shortest path of texts that no other head has, else its lines.
func (o *outline) headNames(found []int, ranges []Range, selector string) []string {
	paths := o.uniquePaths(found)
	names := make([]string, len(found))
	for k, i := range found {
		if path, ok := paths[i]; ok && !o.heads[i].nested {
			names[k] = selector + "=" + path
		} else {
			names[k] = o.source.LinesName(ranges[k])
		}
	}
	return names
}
