package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// blocks writes kind, parent and bytes of each block.
func blocks(t *testing.T, src string) []string {
	t.Helper()
	d, err := Parse([]byte(src))
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	names := [...]string{Quote: "quote", Item: "item", Paragraph: "par", Heading: "head", Code: "code", HTML: "html", Break: "break", Table: "table", Row: "row", Definition: "def"}
	var all []string
	for _, b := range d.Blocks() {
		all = append(all, fmt.Sprintf("%s %d %q", names[b.Kind], b.Parent, d.Bytes(b.Span)))
	}
	return all
}

func TestBlockRanges(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"\n \n", nil},
		{"\ufeff", nil},
		{"a", []string{`par -1 "a"`}},
		{"  a \n  b\n\n", []string{`par -1 "a \n  b"`}},
		{"a\rb\r\rc", []string{`par -1 "a\rb"`, `par -1 "c"`}},
		{"a\r\n\r\nb\n\rc", []string{`par -1 "a"`, `par -1 "b"`, `par -1 "c"`}},
		{" ## a ##\n", []string{`head -1 "## a ##"`}},
		{"a\n b\n===\nc", []string{`head -1 "a\n b\n==="`, `par -1 "c"`}},
		{"> a\nb\n>\n> c\n\nd", []string{`quote -1 "> a\nb\n>\n> c"`, `par 0 "a\nb"`, `par 0 "c"`, `par -1 "d"`}},
		{" - a\n\n   b\n\n\n - c\n", []string{`item -1 "- a\n\n   b"`, `par 0 "a"`, `par 0 "b"`, `item -1 "- c"`, `par 3 "c"`}},
		{"- \n\n  a", []string{`item -1 "- "`, `par -1 "a"`}},
		{"-\n  a", []string{`item -1 "-\n  a"`, `par 0 "a"`}},
		{"- > a\n  >\nb", []string{`item -1 "- > a\n  >"`, `quote 0 "> a\n  >"`, `par 1 "a"`, `par -1 "b"`}},
		{"```\na\n\n\n", []string{`code -1 "` + "```" + `\na"`}},
		{"- ```\n  a\n\n  ```\nb", []string{`item -1 "- ` + "```" + `\n  a\n\n  ` + "```" + `"`, `code 0 "` + "```" + `\n  a\n\n  ` + "```" + `"`, `par -1 "b"`}},
		{"    a\n\n    b\n\nc", []string{`code -1 "a\n\n    b"`, `par -1 "c"`}},
		{"<div>\na\n\nb", []string{`html -1 "<div>\na"`, `par -1 "b"`}},
		{"***\na", []string{`break -1 "***"`, `par -1 "a"`}},
		{"x\n|a|\n|-|\n|b|\ny\n\nz", []string{`par -1 "x"`, `table -1 "|a|\n|-|\n|b|\ny"`, `row 1 "|a|"`, `row 1 "|b|"`, `row 1 "y"`, `par -1 "z"`}},
		{"[a]: /u\n'\nt'\n[b]: <>\nc", []string{`def -1 "[a]: /u\n'\nt'"`, `def -1 "[b]: <>"`, `par -1 "c"`}},
		{"> [a]:\n> /u\n> x", []string{`quote -1 "> [a]:\n> /u\n> x"`, `def 0 "[a]:\n> /u"`, `par 0 "x"`}},
		{"1.\ta\n\n\tb", []string{`item -1 "1.\ta\n\n\tb"`, `par 0 "a"`, `par 0 "b"`}},
		{"a\x00\xff\n", []string{`par -1 "a\x00\xff"`}},
		{"---\na: 1\n---", nil},
		{"---\na: 1\n...\nb", []string{`par -1 "b"`}},
		{"+++\na\n---\nb\n+++\r\nc", []string{`par -1 "c"`}},
		{"--- \na\n---\t\nb", []string{`par -1 "b"`}},
		{"----\na\n----\n", []string{`break -1 "----"`, `head -1 "a\n----"`}},
		{" ---\na\n---\n", []string{`break -1 "---"`, `head -1 "a\n---"`}},
	} {
		if got := blocks(t, c.src); !slices.Equal(got, c.want) {
			t.Errorf("%q\ngot  %v\nwant %v", c.src, got, c.want)
		}
	}
}

