package reference

import (
	"html"
	"slices"

	"ctxptr/authority/selector/markdown"
)

// readMarkdown reads front matter and, block by block, links and running text.
// What the scanner refuses, because it is beyond its limits, is read as plain
// text.
func (f *finder) readMarkdown() {
	doc, err := markdown.Parse(f.data)
	if err != nil {
		f.readText(0, len(f.data))
		return
	}
	matter := markdown.FrontMatter(f.data)
	f.readFrontMatter(int(matter.From), int(matter.To))
	m := markdownReader{finder: f, doc: doc, items: map[int32]*scope{}}
	for _, b := range doc.Blocks() {
		m.block(b)
	}
}

// markdownReader walks over the blocks of a document.
type markdownReader struct {
	*finder
	doc   *markdown.Document
	items map[int32]*scope // the text last read in each list item
	links []markdown.Link
}

func (m *markdownReader) block(b markdown.Block) {
	from, to := int(b.From), int(b.To)
	switch b.Kind {
	case markdown.Paragraph, markdown.Heading, markdown.Row, markdown.HTML:
		m.text(b)
	case markdown.Definition:
		m.definition(b)
	case markdown.Code:
		m.sample = true
		m.enter(nil, from, to)
		eachLine(m.data, from, to, m.scan)
		m.sample = false
	}
}

// text reads the lines of a block: links first, then what stands around them.
func (m *markdownReader) text(b markdown.Block) {
	m.enter(m.around(b), int(b.From), int(b.To))
	m.links = m.links[:0]
	m.doc.Links(b, func(l markdown.Link) { m.links = append(m.links, l) })
	slices.SortStableFunc(m.links, func(a, b markdown.Link) int { return int(a.From - b.From) })
	m.prose = b.Kind != markdown.HTML
	next := 0
	if b.Kind == markdown.HTML {
		eachLine(m.data, int(b.From), int(b.To), func(from, to int) { next = m.line(from, to, next) })
	}
	for _, line := range m.doc.Lines(b) {
		next = m.line(int(line.From), int(line.To), next)
	}
	m.prose = false
	if b.Parent >= 0 && b.Kind == markdown.Paragraph {
		kept := m.scope
		m.items[b.Parent] = &kept
	}
}

// around returns the text that stands in the list items around a block, before
// it.
func (m *markdownReader) around(b markdown.Block) *scope {
	if b.Kind == markdown.Row {
		return nil
	}
	blocks := m.doc.Blocks()
	for p := b.Parent; p >= 0; p = blocks[p].Parent {
		if s := m.items[p]; s != nil {
			return s
		}
	}
	return nil
}

// line scans a line around the links in it; next is the first link that does not
// end before it.
func (m *markdownReader) line(from, to, next int) int {
	for next < len(m.links) {
		l := m.links[next]
		if int(l.From) >= to {
			break
		}
		if int(l.From) >= from {
			m.scan(from, int(l.From))
		}
		if int(l.To) > to {
			return next
		}
		m.link(l)
		next++
		for next < len(m.links) && m.links[next].To <= l.To {
			m.link(m.links[next]) // an image in the link's text
			next++
		}
		from = max(from, int(l.To))
	}
	m.scan(from, to)
	return next
}

// definition reads a link reference definition. A footnote that is one word is
// read as text.
func (m *markdownReader) definition(b markdown.Block) {
	m.enter(nil, int(b.From), int(b.To))
	if text := m.doc.Bytes(b.Span); len(text) > 1 && text[1] == '^' {
		for _, line := range m.doc.Lines(b) {
			m.scan(int(line.From), int(line.To))
		}
		return
	}
	m.doc.Links(b, m.link)
}

// link adds a link's destination.
func (m *markdownReader) link(l markdown.Link) {
	written := m.doc.Bytes(l.Destination)
	if len(written) == 0 {
		return
	}
	destination := markdown.Unescape(written)
	if l.HTML {
		destination = html.UnescapeString(string(written))
	}
	if r, ok := linkReference(destination); ok {
		m.add(r, int(l.Destination.From), int(l.Destination.To))
		m.named(r, int(l.To))
	}
}
