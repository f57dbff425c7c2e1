package selector

import (
	"context"

	"ctxptr/authority/selector/markdown"
)

var itemKind = &kind{
	name:    "item",
	parse:   parseItem,
	summary: "the block of a Markdown document that begins with an identifier",
	example: "item=AC-010",
	doc: `item=ID; ID is made of letters, digits and - _ ~ . between them, and holds a digit,
or a hyphen or underscore and no lower-case letter. The block begins with it,
behind a bullet, a task box, anchors and emphasis or code marks; then no letter,
digit, - _ ~ follows, nor a dot and a letter or digit. It is a list item with
all that is in it, a paragraph, a table row whose first cell is ID, a heading's
section, or the lines from one that begins with a bullet character to the next
that begins with one or with an identifier. A mention in running text is none.`,
}

// item is an identifier.
type item string

func parseItem(value string, _ []string) (evaluator, error) {
	if !isIdentifier(value) {
		return nil, malformed(0, "an identifier is letters, digits and - _ ~ . between them, with a digit, or with - or _ and no lower-case letter")
	}
	return item(value), nil
}

func (m item) value() string { return string(m) }

func (m item) find(ctx context.Context, d *Document) ([]Match, error) {
	o, err := d.outline(ctx)
	if err != nil {
		return nil, err
	}
	var found []entry
	selectable := 0
	for _, e := range o.items {
		if e.id == string(m) {
			found = append(found, e)
			if !o.inContainer(e) {
				selectable++
			}
		}
	}
	if len(found) > 0 && selectable == 0 {
		return nil, inContainer()
	}
	ranges := make([]Range, len(found))
	for i, e := range found {
		ranges[i] = e.Range
	}
	return capMatches(ranges, func(most int) []string { return o.itemNames(found[:most], ranges[:most]) })
}

// itemNames returns for each entry a selector that names it alone, empty where
// there is none: for sections that of the heading, else the lines.
func (o *outline) itemNames(found []entry, ranges []Range) []string {
	names := o.source.linesNames(ranges)
	var heads []int
	for _, e := range found {
		if e.head >= 0 {
			heads = append(heads, e.head)
		}
	}
	paths := o.uniquePaths(heads)
	for i, e := range found {
		if path, ok := paths[e.head]; ok && !o.inContainer(e) {
			names[i] = headingKind.name + "=" + path
		}
	}
	return names
}

// entry is one block that begins with an identifier.
type entry struct {
	id string
	Range
	head int // index of the heading whose section it is, or -1
}

// inContainer reports whether e is a heading in a quote or list, which has no
// section.
func (o *outline) inContainer(e entry) bool { return e.head >= 0 && o.heads[e.head].nested }

// addItems fills items, in document order.
func (o *outline) addItems() {
	blocks := o.doc.Blocks()
	taken := -1 // the first child of a list item that already is an entry
	head := -1
	for i, b := range blocks {
		if b.Kind == markdown.Heading {
			head++
		}
		switch b.Kind {
		case markdown.Item:
			if o.addListItem(i) {
				taken = i + 1
			}
		case markdown.Paragraph:
			if i != taken {
				o.addItem(leadingIdentifier(o.firstText(b)), rangeOf(b.Span), -1)
			}
			o.addBullets(o.doc.Lines(b))
		case markdown.Heading:
			if i != taken {
				o.addItem(leadingIdentifier(o.firstText(b)), o.heads[head].Range, head)
			}
		case markdown.Row:
			if cell := o.doc.Bytes(o.doc.FirstCell(b)); len(cell) > 0 {
				o.addItem(wholeIdentifier(cell), rangeOf(b.Span), -1)
			}
		}
	}
}

func rangeOf(s markdown.Span) Range { return Range{int(s.From), int(s.To)} }

func (o *outline) addItem(id string, r Range, head int) {
	if id != "" {
		o.items = append(o.items, entry{id: id, Range: r, head: head})
	}
}

// addListItem adds the list item of block i when the first block in it begins
// with an identifier.
func (o *outline) addListItem(i int) bool {
	blocks := o.doc.Blocks()
	if i+1 == len(blocks) || blocks[i+1].Parent != int32(i) {
		return false
	}
	first := blocks[i+1]
	if first.Kind != markdown.Paragraph && first.Kind != markdown.Heading {
		return false
	}
	id := leadingIdentifier(cutTaskBox(o.firstText(first)))
	o.addItem(id, rangeOf(blocks[i].Span), -1)
	return id != ""
}

// firstText returns the first line of a block that holds more than anchors.
func (o *outline) firstText(b markdown.Block) []byte {
	var line []byte
	for _, l := range o.doc.Lines(b) {
		line = o.doc.Bytes(l)
		if len(line) > 0 && (line[0] != '<' || len(skipMarks(line)) > 0) {
			break
		}
	}
	return line
}

// addBullets adds the lines of a paragraph that begin with a bullet character,
// which is no list marker in Markdown, each up to the next bullet or
// identifier.
func (o *outline) addBullets(lines []markdown.Span) {
	open := entry{head: -1}
	for _, l := range lines {
		line := o.doc.Bytes(l)
		text, bullet := cutBullet(line)
		if bullet || open.id != "" && beginsItem(line) {
			o.addItem(open.id, open.Range, -1)
			open.id = ""
		}
		if bullet {
			open.id, open.From = leadingIdentifier(text), int(l.From)
		}
		open.To = int(l.To)
	}
	o.addItem(open.id, open.Range, -1)
}