func TestHeadingText(t *testing.T) {
	for _, c := range []struct {
		src, plain string
		anchors    []string
	}{
		{"#", "", nil},
		{"# ##", "", nil},
		{"# # ##", "#", nil},
		{"# A  B", "A B", []string{"a--b"}},
		{"A  \nB\n=", "A B", []string{"ab"}},
		{"A\\\nB\n=", "A B", []string{"ab"}},
		{"`A  \nB`\n=", "A B", []string{"a---b"}},
		{"# A {#x}", "A", []string{"a", "x"}},
		{"# A {#a}", "A", []string{"a"}},
		{"# {#x}", "", []string{"x"}},
		{"# A{#x}", "A", []string{"a", "x"}},
		{"# A {.c #x k=\"v\"}", "A", []string{"a", "x"}},
		{"# A {#x #y}", "A {#x #y}", []string{"a-x-y"}},
		{"# A {#x", "A {#x", []string{"a-x"}},
		{"# A `{#x}`", "A {#x}", []string{"a-x"}},
		{"# A {}", "A {}", []string{"a-"}},
		{"# A <a id=x name='y'></a><A NAME=\"z&amp;\">b</A>", "A b", []string{"a-b", "x", "y", "z&"}},
		{"# <b id=x>A</b>", "A", []string{"a"}},
		{"# ![a [b](c) ![d](e)](f) g", "a b d g", []string{"-g"}},
		{"# [![a](b)](c)", "a", nil},
		{"# [a [b](c) d](e)", "[a b d](e)", []string{"a-b-de"}},
		{"# [SS][] [ẞ] [ß]\n\n[ss]: /u", "SS ẞ ß", []string{"ss-ß-ß"}},
		{"# [a\\]b]\n\n[A\\]B]: /u", "a]b", []string{"ab"}},
		{"# ~~a~~ ~b~ ~c~~ ~~~d~~~", "a b ~c~~ ~~~d~~~", []string{"a-b-c-d"}},
		{"# \\~~(a~b ~a~~b~ _~a b~~]", "~(ab a~~b _~a b~~]", []string{"ab-ab-_a-b"}},
		{"# &semi;&#X26;&#38;&#xD800;&#x110000;&#1234567;&#12345678;", ";&&���&#12345678;", []string{"12345678"}},
		{"# &nosuch; &notit; &AMP; &ngE;", "&nosuch; &notit; & ≧̸", []string{"nosuch-notit--\u0338"}},
		{"# Ⅻ ٣ ½ ² ‿ ͏ ℵ", "Ⅻ ٣ ½ ² ‿ ͏ ℵ", []string{"ⅻ-٣---‿-͏-ℵ"}},
		{"# ΑΣ ǅ İI", "ΑΣ ǅ İI", []string{"ασ-ǆ-i\u0307i"}},
		{"# a\x00b", "a\x00b", []string{"ab"}},
	} {
		d, err := Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Text(d.Blocks()[0])
		if err != nil || !got.Valid || got.Plain != c.plain || !slices.Equal(got.Anchors, c.anchors) {
			t.Errorf("%q: %q %q valid %v, %v; want %q %q", c.src, got.Plain, got.Anchors, got.Valid, err, c.plain, c.anchors)
		}
	}
}

