package authority

import (
	"os"
	"strings"
	"testing"
)

// TestLineageClosesWhatItOpened looks for the history of a file in a nested
// repository whose HEAD cannot be read: what was opened to find that out is closed.
func TestLineageClosesWhatItOpened(t *testing.T) {
	g := newTestRepo(t)
	g.write("sub/f", "text\n")
	g.run("init", "-q", "-b", "main", "sub")
	g.run("-C", "sub", "add", "f")
	g.run("-C", "sub", "commit", "-q", "-m", "m")
	g.run("-C", "sub", "pack-refs", "--all")
	g.write("sub/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+strings.Repeat("0", 40)+" refs/heads/main\n")
	w := g.open(Config{})
	l, err := LocatorOf("file", "sub/f")
	if err != nil {
		t.Fatal(err)
	}
	open := func() int {
		_, err := l.Lineage(t.Context(), w, "", LineageOptions{Identity: BLAKE3Sum(nil), MaxCommits: 10, MaxBytes: 1 << 20, MaxSteps: 10})
		if f := asFault(err); err == nil || f.Code != MissingCorruptStore {
			t.Fatalf("the history has %v, want %s", err, MissingCorruptStore)
		}
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	if before, after := open(), open(); after > before {
		t.Errorf("%d files are open after a second look, %d after the first", after, before)
	}
}
