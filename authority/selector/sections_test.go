package selector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sectionPieces make Markdown documents that are full of headings, anchors and
// items, some of them equal.
var sectionPieces = []string{
	"# A\n", "## A\n", "## B\n", "### A\n", "### B {#b}\n", "# A/B\n", "# A\\B\n", "#\n", "# a\xff\n", "A\n===\n", "> # A\n", "- # B\n",
	"<a id=\"x\"></a>\n", "# C <a name=\"x\"></a>\n", "\n", "\n", "text\n", "- AC-1 a\n", "- AC-2 b\n", "  c\n", "  - AC-3\n", "> AC-1\n",
	"**AC-4** d\n", "• AC-5 e\n", "AC-6 f\n", "## AC-7 g\n", "| AC-8 | h |\n|---|---|\n| AC-9 | i |\n", "```\n# A\n```\n", "\r", "\r\n", "    # A\n", "<div>\n", "1. [ ] AC-1\n",
	"---\n", "\ufeff", "# İ ß ﬁ\n", "# &amp; `x` *y*\n", "a\n\n  AC-2 z",
}

// checkSections holds what every document must fulfil: what is listed resolves
// to its range, and what resolves is listed.
func checkSections(t *testing.T, data []byte) (listed int) {
	t.Helper()
	d := NewDocument("a.md", data)
	all, err := Sections(context.Background(), d)
	if err != nil {
		verdict(t, err)
		return 0
	}
	ranges := map[Range]bool{}
	for i, l := range all {
		ranges[l.Range] = true
		if l.From < 0 || l.From >= l.To || l.To > len(data) {
			t.Fatalf("%q: %v is out of bounds", data, l)
		}
		if i > 0 && l.From < all[i-1].From {
			t.Errorf("%q: %v is listed behind %v", data, l, all[i-1])
		}
		if r, err := choose(d, l.Selector); err != nil || r != l.Range {
			t.Errorf("%q: %s is listed as %v but is %v, %v", data, l.Selector, l.Range, r, err)
		}
	}
	for _, text := range everySelector(d) {
		r, err := choose(d, text)
		if err == nil && !ranges[r] {
			t.Errorf("%q: %s resolves to %v %q, which is not listed", data, text, r, data[r.From:r.To])
		}
		checkCandidates(t, d, err)
	}
	return len(all)
}

// everySelector returns each selector that fits something in d, by the names
// that the document holds and not by the listing.
func everySelector(d *Document) []string {
	var all []string
	o := d.marked.outline
	for i, h := range o.heads {
		path := ""
		for ; i >= 0 && o.heads[i].text != ""; i = o.heads[i].parent {
			path = escapeSegment(o.heads[i].text) + path
			all = append(all, "heading="+path)
			path = "/" + path
		}
		for _, name := range h.anchors {
			all = append(all, "anchor="+name)
		}
	}
	for _, e := range o.items {
		all = append(all, "item="+e.id)
	}
	return all
}

func TestSectionsResolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	listed := 0
	for range 5000 {
		var b strings.Builder
		for range 1 + rng.IntN(16) {
			b.WriteString(sectionPieces[rng.IntN(len(sectionPieces))])
		}
		listed += checkSections(t, []byte(b.String()))
	}
	if listed < 20000 {
		t.Errorf("only %d sections were listed", listed)
	}
	for _, v := range readVectors(t, "markdown.jsonl", 150) {
		if v.Format == "markdown" {
			checkSections(t, []byte(v.Source))
		}
	}
}

func FuzzSections(f *testing.F) {
	for _, p := range sectionPieces {
		f.Add([]byte(p + "\n" + p))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkSections(t, data) })
}

