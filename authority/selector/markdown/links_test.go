package markdown

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// destinations returns the destinations of all links and definitions, sorted.
// It holds that each stands where it says.
func destinations(t testing.TB, src []byte) []string {
	t.Helper()
	d, err := Parse(src)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	var all []string
	for _, b := range d.Blocks() {
		switch b.Kind {
		case Paragraph, Heading, Row, Definition, HTML:
			d.Links(b, func(l Link) {
				if l.From < b.From || l.To > b.To || l.From >= l.To || l.Destination.From < l.From || l.Destination.To > l.To || l.Destination.From > l.Destination.To {
					t.Errorf("%q: link %v in block %v", src, l, b.Span)
				}
				if l.Destination.From < l.Destination.To && !l.HTML {
					all = append(all, Unescape(d.Bytes(l.Destination)))
				}
			})
		}
	}
	slices.Sort(all)
	return all
}

// oracleDestinations returns what goldmark finds. Links whose destination a
// definition has count once, with the definition.
func oracleDestinations(src []byte) []string {
	var all []string
	add := func(destination []byte) {
		if len(destination) > 0 {
			all = append(all, Unescape(destination))
		}
	}
	_ = ast.Walk(oracle.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if n.Reference == nil {
				add(n.Destination)
			}
		case *ast.Image:
			if n.Reference == nil {
				add(n.Destination)
			}
		case *ast.AutoLink:
			add(n.Label(src))
		case *ast.LinkReferenceDefinition:
			add(n.Destination)
		}
		return ast.WalkContinue, nil
	})
	slices.Sort(all)
	return all
}

func compareLinks(t testing.TB, src string) {
	t.Helper()
	got, want := destinations(t, []byte(src)), oracleDestinations([]byte(src))
	if !slices.Equal(got, want) {
		t.Errorf("%q\ngot      %q\ngoldmark %q", src, got, want)
	}
}

// linkPieces make paragraphs with many links.
var linkPieces = []string{
	"[", "]", "![", "](a)", "](<b c>)", "](d \"t\")", "](e 't')", "](f#g)", "](h%20i)", "](j\\)k)", "]()", "](l(m)n)", "](", ")", " ", "x", "\n",
	"`", "``", "\\", "<http://o>", "<p@q.r>", "<s t='u'>", "</v>", "<!--w-->", "[r]", "[r][]", "[q][r]", "*", "_", "&amp;", "](&quot;)", "!", "|", "é",
}

func TestLinksAsGoldmark(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	compared := 0
	for range 30000 {
		src := "y" + compose(linkPieces, 1+rng.IntN(14), rng.Int)
		if excused(src) {
			continue
		}
		src += "\n\n[r]: /u (t)\n[s]: <v w>\n  'x'\n"
		compared++
		compareLinks(t, src)
		compareLinks(t, "> - "+strings.ReplaceAll(src, "\n", "\n>   "))
	}
	if compared < 10000 {
		t.Errorf("only %d documents were compared", compared)
	}
}

func TestLinksInTables(t *testing.T) {
	for src, want := range map[string][]string{
		"|a|b|\n|-|-|\n|[x](y)|`|`|\n":        {"y"},
		"|a|b|\n|-|-|\n|[x](y\\|z)|[|](q)|\n": {"y|z"},
		"|[h](i)|\n|-|\n|`[x](y)`|\n":         {"i"},
	} {
		if got := destinations(t, []byte(src)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestLinksOfTags(t *testing.T) {
	for src, want := range map[string][]string{
		"a <a href=\"b.md\" title='c'>d</a> `<a href=e>` <img alt=\"\" src=f.png />\n":   {"b.md", "f.png"},
		"<p>\n<img\n  SRC='a b.png'\n  width=1 href=\"c&amp;d\">\n<!-- <a href=e> -->\n": {"a b.png", "c&amp;d"},
		"<p>\r\n<img\r\n  src=a\r\n>\r\n":                                                {"a"},
		"> <div>\n> <a href=\"b\">\n":                                                    {"b"},
		"<a href=\"\"> < a href=b> <a href=\"c>\n":                                       nil,
	} {
		d, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range d.Blocks() {
			if b.Kind == Paragraph || b.Kind == HTML {
				d.Links(b, func(l Link) {
					if !l.HTML || src[l.From] != '<' || src[l.To-1] != '>' {
						t.Errorf("%q: %v", src, l)
					}
					got = append(got, string(d.Bytes(l.Destination)))
				})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestLinksLinear(t *testing.T) {
	for _, h := range hostile {
		for _, begin := range []string{"a ", "|", "<p> "} {
			src := []byte(begin + strings.Repeat(h.piece, 64000/len(h.piece)) + h.end + "\n|-|\n")
			d, err := Parse(src)
			if err != nil {
				checkLimit(t, err)
				continue
			}
			for _, b := range d.Blocks() {
				if b.Kind == Paragraph || b.Kind == Heading || b.Kind == Row || b.Kind == Definition || b.Kind == HTML {
					d.Links(b, func(Link) {})
				}
			}
			if most := stepsPerByte * len(src); d.steps > most {
				t.Errorf("%q: %d steps for %d bytes", h.piece, d.steps, len(src))
			}
		}
	}
}