func TestHeadingNotUTF8(t *testing.T) {
	d, err := Parse([]byte("# a\xff\n# b\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, valid := range []bool{false, true} {
		if got, err := d.Text(d.Blocks()[i]); err != nil || got.Valid != valid {
			t.Errorf("heading %d: valid is %v, %v", i, got.Valid, err)
		}
	}
}

func TestAnchorTag(t *testing.T) {
	for _, c := range []struct {
		src   string
		n     int
		names []string
	}{
		{`<a id="x">`, 10, []string{"x"}},
		{`<a id="x"/>b`, 11, []string{"x"}},
		{"<A\nID = x NAME='y z' >", 22, []string{"x", "y z"}},
		{`</a >`, 5, nil},
		{`<a>`, 3, nil},
		{`<a id>`, 6, nil},
		{`<a id="">`, 9, nil},
		{`<a data-id="x">`, 15, nil},
		{`<abbr id="x">`, 0, nil},
		{`<a id="x"name="y">`, 0, nil},
		{`<a id="x>`, 0, nil},
		{`<a id=>`, 0, nil},
		{`<a id="x"`, 0, nil},
		{`<a 1=x>`, 0, nil},
		{`a`, 0, nil},
		{`<`, 0, nil},
		{``, 0, nil},
	} {
		if n, names := Anchor([]byte(c.src)); n != c.n || !slices.Equal(names, c.names) {
			t.Errorf("%q: %d %q, want %d %q", c.src, n, names, c.n, c.names)
		}
	}
}

func TestFirstCell(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"| a | b |", "a"}, {"a|b", "a"}, {"||b|", ""}, {"| a\\|b | c", "a\\|b"}, {"|a", "a"}, {"a |", "a"}, {"|", ""}, {"\\|a|b", "\\|a"},
	} {
		d, err := Parse([]byte("|h|\n|-|\n" + c.row + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		rows := d.Blocks()
		if got := string(d.Bytes(d.FirstCell(rows[len(rows)-1]))); got != c.want {
			t.Errorf("%q: %q, want %q", c.row, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("> ", MaxDepth)
	list := ""
	for i := range MaxDepth {
		list += strings.Repeat(" ", 2*i) + "- a\n"
	}
	for _, c := range []struct {
		name, src string
		over      bool
	}{
		{"bytes", strings.Repeat("a", MaxBytes), false},
		{"one byte more", strings.Repeat("a", MaxBytes+1), true},
		{"indent", strings.Repeat(" ", MaxIndent) + "a", false},
		{"one column more", strings.Repeat(" ", MaxIndent+1) + "a", true},
		{"a tab more", strings.Repeat("\t", MaxIndent/tabStop) + " a", true},
		{"blank", strings.Repeat(" ", MaxIndent+1), false},
		{"fenced", "```\n" + strings.Repeat(" ", MaxIndent+1) + "a\n```\n", false},
		{"quotes", deep + "a", false},
		{"one quote more", deep + "> a", true},
		{"one marker more", deep + "- a", true},
		{"a deep list", list, false},
		{"a deeper list", list + strings.Repeat(" ", 2*MaxDepth) + "- a\n", true},
		{"blocks", strings.Repeat("#\n", maxBlocks), false},
		{"one block more", strings.Repeat("#\n", maxBlocks+1), true},
		{"one row more", "|a|\n|-|\n" + strings.Repeat("|\n", maxBlocks), true},
		{"one definition more", strings.Repeat("[a]:b\n", maxBlocks+1), true},
		{"lines", strings.Repeat("a\n", maxLines), false},
		{"one line more", strings.Repeat("a\n", maxLines+1), true},
	} {
		d, err := Parse([]byte(c.src))
		if (err != nil) != c.over || (d == nil) != c.over {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			checkLimit(t, err)
		}
	}
}

func TestHeadingLimit(t *testing.T) {
	for size, over := range map[int]bool{maxHeadingBytes - 1: false, maxHeadingBytes: true} {
		d, err := Parse([]byte("# " + strings.Repeat("a", size)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Text(d.Blocks()[0])
		if limit, ok := errors.AsType[*LimitError](err); ok != over || over && limit.Most != maxHeadingBytes {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// FuzzParse checks what holds for every document: blocks stand in order and
// within their parents, lines within their blocks, and the work is bounded.
func FuzzParse(f *testing.F) {
	for _, h := range hostile {
		f.Add([]byte(h.begin + strings.Repeat(h.piece, 8) + h.end))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := string(src)
		d, err := Parse(src)
		if err != nil {
			checkLimit(t, err)
			return
		}
		if n := steps(t, src); n > stepsPerByte*len(src)+100 {
			t.Errorf("%d steps for %d bytes", n, len(src))
		}
		if string(src) != before {
			t.Error("the document was changed")
		}
		last := int32(0)
		for i, b := range d.Blocks() {
			within := Span{0, int32(len(src))}
			if b.Parent != None {
				within = d.Blocks()[b.Parent].Span
			}
			if b.Parent >= int32(i) || b.From < last || b.From > b.To || b.From < within.From || b.To > within.To {
				t.Fatalf("block %d %v is out of place in %v", i, b, within)
			}
			last = b.From
			for _, l := range d.Lines(b) {
				if l.From > l.To || l.From < b.From || l.To > b.To || strings.ContainsAny(string(d.Bytes(l)), "\r\n") {
					t.Fatalf("line %v is out of place in %v", l, b)
				}
			}
		}
	})
}