func TestSectionsList(t *testing.T) {
	src := "# A\n\n## B {#b-id}\n- AC-1 x\n\n# C\n## B\n\n> # Q\n\n## D\n## D\n"
	all, err := Sections(context.Background(), NewDocument("a.md", []byte(src)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range all {
		got = append(got, fmt.Sprintf("%s %s %d-%d", l.Kind, l.Selector, l.From, l.To))
	}
	want := []string{
		"heading heading=A 0-26", "anchor anchor=a 0-26",
		"heading heading=A/B 5-26", "anchor anchor=b-id 5-26",
		"item item=AC-1 18-26",
		"heading heading=C 28-54", "anchor anchor=c 28-54",
		"heading heading=C/B 32-43",
		"heading lines=11-11 45-49", "heading lines=12-12 50-54",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSectionsOfOtherMarkup(t *testing.T) {
	for _, name := range []string{"a.adoc", "a.ASCIIDOC", "docs/a.rst"} {
		_, err := Sections(context.Background(), NewDocument(name, []byte("# A\n")))
		if got := verdict(t, err); got != "missing:unsupported_selector" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, name := range []string{"a.md", "a.MARKDOWN", "a.mdx", "a.qmd", "a.txt", "README", "rst"} {
		if all, err := Sections(context.Background(), NewDocument(name, []byte("# A\n"))); err != nil || len(all) != 2 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
}

func TestSectionsOverLimit(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	d := NewDocument("a.md", []byte("# A\n"))
	if _, err := Sections(canceled, d); verdict(t, err) != "missing:limit" {
		t.Errorf("no time left: %v", err)
	}
	if all, err := Sections(context.Background(), d); err != nil || len(all) != 2 {
		t.Errorf("time again: %v, %v", all, err)
	}
	for _, src := range []string{strings.Repeat("> ", 65) + "a", "# " + strings.Repeat("a", 64<<10)} {
		d := NewDocument("a.md", []byte(src))
		for range 2 {
			if _, err := Sections(context.Background(), d); verdict(t, err) != "missing:limit" {
				t.Errorf("%.20q: %v", src, err)
			}
		}
	}
}

// TestSectionsNaive compares with sections found by a plain reading of
// documents that hold nothing but headings and text.
func TestSectionsNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		var lines []string
		for range 1 + rng.IntN(12) {
			lines = append(lines, []string{"# ", "## ", "### ", "", "text"}[rng.IntN(5)]+[]string{"A", "B", "C"}[rng.IntN(3)])
			if rng.IntN(3) == 0 {
				lines = append(lines, "")
			}
		}
		src := strings.Join(lines, "\n")
		d := NewDocument("a.md", []byte(src))
		for _, own := range []bool{false, true} {
			for _, text := range []string{"A", "B", "C"} {
				head := "heading"
				if own {
					head += "+own"
				}
				r, err := choose(d, head+"="+text)
				want := naiveSections(lines, text, own)
				switch got := verdict(t, err); {
				case len(want) == 0 && got == "missing:selection", len(want) > 1 && got == "ambiguous:selection":
				case len(want) == 1 && got == "range" && src[r.From:r.To] == want[0]:
				default:
					t.Fatalf("%q: %s=%s is %s %v, want %q", src, head, text, got, r, want)
				}
				if e, ok := errors.AsType[*Error](err); ok && e.Fault == ManyMatches && len(e.Matches) != len(want) {
					t.Fatalf("%q: %d matches of %s, want %d", src, len(e.Matches), text, len(want))
				}
			}
		}
	}
}

// naiveSections returns the sections whose heading is text.
func naiveSections(lines []string, text string, own bool) []string {
	level := func(s string) int { return len(s) - len(strings.TrimLeft(s, "#")) }
	var all []string
	for i, line := range lines {
		n := level(line)
		if n == 0 || strings.TrimLeft(line, "# ") != text {
			continue
		}
		end := i + 1
		for end < len(lines) && (level(lines[end]) == 0 || !own && level(lines[end]) > n) {
			end++
		}
		all = append(all, strings.TrimRight(strings.Join(lines[i:end], "\n"), "\n"))
	}
	return all
}

// TestLongPaths has a heading too long to stand in front of a name.
func TestLongPaths(t *testing.T) {
	long := strings.Repeat("a", 60<<10)
	d := NewDocument("a.md", []byte("# "+long+"\n## B\n# C\n## B\n"))
	_, err := choose(d, "heading=B")
	e, ok := errors.AsType[*Error](err)
	if !ok || len(e.Matches) != 2 || e.Matches[0].Alone != "lines=2-2" || e.Matches[1].Alone != "heading=C/B" {
		t.Errorf("%v %v", err, e)
	}
	if r, err := choose(d, "heading="+long+"/B"); err != nil || r != e.Matches[0].Range {
		t.Errorf("the whole path is %v, %v", r, err)
	}
}

func TestTooManyHeadings(t *testing.T) {
	for n, want := range map[int]string{mostHeads: "range", mostHeads + 1: "missing:limit"} {
		d := NewDocument("a.md", []byte(strings.Repeat("# B\n", n-1)+"# A\n"))
		if _, err := choose(d, "heading=A"); verdict(t, err) != want {
			t.Errorf("%d headings: %v", n, err)
		}
	}
}
