package resolver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority/selector"
)

// TestSenses holds pointers against plain references: a pointer is about what one names
// when the locator is the same and some reading of the fragment is its selector.
func TestSenses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	const oid = "1111111111111111111111111111111111111111"
	id := map[string]string{"commit": "gitCommit:" + oid}
	meant := 0
	for range 20_000 {
		plain := Plain{From: "d/doc.md", Path: pick("", "a.md", "./a.md", "../a.md", "/a.md", "d/a.md", "sub/"), Fragment: pick("", "X-1", "item=X-1", "L1", "L1-L2", "lines=1-2", "x")}
		switch rnd.IntN(6) {
		case 0:
			plain.Lines = [2]int{1, 1 + rnd.IntN(2)}
		case 1:
			plain.Revision = pick("main", oid)
		case 2:
			plain.Range = pick("main..HEAD", "main...HEAD")
		case 3:
			plain.Web = pick("https://example.org/o/r/blob/"+oid+"/a.md#L1-L2", "https://example.org/o/r/blob/"+oid+"/a.md", "https://example.org/o/r/commit/"+oid, "https://example.org/")
		}
		kind := pick("file", "file", "dir", "git", "commit", "range")
		locator := map[string]string{
			"file": pick("a.md", "d/a.md", "./a.md", "../a.md", "d/doc.md"), "dir": pick("sub", "d/sub", "./sub"),
			"git":    pick("", "//example.org/o/r//", "//example.org/o/q//") + pick("main", oid) + ":a.md",
			"commit": pick("", "//example.org/o/r//") + pick("main", oid), "range": pick("main..HEAD", "main...HEAD"),
		}[kind]
		text := fmt.Sprintf("ctxptr:%s:%s@%s:matches_current", kind, locator, or(id[kind], "sha256:"+strings.Repeat("0", 64)))
		if kind == "file" || kind == "git" {
			text += pick("", "#item=X-1", "#anchor=X-1", "#heading=X-1", "#lines=1-1", "#lines=1-2", "#symbol=x")
		}
		p, err := ParsePointer(text)
		if err != nil {
			t.Fatal(text, err)
		}
		const file = "d/ctxptr.pins"
		got := slices.Contains(plain.Senses(), p.Sense(file))
		if want := means(plain, p, file); got != want {
			t.Fatalf("%+v, %s: %v, want %v", plain, text, got, want)
		}
		if got {
			meant++
		}
	}
	if meant < 300 {
		t.Errorf("%d of the pointers are meant", meant)
	}
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// means compares one reading after the other.
func means(plain Plain, p Pointer, from string) bool {
	readings := plain.meanings(targetPaths{})
	if plain.Web != "" {
		l, err := parsePermalink(plain.Web)
		if err != nil {
			return false
		}
		readings = []meaning{l.meaning(""), l.meaning("//" + l.repository + "//")}
	}
	return slices.ContainsFunc(readings, func(m meaning) bool {
		at, inTree := p.Path(from)
		same := m.kind == p.Kind().Name && m.locator == p.locator.String()
		if inTree && plain.Web == "" && m.kind != "commit" && m.kind != "range" {
			same = m.locator == at
		}
		return same && (m.fragment == "" && p.selector.IsZero() || slices.ContainsFunc(spellings(m), func(text string) bool {
			sel, err := selector.Parse(text)
			return err == nil && m.fragment != "" && sel.String() == p.selector.String()
		}))
	})
}

// spellings are the selectors that a fragment can be.
func spellings(m meaning) []string {
	switch span, ok := m.lineFragment(); {
	case m.lines:
		return []string{"lines=" + m.fragment}
	case ok:
		return []string{"lines=" + span}
	}
	return []string{m.fragment, "anchor=" + m.fragment, "item=" + m.fragment, "symbol=" + m.fragment, "heading=" + m.fragment}
}
