package selector

import (
	"bytes"
	"context"
	"errors"
	"path"
	"strings"

	"ctxptr/authority/selector/markdown"
)

// outline is what the selectors of Markdown know of a document.
type outline struct {
	source *Document
	doc    *markdown.Document
	heads  []head // in document order
	items  []entry
}

// outlineCache keeps an outline, or why there is none.
type outlineCache struct {
	*outline
	err error
}

// head is one heading with its section.
type head struct {
	Range          // the section; for a nested heading, its own lines
	ownTo   int    // where the section ends before its first subheading
	parent  int    // index of the heading of the section it stands in, or -1
	nested  bool   // inside a quote or list, where sections have no end
	text    string // empty when it has none or is not UTF-8
	name    int    // equal for equal texts
	anchors []string
	level   uint8
}

// outline returns the outline of d. The error is an *Error.
func (d *Document) outline(ctx context.Context) (*outline, error) {
	if ctx.Err() != nil {
		return nil, &Error{Fault: OverLimit, Proof: "the time allowed was over before the document was parsed"}
	}
	if d.marked.outline == nil && d.marked.err == nil {
		d.marked.outline, d.marked.err = newOutline(d)
	}
	return d.marked.outline, d.marked.err
}

func newOutline(d *Document) (*outline, error) {
	if name := otherMarkup(d.path); name != "" {
		return nil, &Error{Fault: Unsupported, Proof: "headings, anchors and items are read in Markdown; " + name + " is not supported"}
	}
	doc, err := markdown.Parse(d.data)
	if err != nil {
		return nil, overLimit(err)
	}
	o := &outline{source: d, doc: doc}
	if err := o.addHeads(); err != nil {
		return nil, overLimit(err)
	}
	o.addItems()
	return o, nil
}

// otherMarkup names the markup language of a path that is text but not
// Markdown, empty for every other.
func otherMarkup(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".adoc", ".asciidoc":
		return "AsciiDoc"
	case ".rst":
		return "reStructuredText"
	}
	return ""
}

func overLimit(err error) *Error {
	proof := "the document is beyond a limit"
	if e, ok := errors.AsType[*markdown.LimitError](err); ok {
		proof = e.Error()
	}
	return &Error{Fault: OverLimit, Proof: proof}
}

// mostHeads is the greatest number of headings of a document.
const mostHeads = 1 << 16

// addHeads fills heads. A section ends where the next one of the same or a
// higher level begins; headings in quotes and lists end none.
func (o *outline) addHeads() error {
	blocks := o.doc.Blocks()
	above := make([]int32, len(blocks)+1) // 1 + index of the last block seen in each container
	names := map[string]int{}
	var open []int
	for i, b := range blocks {
		if b.Kind == markdown.Heading {
			if len(o.heads) == mostHeads {
				return &markdown.LimitError{What: "headings", Most: mostHeads, At: int(b.From)}
			}
			h, err := o.newHead(b, int(above[b.Parent+1])-1)
			if err != nil {
				return err
			}
			h.name = number(names, h.text)
			open = o.addHead(open, h)
		}
		above[b.Parent+1] = int32(i) + 1
	}
	o.closeSections(open, 0, len(o.source.data))
	return nil
}

// number returns the number of text, a new one for a new text.
func number(names map[string]int, text string) int {
	n, ok := names[text]
	if !ok {
		n = len(names)
		names[text] = n
	}
	return n
}

// addHead appends h and returns the sections that are open behind it.
func (o *outline) addHead(open []int, h head) []int {
	if !h.nested {
		open = o.closeSections(open, h.level, h.From)
	}
	if len(open) > 0 {
		h.parent = open[len(open)-1]
	}
	o.heads = append(o.heads, h)
	if !h.nested {
		open = append(open, len(o.heads)-1)
	}
	return open
}

// newHead makes the head of heading b. above is the index of the block directly
// above it in the same container, or -1.
func (o *outline) newHead(b markdown.Block, above int) (head, error) {
	text, err := o.doc.Text(b)
	if err != nil {
		return head{}, err
	}
	h := head{ownTo: -1, parent: -1, nested: b.Parent != markdown.None, text: text.Plain, anchors: text.Anchors, level: b.Level}
	h.Range = Range{indentStart(o.source.data, int(b.From)), int(b.To)}
	if h.nested {
		h.From = lineStart(o.source.data, int(b.From))
	}
	if above >= 0 {
		h.anchors = appendNew(h.anchors, o.anchorsOf(o.doc.Blocks()[above]))
	}
	return h, nil
}

// indentStart returns the offset of the first of the spaces and tabs before at.
func indentStart(data []byte, at int) int { return len(bytes.TrimRight(data[:at], " \t")) }

// lineStart returns the offset of the first byte of the line of at, which ends
// with LF or CR.
func lineStart(data []byte, at int) int { return bytes.LastIndexAny(data[:at], "\r\n") + 1 }

// appendNew appends to list what of more is not yet in it.
func appendNew(list, more []string) []string {
	if len(more) == 0 {
		return list
	}
	seen := map[string]bool{}
	for _, s := range list {
		seen[s] = true
	}
	for _, s := range more {
		if !seen[s] {
			list = append(list, s)
			seen[s] = true
		}
	}
	return list
}

// anchorsOf returns the names in a block that holds nothing but a elements
// without text.
func (o *outline) anchorsOf(b markdown.Block) []string {
	var content []byte
	switch b.Kind {
	case markdown.Paragraph:
		for _, l := range o.doc.Lines(b) {
			content = append(append(content, o.doc.Bytes(l)...), '\n')
		}
	case markdown.HTML:
		content = o.doc.Bytes(b.Span)
	}
	var all []string
	for content = trimWhite(content); len(content) > 0; {
		n, names := markdown.Anchor(content)
		if n == 0 {
			return nil
		}
		all = append(all, names...)
		content = trimWhite(content[n:])
	}
	return all
}

func trimWhite(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// closeSections ends the open sections of level or deeper before offset at, and
// the own part of the last one whatever its level.
func (o *outline) closeSections(open []int, level uint8, at int) []int {
	if len(open) == 0 {
		return open
	}
	end := contentEnd(o.source.data, at)
	if last := &o.heads[open[len(open)-1]]; last.ownTo < 0 {
		last.ownTo = end
	}
	for len(open) > 0 && o.heads[open[len(open)-1]].level >= level {
		o.heads[open[len(open)-1]].To = end
		open = open[:len(open)-1]
	}
	return open
}

// contentEnd returns the end of the last line before offset at that is not
// blank, without its terminator.
func contentEnd(data []byte, at int) int {
	end := len(bytes.TrimRight(data[:at], " \t\r\n"))
	for end < at && (data[end] == ' ' || data[end] == '\t') {
		end++
	}
	return end
}

// LinesName returns the lines selector of r, empty when r is not whole lines.
func (d *Document) LinesName(r Range) string {
	first, last := d.Lines(r)
	l := lines{first, last}
	if whole, ok := d.LineRange(first, last); !ok || whole != r {
		return ""
	}
	return linesKind.name + "=" + l.value()
}
