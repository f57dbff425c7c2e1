package selector

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var anchorKind = &kind{
	name:    "anchor",
	parse:   parseAnchor,
	summary: "a Markdown section by the fragment that links to it",
	example: "anchor=install-on-linux",
	doc: `anchor=NAME; NAME is GitHub's slug of the heading without a number behind it, the
ID of {#ID}, or the id or name of an a element in the heading or alone in the
block directly above it. A slug that two headings share is ambiguous: -1 behind
a slug counts headings, so that a new one above would move it. The range is that
of heading.`,
}

// anchor is the name of a section.
type anchor string

func parseAnchor(value string, _ []string) (evaluator, error) {
	if value == "" {
		return nil, malformed(0, "the name of an anchor is empty")
	}
	return anchor(value), nil
}

func (a anchor) value() string { return string(a) }

func (a anchor) find(ctx context.Context, d *Document) ([]Match, error) {
	o, err := d.outline(ctx)
	if err != nil {
		return nil, err
	}
	var found []int
	for i := range o.heads {
		if slices.Contains(o.heads[i].anchors, string(a)) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return nil, o.numbered(string(a))
	}
	return o.matchHeads(found, headingKind.name)
}

// numbered says of an anchor that names nothing that GitHub gives it to one of
// several headings by their order; nil when it does not.
func (o *outline) numbered(name string) error {
	i := strings.LastIndexByte(name, '-')
	number, err := strconv.ParseUint(name[i+1:], 10, 31)
	if i < 0 || err != nil || name[i+1] == '0' {
		return nil
	}
	sharing := 0
	for _, h := range o.heads {
		if slices.Contains(h.anchors, name[:i]) {
			sharing++
		}
	}
	if sharing <= int(number) {
		return nil
	}
	return &Error{Fault: NoMatch, Near: true, Proof: fmt.Sprintf("anchor=%s goes by the order of the %d headings that share anchor=%s: a new one above would move it", clip(name), sharing, clip(name[:i]))}
}
