package documents

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// randomTree is documents that point at each other, at folders and at lists of
// inputs, all of it stale or by chance fresh.
type randomTree struct {
	*rand.Rand
	files map[string]string
}

const (
	treeDocuments = 4
	treeSections  = 3
)

func newRandomTree(seed uint64) *randomTree {
	t := &randomTree{rand.New(rand.NewPCG(seed, 1)), map[string]string{}}
	for i := range 3 {
		t.files[fmt.Sprintf("leaf%d.txt", i)] = "leaf\n"
	}
	t.files["in/leaf.txt"] = "below\n"
	for i := range 2 {
		t.files[fmt.Sprintf("list%d.txt", i)] = t.pointer() + "\n" + t.pointer() + "\n"
	}
	pins := ""
	for i := range treeDocuments {
		name := t.document(i)
		t.files[name] = t.text()
		if t.IntN(2) == 0 {
			t.files[name] += "\n[x](/leaf0.txt)\n"
			pins += name + " " + stalePointer("file:leaf0.txt", "") + "\n"
		}
	}
	if pins != "" {
		lines := strings.SplitAfter(strings.TrimSuffix(pins, "\n"), "\n")
		slices.Sort(lines)
		t.files["ctxptr.pins"] = strings.ReplaceAll(strings.Join(lines, "\n"), "\n\n", "\n")
	}
	return t
}

func (t *randomTree) document(i int) string {
	if i%2 == 0 {
		return fmt.Sprintf("d%d.md", i)
	}
	return fmt.Sprintf("in/d%d.md", i)
}

// text is a document of sections with pointers in them.
func (t *randomTree) text() string {
	end := "\n"
	if t.IntN(3) == 0 {
		end = "\r\n"
	}
	var b strings.Builder
	if t.IntN(4) == 0 {
		b.WriteString("\ufeff")
	}
	for i := range treeSections {
		fmt.Fprintf(&b, "# S%d%s%s", i, end, end)
		for range t.IntN(3) {
			b.WriteString("- " + t.pointer() + " and " + []string{"", t.pointer() + "."}[t.IntN(2)] + end + end)
		}
	}
	return strings.TrimRight(b.String(), "\r\n") + []string{"", end}[t.IntN(2)]
}

// pointer is one to something in the tree that states what is not there.
func (t *randomTree) pointer() string {
	document := t.document(t.IntN(treeDocuments))
	switch t.IntN(12) {
	case 0:
		return stalePointer("dir:in", "")
	case 1:
		return stalePointer(fmt.Sprintf("inputs:list%d.txt", t.IntN(2)), "")
	case 2:
		return stalePointer("file:"+document, "")
	case 3:
		return stalePointer("file:gone.md", "")
	case 4, 5, 6, 7:
		return stalePointer("file:"+document, fmt.Sprintf("#heading=S%d", t.IntN(treeSections)))
	}
	return stalePointer(fmt.Sprintf("file:leaf%d.txt", t.IntN(3)), "")
}

func stalePointer(what, selector string) string {
	return "ctxptr:" + what + "@blake3:" + strings.Repeat("0", 64) + ":matches_current" + selector
}

// outcome is what Accept did, as far as two runs can be compared.
type outcome struct {
	done, left []string
	fresh      int
}

func outcomeOf(r *AcceptResult) outcome {
	place := func(r *resolver.Record) string {
		return fmt.Sprintf("%s:%d:%d %s", r.At.Path, r.At.Line, r.At.Column, r.Code)
	}
	var o outcome
	for _, record := range slices.Concat(r.Accepted, r.Waiting) {
		o.done = append(o.done, place(record))
	}
	for _, record := range r.Left {
		o.left = append(o.left, place(record))
	}
	slices.Sort(o.done)
	slices.Sort(o.left)
	o.fresh = r.Fresh
	return o
}

// acceptAll runs Accept over a folder, outside of any repository.
func acceptAll(t *testing.T, dir string, dry bool) *AcceptResult {
	t.Helper()
	w := openAt(t, dir)
	defer w.Close()
	scope := Scope{Paths: []string{"in", "d0.md", "d2.md"}} // lists are authorities only
	r, err := Accept(t.Context(), w, AcceptOptions{Scope: scope, DryRun: dry, Again: func(ctx context.Context) (*authority.Workspace, error) { return w.Again(ctx) }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openAt(t *testing.T, dir string) *authority.Workspace {
	t.Helper()
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, Root: dir, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func readTree(t *testing.T, dir string, names map[string]string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name := range names {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

var digests = regexp.MustCompile(`@blake3:[0-9a-f]{64}`)

// TestAcceptRandom accepts everything in random trees: a dry run says what is done,
// nothing but identities changes, what was not left is fresh, and a second run
// finds nothing to do.
func TestAcceptRandom(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	done, left := 0, 0
	for seed := range uint64(rounds) {
		tree := newRandomTree(seed)
		dir := t.TempDir()
		writeTree(t, dir, tree.files)
		planned := acceptAll(t, dir, true)
		if got := readTree(t, dir, tree.files); !reflect.DeepEqual(got, tree.files) {
			t.Fatalf("seed %d: a dry run wrote", seed)
		}
		result := acceptAll(t, dir, false)
		if plan, did := outcomeOf(planned), outcomeOf(result); !reflect.DeepEqual(plan, did) {
			t.Fatalf("seed %d: a dry run said\n%+v\nand done was\n%+v\n%v", seed, plan, did, tree.files)
		}
		after := readTree(t, dir, tree.files)
		for name, text := range after {
			if digests.ReplaceAllString(text, "") != digests.ReplaceAllString(tree.files[name], "") {
				t.Fatalf("seed %d: %s changed outside of identities\n%q\n%q", seed, name, tree.files[name], text)
			}
		}
		second := acceptAll(t, dir, false)
		if len(second.Accepted) != 0 || !reflect.DeepEqual(readTree(t, dir, tree.files), after) {
			t.Fatalf("seed %d: a second run accepted %v", seed, outcomeOf(second).done)
		}
		if !reflect.DeepEqual(outcomeOf(second).left, outcomeOf(result).left) || second.Fresh != result.Fresh+len(result.Accepted) {
			t.Fatalf("seed %d: left %v, then %v; fresh %d and %d, then %d", seed, outcomeOf(result).left, outcomeOf(second).left, result.Fresh, len(result.Accepted), second.Fresh)
		}
		done, left = done+len(result.Accepted), left+len(result.Left)
	}
	if done == 0 || left == 0 {
		t.Errorf("%d accepted and %d left: nothing was tried", done, left)
	}
	t.Logf("%d accepted, %d left", done, left)
}
