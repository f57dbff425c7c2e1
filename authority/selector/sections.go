package selector

import (
	"cmp"
	"context"
	"slices"
)

// Sections lists the headings, anchors and items of a Markdown document, in
// document order, each with a selector that names it alone: its own, for
// headings that share their text the shortest path, else the lines. Left out
// are headings in quotes and lists, which no selector names, and anchors that
// several headings share. The error is an *Error.
func Sections(ctx context.Context, d *Document) ([]Listed, error) {
	o, err := d.outline(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(o.listHeads(), o.listAnchors(), o.listItems())
	slices.SortStableFunc(all, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	})
	return all, nil
}

// listHeads lists the sections by their headings.
func (o *outline) listHeads() []Listed {
	found := make([]int, len(o.heads))
	ranges := make([]Range, len(o.heads))
	for i := range o.heads {
		found[i], ranges[i] = i, o.heads[i].Range
	}
	var all []Listed
	for i, name := range o.headNames(found, ranges, headingKind.name) {
		if name != "" && !o.heads[i].nested {
			all = append(all, Listed{Selector: name, Range: ranges[i], Kind: headingKind.name})
		}
	}
	return all
}

// listAnchors lists the sections by the anchors that name one alone.
func (o *outline) listAnchors() []Listed {
	count := map[string]int{}
	for _, h := range o.heads {
		for _, name := range h.anchors {
			count[name]++
		}
	}
	var all []Listed
	for _, h := range o.heads {
		for _, name := range h.anchors {
			if count[name] == 1 && !h.nested {
				all = append(all, Listed{Selector: anchorKind.name + "=" + name, Range: h.Range, Kind: anchorKind.name})
			}
		}
	}
	return all
}

// listItems lists the blocks that begin with an identifier.
func (o *outline) listItems() []Listed {
	count := map[string]int{}
	for _, e := range o.items {
		count[e.id]++
	}
	var all []Listed
	for _, e := range o.items {
		name := itemKind.name + "=" + e.id
		if count[e.id] > 1 {
			name = o.source.LinesName(e.Range)
		}
		if name != "" && !o.inContainer(e) {
			all = append(all, Listed{Selector: name, Range: e.Range, Kind: itemKind.name})
		}
	}
	return all
}
