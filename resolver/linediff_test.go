package resolver

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLineChanges(t *testing.T) {
	for _, c := range []struct {
		old, new       string
		added, removed int
	}{
		{"", "", 0, 0},
		{"a\n", "a\n", 0, 0},
		{"", "a\nb", 2, 0},
		{"a\nb\n", "", 0, 2},
		{"a\nb\nc\n", "a\nB\nc\n", 1, 1},
		{"a", "a\n", 1, 1},
		{"--- a\n", "+++ b\n", 1, 1},
		{"@@ -1 +1 @@\n", "@@ -1 +1 @@\n\\ No newline at end of file\n", 1, 0},
		{"x\nx\nx\n", "x\nx\nx\nx\n", 1, 0},
		{"a\r\nb\n", "a\nb\n", 1, 1},
	} {
		added, removed := LineChanges([]byte(c.old), []byte(c.new))
		if added != c.added || removed != c.removed {
			t.Errorf("%q to %q: +%d -%d, want +%d -%d", c.old, c.new, added, removed, c.added, c.removed)
		}
	}
}

func TestUnifiedNumbersLinesOfTheFile(t *testing.T) {
	for _, c := range []struct {
		old, new lineText
		want     string
	}{
		{lineText{"o", []byte("a\nb\n"), 10}, lineText{"n", []byte("a\nc\n"), 20}, "--- o\n+++ n\n@@ -10,2 +20,2 @@\n a\n-b\n+c\n"},
		{lineText{"o", []byte("a\n"), 10}, lineText{"n", nil, 1}, "--- o\n+++ n\n@@ -10,1 +0,0 @@\n-a\n"},
		{lineText{"o", []byte("a"), 3}, lineText{"n", []byte("a\n"), 3}, "--- o\n+++ n\n@@ -3,1 +3,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{lineText{"o", []byte("a\n"), 3}, lineText{"n", []byte("a\n"), 4}, ""},
	} {
		if got, _, _ := unified(c.old, c.new); string(got) != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}

// What git apply makes of the old text with the diff is the new one.
func TestUnifiedApplies(t *testing.T) {
	dir := t.TempDir()
	seed := uint32(7)
	next := func(n uint32) int {
		seed = seed*1664525 + 1013904223
		return int(seed >> 16 % n)
	}
	text := func() []byte {
		var b bytes.Buffer
		for range next(30) {
			fmt.Fprintf(&b, "%d\n", next(12))
		}
		if next(4) == 0 {
			b.WriteString("end")
		}
		return b.Bytes()
	}
	for i := range 60 {
		old, new := text(), text()
		if bytes.Equal(old, new) || len(old) == 0 || len(new) == 0 {
			continue
		}
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, old, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "apply", "--unidiff-zero", "-")
		text, _, _ := unified(lineText{"a/f", old, 1}, lineText{"b/f", new, 1})
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%d: %v\n%s", i, err, out)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, new) {
			t.Fatalf("%d: got %q, want %q (%v)", i, got, new, err)
		}
	}
}

// No input makes the diff slow, all lines different or all lines the same: with the
// square of their number it would not end.
func TestLineChangesIsBounded(t *testing.T) {
	numbered := func(word string) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < 10<<20; i++ {
			fmt.Fprintf(&b, "%s %d\n", word, i)
		}
		return b.Bytes()
	}
	same := []byte(strings.Repeat("same\n", 1<<20))
	twoLines := []byte(strings.Repeat("a\nb\n", 1<<19))
	for name, c := range map[string][2][]byte{
		"all different": {numbered("old"), numbered("new")},
		"all the same":  {same, append(append(bytes.Clone(same), "more\n"...), same...)},
		"two lines":     {same, twoLines},
	} {
		added, removed := LineChanges(c[0], c[1])
		if added-removed != bytes.Count(c[1], []byte("\n"))-bytes.Count(c[0], []byte("\n")) {
			t.Errorf("%s: +%d -%d does not account for the lines", name, added, removed)
		}
	}
}
