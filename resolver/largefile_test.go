package resolver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
)

// openFolder opens a workspace in a new folder outside any repository, with one
// file in it.
func openFolder(t *testing.T, name, text string) (*authority.Workspace, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, Root: dir, MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, file
}

// stating makes the text of a pointer that states exactly these bytes.
func stating(name, bytes, sel string) string {
	return "ctxptr:file:" + name + "@" + authority.BLAKE3Sum([]byte(bytes)).String() + ":matches_current#" + sel
}

func resolveTexts(t *testing.T, w *authority.Workspace, o Options, texts ...string) []*Record {
	t.Helper()
	items := make([]Item, len(texts))
	for i, text := range texts {
		items[i] = ItemOf(text)
	}
	records, err := Resolve(t.Context(), w, items, o)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// TestManyHeadings resolves ten thousand pointers at ten thousand headings of
// one file.
func TestManyHeadings(t *testing.T) {
	const n = 10_000
	var text strings.Builder
	pointers := make([]string, n)
	for i := range n {
		section := fmt.Sprintf("# h%d\n\nsame\n", i)
		text.WriteString(section)
		pointers[i] = stating("a.md", strings.TrimSuffix(section, "\n"), fmt.Sprintf("heading=h%d", i))
	}
	w, _ := openFolder(t, "a.md", text.String())
	for i, r := range resolveTexts(t, w, Options{}, pointers...) {
		if r.Outcome != Resolved || *r.Observed.Lines != [2]int{3*i + 1, 3*i + 3} {
			t.Fatalf("%s: %s %s, lines %v", pointers[i], r.Outcome, r.Code, r.Observed.Lines)
		}
	}
}

// TestManyTwins holds that an ambiguity of ten thousand lists as many as a
// record holds, and says how many more there are or that there are more.
func TestManyTwins(t *testing.T) {
	w, _ := openFolder(t, "a.md", strings.Repeat("# same\n\ntext\n", 10_000))
	for _, sel := range []string{"heading=same", "anchor=same", "text=text"} {
		r := resolveTexts(t, w, Options{}, stating("a.md", "", sel))[0]
		if r.Code != authority.AmbiguousSelection || len(r.Candidates) != maxCandidates {
			t.Errorf("%s: %s with %d candidates, want %d", sel, r.Code, len(r.Candidates), maxCandidates)
		}
	}
}

// TestHugeLine selects in a file that is one line of ten million bytes.
func TestHugeLine(t *testing.T) {
	line := "# start " + strings.Repeat("0123456789 word *x* [y](z) `q` ", 10<<20/31) + "end"
	w, _ := openFolder(t, "a.md", line)
	for _, c := range []struct{ sel, bytes string }{
		{"lines=1-1", line},
		{"text=%23%20start", "# start"},
		{"span=start...end", line[2:]},
	} {
		r := resolveTexts(t, w, Options{}, stating("a.md", c.bytes, c.sel))[0]
		if r.Outcome != Resolved {
			t.Errorf("%s: %s: %s", c.sel, r.Code, r.MissingProof)
		}
	}
	for sel, want := range map[string]authority.Code{
		"lines=2-2":   authority.MissingSelection,
		"text=word":   authority.AmbiguousSelection,
		"text=absent": authority.MissingSelection,
		"item=AC-1":   authority.MissingLimit, // a heading longer than the parser takes
	} {
		if r := resolveTexts(t, w, Options{}, stating("a.md", "", sel))[0]; r.Code != want {
			t.Errorf("%s: %s, want %s: %s", sel, r.Code, want, r.MissingProof)
		}
	}
}
