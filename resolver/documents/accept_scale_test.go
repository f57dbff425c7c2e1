package documents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ctxptr/authority"
)

// counted is what one Accept looked at.
type counted struct {
	*AcceptResult
	looks int // at documents, by scans of the scope
	opens int // of further observations
}

// acceptCounted runs Accept over a folder; between is called before each further
// observation, with its number.
func acceptCounted(t *testing.T, dir string, between func(n int)) counted {
	t.Helper()
	w := openAt(t, dir)
	defer w.Close()
	var looks atomic.Int64
	opens := 0
	again := func(ctx context.Context) (*authority.Workspace, error) {
		if opens++; between != nil {
			between(opens)
		}
		return w.Again(ctx)
	}
	r, err := Accept(t.Context(), w, AcceptOptions{Scope: Scope{Looked: func() { looks.Add(1) }}, Again: again})
	if err != nil {
		t.Fatal(err)
	}
	return counted{r, int(looks.Load()), opens}
}

// chained are documents each of which points at the one before.
func chained(size int) map[string]string {
	files := map[string]string{"d0000.md": "# D\n\n- " + stalePointer("file:leaf.txt", "") + "\n", "leaf.txt": "leaf\n"}
	for i := 1; i < size; i++ {
		files[fmt.Sprintf("d%04d.md", i)] = "# D\n\n- " + stalePointer(fmt.Sprintf("file:d%04d.md", i-1), "") + "\n"
	}
	return files
}

// fanned are documents that point at one, and one that points at them all.
func fanned(size int) map[string]string {
	files := map[string]string{"hub.md": "- " + stalePointer("file:leaf.txt", "") + "\n", "leaf.txt": "leaf\n"}
	var all strings.Builder
	for i := range size {
		name := fmt.Sprintf("d%04d.md", i)
		files[name] = "- " + stalePointer("file:hub.md", "") + "\n"
		all.WriteString("- " + stalePointer("file:"+name, "") + "\n")
	}
	files["index.md"] = all.String()
	return files
}

// crossed are two documents whose sections point at each other's in turn: each is
// rewritten section by section.
func crossed(size int) map[string]string {
	texts := [2]string{}
	for i := range size {
		to := "file:leaf.txt"
		section := ""
		if i > 0 {
			to, section = fmt.Sprintf("file:x%d.md", (i-1)%2), fmt.Sprintf("#heading=S%d", i-1)
		}
		texts[i%2] += fmt.Sprintf("# S%d\n\n- %s\n\n", i, stalePointer(to, section))
	}
	return map[string]string{"x0.md": texts[0], "x1.md": texts[1], "leaf.txt": "leaf\n"}
}

// TestAcceptLooksTwice holds that the scope is scanned once to find what is to be
// written, and once to prove that it holds, however long the documents' dependencies
// are.
func TestAcceptLooksTwice(t *testing.T) {
	const size = 120
	for _, c := range []struct {
		name            string
		files           map[string]string
		pointers, waves int
	}{
		{"chain", chained(size), size, size},
		{"fan", fanned(size), 2*size + 1, 3},
		{"crossed", crossed(size), size, size},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeTree(t, dir, c.files)
			r := acceptCounted(t, dir, nil)
			if len(r.Accepted) != c.pointers || len(r.Left) != 0 {
				t.Fatalf("%d accepted, %d left; want %d, 0", len(r.Accepted), len(r.Left), c.pointers)
			}
			if r.looks != 2*len(c.files) || r.opens != c.waves {
				t.Errorf("%d looks at %d documents and %d observations, want %d and %d", r.looks, len(c.files), r.opens, 2*len(c.files), c.waves)
			}
			if second := acceptCounted(t, dir, nil); len(second.Accepted) != 0 || second.Fresh != c.pointers || second.looks != len(c.files) {
				t.Errorf("a second run: %d accepted, %d fresh, %d looks", len(second.Accepted), second.Fresh, second.looks)
			}
		})
	}
}

// TestAcceptNoticesChanges changes a document during the run: what was added stays,
// and all of it holds together in the end.
func TestAcceptNoticesChanges(t *testing.T) {
	const size = 6
	for at := 1; at < size; at++ {
		for victim := range size - 1 {
			dir := t.TempDir()
			writeTree(t, dir, chained(size))
			name := filepath.Join(dir, fmt.Sprintf("d%04d.md", victim))
			r := acceptCounted(t, dir, func(n int) {
				if n == at {
					add(t, name, "added\n")
				}
			})
			text, err := os.ReadFile(name)
			if err != nil || !strings.HasSuffix(string(text), "added\n") {
				t.Fatalf("at %d, document %d: what was added is gone: %q (%v)", at, victim, text, err)
			}
			// What was written before, and points at what changed then, is left.
			if left := len(r.Left) > 0; left != (victim < at-1) {
				t.Errorf("at %d, document %d: %d left", at, victim, len(r.Left))
			}
			acceptCounted(t, dir, nil)
			if last := acceptCounted(t, dir, nil); len(last.Accepted)+len(last.Left) != 0 {
				t.Errorf("at %d, document %d: %d accepted and %d left at last", at, victim, len(last.Accepted), len(last.Left))
			}
		}
	}
}

// TestAcceptInterrupted ends a run in its course: what was written before is said, and
// a further run does the rest.
func TestAcceptInterrupted(t *testing.T) {
	const size = 6
	dir := t.TempDir()
	writeTree(t, dir, chained(size))
	w := openAt(t, dir)
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	opens := 0
	again := func(ctx context.Context) (*authority.Workspace, error) {
		if opens++; opens == size/2 {
			cancel()
		}
		return w.Again(context.WithoutCancel(ctx))
	}
	r, err := Accept(ctx, w, AcceptOptions{Again: again})
	if f := faultOf(err); f == nil || len(r.Accepted) != size/2 || r.Accepted[1].Index != 1 {
		t.Fatalf("%d accepted, %v", len(r.Accepted), err)
	}
	if rest := acceptCounted(t, dir, nil); len(rest.Accepted) != size-size/2 || len(rest.Left) != 0 {
		t.Errorf("a further run: %d accepted, %d left", len(rest.Accepted), len(rest.Left))
	}
}

func add(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
