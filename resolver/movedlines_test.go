package resolver

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// randomLines has lines that come back.
func randomLines(rnd *rand.Rand, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", rnd.IntN(n))
	}
	return lines
}

// linesPointer is a pointer to lines that states the identity of a text, by a tag.
func linesPointer(t *testing.T, rnd *rand.Rand, count int, text string) Pointer {
	t.Helper()
	tag := []string{"blake3:" + strings.Repeat("0", 64), "sha256:" + strings.Repeat("0", 64), "gitBlob:" + strings.Repeat("0", 40), "gitBlob:" + strings.Repeat("0", 64)}[rnd.IntN(4)]
	like, err := authority.ParseIdentity(tag)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePointer(fmt.Sprintf("ctxptr:file:f@%s:matches_current#lines=1-%d", authority.Digest(like, []byte(text)), count))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLinesFoundTogether asks one finder for many pointers, and compares with the
// places that a comparison of the lines themselves finds.
func TestLinesFoundTogether(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20 {
		lines := randomLines(rnd, 1+rnd.IntN(60))
		doc := selector.NewDocument("f", []byte(strings.Join(lines, "\n")+"\n"))
		f := &lineFinder{}
		for range 60 {
			count := 1 + rnd.IntN(3)
			from := rnd.IntN(len(lines) + 1)
			stated := slices.Clone(lines[from:min(from+count, len(lines))])
			if len(stated) < count {
				stated = append(stated, "nowhere")
			}
			var want [][2]int
			for i := 0; i+count <= len(lines); i++ {
				if slices.Equal(lines[i:i+count], stated) {
					want = append(want, [2]int{i + 1, i + count})
				}
			}
			got, done := f.find(t.Context(), doc, linesPointer(t, rnd, count, strings.Join(stated, "\n")))
			if !done || !slices.Equal(got, want) {
				t.Fatalf("%q in %q: %v, %v, want %v", stated, lines, got, done, want)
			}
			found += len(got)
		}
	}
	if found < 100 {
		t.Errorf("%d places were found", found)
	}
}

// TestLinesDigestedOnce holds that a document is digested at most twice for all the
// pointers that ask for as many lines of it, and that the bounds hold.
func TestLinesDigestedOnce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	p := linesPointer(t, rnd, 1, "x")
	small := selector.NewDocument("f", []byte("x\ny\nx\n"))
	f := &lineFinder{}
	for i := range 3 {
		places, done := f.find(t.Context(), small, p)
		if !done || !slices.Equal(places, [][2]int{{1, 1}, {3, 3}}) {
			t.Errorf("search %d: %v, %v", i, places, done)
		}
		for _, kept := range f.known {
			if (kept != nil) != (i > 0) {
				t.Errorf("after search %d what is kept is %v", i, kept)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, done := f.find(ended, small, p); done {
		t.Error("a search that was ended is done")
	}
	large := selector.NewDocument("f", []byte(strings.Repeat("y\n", maxLineDigests)+"x\n"))
	for range 3 {
		places, done := f.find(t.Context(), large, p)
		if want := [][2]int{{maxLineDigests + 1, maxLineDigests + 1}}; !done || !slices.Equal(places, want) {
			t.Errorf("in a large document: %v, %v", places, done)
		}
	}
	if f.kept > maxLineDigests || len(f.known) != 2 {
		t.Errorf("%d digests are kept, for %d questions", f.kept, len(f.known))
	}
}

// TestMovedLinesInBatch refreshes many pointers at one document: each record is the one
// that it has alone.
func TestMovedLinesInBatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	before := randomLines(rnd, 80)
	after := slices.Concat([]string{"new", "new"}, before[:40], []string{"between"}, before[40:])
	w, _ := openFolder(t, "f", strings.Join(after, "\n")+"\n")
	var texts []string
	for range 60 {
		count, from := 1+rnd.IntN(3), rnd.IntN(70)
		stated := linesPointer(t, rnd, count, strings.Join(before[from:from+count], "\n"))
		texts = append(texts, strings.Replace(stated.String(), fmt.Sprintf("lines=1-%d", count), fmt.Sprintf("lines=%d-%d", from+1, from+count), 1))
	}
	outcomes := map[string]int{}
	for i, r := range resolveTexts(t, w, Options{Refresh: true}, texts...) {
		alone := resolveTexts(t, w, Options{Refresh: true}, texts[i])[0]
		alone.Index = i
		if got, want := inJSON(t, r), inJSON(t, alone); got != want {
			t.Errorf("%s: in the batch %s, alone %s", texts[i], got, want)
		}
		outcomes[string(r.Outcome)+" "+string(r.Code)]++
	}
	if outcomes["refreshed "] == 0 || outcomes["blocked "+string(authority.AmbiguousSelection)] == 0 {
		t.Errorf("outcomes %v", outcomes)
	}
}

func inJSON(t *testing.T, r *Record) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
