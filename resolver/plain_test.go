package resolver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
)

// plainTree is what the plain references below stand in.
func plainTree(t *testing.T) *authority.Workspace {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"docs/plan.md":  "# Plan\n\n- AC-1: one\n- AC-2: two\n- AC-2: twice\n",
		"docs/a.go":     "package a\n\nfunc F() {}\n",
		"a.go":          "package b\n",
		"src/only.go":   "package c\n\nfunc G() {\n}\n",
		"docs/sub/x.md": "# X\n",
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, Root: dir, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestProvePlain(t *testing.T) {
	w, schema := plainTree(t), resolutionSchema(t)
	for _, c := range []struct {
		name string
		ref  Plain
		want string // outcome or code, and lines where there are some
	}{
		{"a link", Plain{From: "docs/plan.md", Base: FromDocument, Path: "sub/x.md"}, "found"},
		{"a link to the document itself", Plain{From: "docs/plan.md", Base: FromDocument, Fragment: "AC-1"}, "found 3-3"},
		{"a link upwards", Plain{From: "docs/plan.md", Base: FromDocument, Path: "../src/only.go", Lines: [2]int{3, 4}}, "found 3-4"},
		{"a link out of the root", Plain{From: "docs/plan.md", Base: FromDocument, Path: "../../x"}, "malformed:locator"},
		{"a folder", Plain{From: "docs/plan.md", Base: FromDocument, Path: "sub/"}, "found"},
		{"a file named as a folder", Plain{From: "docs/plan.md", Base: FromDocument, Path: "a.go/"}, "missing:not_regular"},
		{"from the root alone", Plain{From: "docs/plan.md", Base: FromEither, Path: "src/only.go", Lines: [2]int{1, 1}}, "found 1-1"},
		{"from the document alone", Plain{From: "docs/plan.md", Base: FromEither, Path: "sub/x.md", Lines: [2]int{1, 1}}, "found 1-1"},
		{"from both", Plain{From: "docs/plan.md", Base: FromEither, Path: "a.go", Lines: [2]int{1, 1}}, "ambiguous:authority"},
		{"from neither", Plain{From: "docs/plan.md", Base: FromEither, Path: "b.go", Lines: [2]int{1, 1}}, "missing:authority"},
		{"past the end", Plain{From: "a.go", Base: FromRoot, Path: "src/only.go", Lines: [2]int{4, 9}}, "missing:selection"},
		{"backwards", Plain{From: "a.go", Base: FromRoot, Path: "src/only.go", Lines: [2]int{4, 3}}, "malformed:selector"},
		{"a fragment of nothing", Plain{From: "a.go", Base: FromRoot, Path: "docs/plan.md", Fragment: "AC-9"}, "missing:selection"},
		{"a fragment of two", Plain{From: "a.go", Base: FromRoot, Path: "docs/plan.md", Fragment: "AC-2"}, "ambiguous:selection"},
		{"a symbol", Plain{From: "a.go", Base: FromRoot, Path: "docs/a.go", Fragment: "F"}, "found 3-3"},
		{"a commit outside of git", Plain{From: "a.go", Revision: strings.Repeat("a", 40)}, "missing:repository"},
	} {
		c.ref.Text, c.ref.Form = c.name, "link"
		records, err := ProvePlain(t.Context(), w, []Plain{c.ref}, PlainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := outcomeOf(records[0])
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		line, err := records[0].Line()
		if err != nil {
			t.Fatal(err)
		}
		checkSchema(t, schema, line)
	}
}

func outcomeOf(r *Record) string {
	switch {
	case r.Outcome == Blocked:
		return string(r.Code)
	case r.Observed != nil && r.Observed.Lines != nil:
		return r.Outcome + " " + linesSelector(*r.Observed.Lines).Value()
	}
	return r.Outcome
}

func TestProvePlainIdentify(t *testing.T) {
	w := plainTree(t)
	refs := []Plain{
		{Text: "one", Form: "link", From: "docs/plan.md", Base: FromDocument, Fragment: "AC-1"},
		{Text: "two", Form: "link", From: "docs/plan.md", Base: FromDocument, Path: "../src/only.go", Fragment: "G"},
	}
	records, err := ProvePlain(t.Context(), w, refs, PlainOptions{Identify: true, StandIn: "docs/ctxptr.pins"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"ctxptr:file:./plan.md@", "ctxptr:file:src/only.go@"} {
		if r := records[i]; r.Outcome != Resolved || !strings.HasPrefix(r.Pointer, want) || *r.Input != refs[i].Text {
			t.Errorf("%s: %s %s", refs[i].Text, r.Outcome, r.Pointer)
		}
		items := []Item{{Text: records[i].Pointer, From: "docs/ctxptr.pins"}}
		again, err := Resolve(t.Context(), w, items, Options{})
		if err != nil || again[0].Outcome != Resolved {
			t.Errorf("the minted pointer does not resolve: %+v %v", again[0], err)
		}
	}
}
