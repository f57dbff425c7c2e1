package markdown

import (
	"strings"
	"testing"
)

// TestHTMLBlocks has for each kind of HTML block what begins and ends it: the
// heading is one only where the block has ended.
func TestHTMLBlocks(t *testing.T) {
	for _, c := range []struct {
		before string
		ended  bool
	}{
		{"<script>\n\n", false}, {"<script>\n</script> x\n", true}, {"<STYLE\n\n</sTyLe>\n", true}, {"<pre>x</style>\n", true},
		{"<textarea\t>\n\n", false}, {"<pre\n</pre \n", false}, {"<pre>\n</prex>\n", false}, {"<pre>\n</pre", false}, {"<prex>\n\n", true},
		{"<!-- \n\n", false}, {"<!-- \n\n-->x\n", true}, {"<!-->\n", true}, {"<!--->\n", true}, {"<!- x\n", true},
		{"<?x\n\n", false}, {"<?x\n\n?>\n", true}, {"<?>\n", true},
		{"<!X\n\n", false}, {"<!x\n\n>\n", true}, {"<!1\n", true},
		{"<![CDATA[\n\n", false}, {"<![CDATA[\n\n]]>\n", true}, {"<![cdata[\n", true},
		{"<div\n", false}, {"</div/>x\n", false}, {"<div>\n\n", true}, {"<divx y\n", true}, {"<h1>x</h1>\n", false}, {"<SEARCH>\n", false},
		{"<x>\n", false}, {"<x y=\"z\" />  \n", false}, {"</x >\n", false}, {"<x>\n \n", true}, {"<x> y\n", true}, {"<x y=z\n", true},
		{"a\n<x>\n", true}, {"a\n<div>\n", false}, {"a\n<!--\n", false}, {"</script>\n", false}, {"<script/>\n", true}, {"</ x>\n", true}, {"<\n", true},
		{"    <div>\n", true}, {"> <!--\n", true}, {"> <div>\n", true}, {"- <!--\n  ", false}, {"- <!--\n", true},
	} {
		got := strings.Contains(outlineOf(t, c.before+"# H\n"), "heading 1 \"H\"")
		if got != c.ended {
			t.Errorf("%q: the block has ended: %v, want %v", c.before, got, c.ended)
		}
	}
}

