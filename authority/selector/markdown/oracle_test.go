package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// oracle is goldmark with the extensions this package knows.
var oracle = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// oracleOutline writes the blocks that goldmark sees, one a line, indented by
// depth, and the text of each heading.
func oracleOutline(src []byte) string {
	var b strings.Builder
	w := oracleWriter{src: src, out: &b}
	w.children(oracle.Parse(text.NewReader(src)), 0)
	return b.String()
}

type oracleWriter struct {
	src []byte
	out *strings.Builder
}

func (w oracleWriter) children(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, depth)
	}
}

func (w oracleWriter) block(n ast.Node, depth int) {
	name, content := "", ""
	switch n := n.(type) {
	case *ast.List:
		w.children(n, depth)
		return
	case *ast.Blockquote:
		name = "quote"
	case *ast.ListItem:
		name = "item"
	case *ast.Heading:
		name, content = fmt.Sprintf("heading %d", n.Level), Collapse(w.inline(n))
	case *ast.Paragraph, *ast.TextBlock:
		name, content = "paragraph", w.lines(n.Lines())
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		name = "code"
	case *ast.HTMLBlock:
		name = "html"
	case *ast.ThematicBreak:
		name = "break"
	case *extast.Table:
		name = fmt.Sprintf("table of %d", n.ChildCount())
	case *ast.LinkReferenceDefinition:
		return
	default:
		name = n.Kind().String()
	}
	writeLine(w.out, depth, name, content)
	if name == "quote" || name == "item" {
		w.children(n, depth+1)
	}
}

func (w oracleWriter) lines(lines *text.Segments) string {
	var all []string
	for i := range lines.Len() {
		s := lines.At(i)
		all = append(all, strings.TrimSpace(string(s.Value(w.src))))
	}
	return strings.Join(all, "|")
}

// inline returns the text of the inlines of n.
func (w oracleWriter) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(unescapeOracle(c, w.src))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(w.src))
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				b.Write(bytes.ReplaceAll(t.(*ast.Text).Segment.Value(w.src), []byte{'\n'}, []byte{' '}))
			}
		case *ast.RawHTML:
		default:
			b.WriteString(w.inline(c))
		}
	}
	return b.String()
}

// unescapeOracle resolves the escapes and entities that goldmark leaves to its
// renderer.
func unescapeOracle(t *ast.Text, src []byte) []byte {
	value := t.Segment.Value(src)
	if t.IsRaw() {
		return value
	}
	var b bytes.Buffer
	for i := 0; i < len(value); {
		if value[i] == '\\' && i+1 < len(value) && isPunct(value[i+1]) {
			b.WriteByte(value[i+1])
			i += 2
			continue
		}
		if value[i] == '&' {
			if s, n := scanEntity(value[i:]); n > 0 {
				b.WriteString(s)
				i += n
				continue
			}
		}
		b.WriteByte(value[i])
		i++
	}
	return b.Bytes()
}

// outline writes the blocks of d as oracleOutline does.
func outline(d *Document) string {
	var b strings.Builder
	depths := make([]int, len(d.blocks))
	rows := map[int32]int{}
	for _, block := range d.blocks {
		if block.Kind == Row {
			rows[block.Parent]++
		}
	}
	for i, block := range d.blocks {
		if block.Parent != None {
			depths[i] = depths[block.Parent] + 1
		}
		if block.Kind != Row && block.Kind != Definition {
			name, content := describe(d, block, rows[int32(i)])
			writeLine(&b, depths[i], name, content)
		}
	}
	return b.String()
}

// describe returns the kind of b, and its text where goldmark keeps it.
func describe(d *Document, b Block, rows int) (name, content string) {
	switch b.Kind {
	case Quote:
		return "quote", ""
	case Item:
		return "item", ""
	case Paragraph:
		return "paragraph", joinLines(d, b)
	case Heading:
		t, err := d.Text(b)
		if err != nil {
			return "heading", err.Error()
		}
		return fmt.Sprintf("heading %d", b.Level), t.Plain
	case Code:
		return "code", ""
	case HTML:
		return "html", ""
	case Break:
		return "break", ""
	}
	return fmt.Sprintf("table of %d", rows), ""
}

func joinLines(d *Document, b Block) string {
	var all []string
	for _, l := range d.Lines(b) {
		all = append(all, strings.TrimSpace(string(d.Bytes(l))))
	}
	return strings.Join(all, "|")
}

func writeLine(b *strings.Builder, depth int, name, content string) {
	fmt.Fprintf(b, "%s%s %q\n", strings.Repeat("  ", depth), name, content)
}

// oracleFirstCells returns the first cell of each table row that goldmark sees.
func oracleFirstCells(src []byte) []string {
	var all []string
	doc := oracle.Parse(text.NewReader(src))
	for table := doc.FirstChild(); table != nil; table = table.NextSibling() {
		if table.Kind() != extast.KindTable {
			continue
		}
		for row := table.FirstChild(); row != nil; row = row.NextSibling() {
			lines := row.FirstChild().Lines()
			cell := ""
			if lines.Len() > 0 {
				s := lines.At(0)
				cell = string(s.Value(src))
			}
			all = append(all, strings.TrimSpace(cell))
		}
	}
	return all
}