// TestInlineEdges has the text of headings at the edges of the grammar, beside
// what the comparison with goldmark reaches.
func TestInlineEdges(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, c := range []struct{ text, want string }{
		{"<ab:>", "ab:"}, {"<a:b>", "<a:b>"}, {"<a+.-1:b>", "a+.-1:b"}, {"<a_b:c>", "<a_b:c>"}, {"<1a:b>", "<1a:b>"},
		{"<" + strings.Repeat("a", 32) + ":b>", strings.Repeat("a", 32) + ":b"}, {"<" + strings.Repeat("a", 33) + ":b>", "<" + strings.Repeat("a", 33) + ":b>"},
		{"<ab:c d>", "<ab:c d>"}, {"<ab:c\x01>", "<ab:c\x01>"},
		{"<a.b+c@d>", "a.b+c@d"}, {"<a@b.c>", "a@b.c"}, {"<a@b..c>", "<a@b..c>"}, {"<a@-b>", "<a@-b>"}, {"<a@b->", "<a@b->"}, {"<@b>", "<@b>"},
		{"<a\"b@c>", "<a\"b@c>"}, {"<a@b_c>", "<a@b_c>"}, {"<a@" + long + ">", "a@" + long}, {"<a@" + long + "a>", "<a@" + long + "a>"},
		{"[a](b\\)c)", "a"}, {"[a](b(c)d)", "a"}, {"[a](b(c)", "[a](b(c)"}, {"[a](<b c>)", "a"}, {"[a](<b\\>c>)", "a"}, {"[a](<b<c>)", "[a](<b)"},
		{"[a](<b>c)", "[a](c)"}, {"[a](<b)", "[a](<b)"}, {"[a](b 'c')", "a"}, {"[a](b (c))", "a"}, {"[a](b (c(d)))", "[a](b (c(d)))"},
		{"[a](b \"c\\\"d\")", "a"}, {"[a](b\"c\")", "a"}, {"[a](b \"c)", "[a](b \"c)"}, {"[a](b c)", "[a](b c)"}, {"[a]( b )", "a"}, {"[a]()", "a"}, {"[a](<>)", "a"},
		{"[a](b\x7f)", "[a](b\x7f)"}, {"[a](" + strings.Repeat("(", 32) + strings.Repeat(")", 32) + ")", "a"},
		{"[a](" + strings.Repeat("(", 33) + strings.Repeat(")", 33) + ")", "[a](" + strings.Repeat("(", 33) + strings.Repeat(")", 33) + ")"},
		{"[[a](b)](c)", "[a](c)"}, {"![[a](b)](c)", "a"}, {"[![a](b)](c)", "a"}, {"[a", "[a"}, {"a]", "a]"}, {"\\[a](b)", "[a](b)"}, {"[a\\](b)", "[a](b)"},
		{"*[a*](b)", "*a*"}, {"[*a](b)*", "*a*"}, {"`[a`](b)", "[a](b)"}, {"[a`](b)`", "[a](b)"}, {"[a<b c=\"](d)\">](e)", "a"},
		{"<b c>", ""}, {"<b c = 'd' e=f/>", ""}, {"<b/ >", "<b/ >"}, {"<b c=\"d\"e>", "<b c=\"d\"e>"}, {"<b c=d`>", "<b c=d`>"}, {"<b c=>", "<b c=>"}, {"< b>", "< b>"}, {"</b c>", "</b c>"},
		{"<!-- a -- b -->c", "c"}, {"<!-->a-->", "a-->"}, {"<!--->a", "a"}, {"<!---a", "<!---a"}, {"<?a?>b", "b"}, {"<!A b>c", "c"}, {"<!1>", "<!1>"}, {"<![CDATA[>]]>a", "a"},
		{"``a`", "``a`"}, {"`` ` ``", "`"}, {"`  `", ""}, {"` a`", "a"}, {"\\`a`", "`a`"}, {"`a\\`b`", "a\\b`"},
		{"***a** b*", "a b"}, {"**a*b**", "a*b"}, {"*a**b*", "a**b"}, {"a**\"b\"**c", "a**\"b\"**c"}, {"a**£b**", "a**£b**"}, {"_a_b_", "a_b"}, {"__a__b", "__a__b"}, {"*\u00a0a*", "*\u00a0a*"},
		{"\\a\\\\\\*", "\\a\\*"}, {"a\\", "a\\"}, {"&quot;*a*&quot;", "\"a\""}, {"&#42;a&#42;", "*a*"}, {"&#x;", "&#x;"}, {"&#;", "&#;"}, {"&#+1;", "&#+1;"}, {"&#x+1;", "&#x+1;"},
	} {
		d, err := Parse([]byte("# " + c.text + " #\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Text(d.Blocks()[0]); err != nil || got.Plain != c.want {
			t.Errorf("%q: %q, %v; want %q", c.text, got.Plain, err, c.want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	label := strings.Repeat("a", mostLabel)
	for _, c := range []struct {
		src  string
		left string // of the definition, as paragraph lines
	}{
		{"[a]: b", ""}, {"[a]:b", ""}, {"[a]:\nb", ""}, {"[a]: b 'c'", ""}, {"[a]: b\n(c)", ""}, {"[a]: b \"c\nd\"", ""}, {"[a]: <b c>", ""}, {"[a]: <>", ""},
		{"[a\nb]: c", ""}, {"[a\\]b]: c", ""}, {"   [a]: b", ""}, {"[a]: b \t", ""}, {"[" + label + "]: b", ""},
		{"[a]:", "[a]:"}, {"[a] : b", "[a] : b"}, {"[a]: b c", "[a]: b c"}, {"[a]: b'c'", ""}, {"[a]: b 'c' d", "[a]: b 'c' d"}, {"[a]: b\n'c' d", "'c' d"},
		{"[a]: b\n'c", "'c"}, {"[]: b", "[]: b"}, {"[ ]: b", "[ ]: b"}, {"[a[b]: c", "[a[b]: c"}, {"[a]: <b", "[a]: <b"}, {"[" + label + "a]: b", "[" + label + "a]: b"},
		{"x\n[a]: b", "x|[a]: b"}, {"[a]: b\nx", "x"}, {"[a]: b\n[c", "[c"}, {"[a]: b (c(d)", "[a]: b (c(d)"},
	} {
		want := ""
		if c.left != "" {
			want = "paragraph \"" + strings.ReplaceAll(c.left, `\`, `\\`) + "\"\n"
		}
		if got := outlineOf(t, c.src); got != want {
			t.Errorf("%q leaves %s, want %s", c.src, got, want)
		}
	}
}

func TestLimitErrorNamesThePlace(t *testing.T) {
	_, err := Parse([]byte("a\n\n" + strings.Repeat("> ", MaxDepth+1) + "b\n"))
	if want := "more than 64 containers in one another at byte 131"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
