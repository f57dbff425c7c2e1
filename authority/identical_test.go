package authority

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority/selector"
)

// trackedText is every file that git tracks: as it stands in the working tree, or
// in the index.
func (g *testRepo) trackedText(index bool) (paths []string, texts map[string][]byte) {
	g.t.Helper()
	texts = map[string][]byte{}
	for p := range strings.SplitSeq(strings.TrimSuffix(g.run("ls-files", "-z"), "\x00"), "\x00") {
		var text []byte
		if index {
			out, err := g.try(nil, "cat-file", "blob", ":"+p)
			if err != nil {
				g.t.Fatal(err)
			}
			text = []byte(out)
		} else {
			var err error
			if text, err = os.ReadFile(g.path(p)); err != nil {
				continue
			}
		}
		paths, texts[p] = append(paths, p), text
	}
	return paths, texts
}

// everywhere searches byte by byte: "path from to", in order.
func everywhere(paths []string, texts map[string][]byte, part []byte) (found []string) {
	for _, p := range paths {
		text := texts[p]
		for i := 0; i+len(part) <= len(text); i++ {
			if bytes.Equal(text[i:i+len(part)], part) {
				first := 1 + bytes.Count(text[:i], []byte("\n"))
				last := 1 + bytes.Count(text[:i+len(part)-1], []byte("\n"))
				found = append(found, fmt.Sprint(p, " ", i, " ", i+len(part), " ", first, " ", last))
			}
		}
	}
	return found
}

// TestIdenticalAgainstSearch holds the search against one that compares every byte
// of what git lists: parts and whole files, in the working tree and in the index.
func TestIdenticalAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString([]string{"a", "b", "\n", "\x00"}[r.IntN(4)])
		}
		return b.String()
	}
	places := 0
	for range 12 {
		g := newTestRepo(t)
		for _, name := range []string{"a", "b/c", "b-c", "b.", "d e", "z/y/x"} {
			g.write(name, text(40))
		}
		g.commit()
		g.write("untracked", text(40))
		g.write("a", text(40))
		if err := os.Remove(g.path("z/y/x")); err != nil {
			t.Fatal(err)
		}
		w := g.open(Config{})
		for _, kind := range []struct {
			locator Locator
			index   bool
		}{{mustLocator(t, "file", "gone"), false}, {mustLocator(t, "git", "HEAD:gone"), true}} {
			paths, texts := g.trackedText(kind.index)
			all := searches(paths, texts)
			for _, s := range all {
				places += checkSearch(t, w, kind.locator, s, paths, texts)
			}
			checkTogether(t, w, kind.locator, all, r)
		}
	}
	t.Logf("%d places", places)
	if places < 1000 {
		t.Errorf("only %d places were compared", places)
	}
}

// searches are of every file, and of its first bytes.
func searches(paths []string, texts map[string][]byte) (list []Search) {
	for _, p := range paths {
		text := texts[p]
		for _, n := range []int{1, 2, 5} {
			if n <= len(text) {
				list = append(list, Search{Identity: BLAKE3Sum(text[:n]), Bytes: text[:n]})
			}
		}
		for _, tag := range []Tag{BLAKE3, SHA256, GitBlob} {
			id := Digest(Like(tag, false), text)
			list = append(list, Search{Identity: id, Whole: true}, Search{Identity: id, Whole: true, Bytes: text})
		}
	}
	return list
}

// checkTogether holds searches that are made together, each within bounds of its own,
// to the same searches made alone.
func checkTogether(t *testing.T, w *Workspace, l Locator, all []Search, r *rand.Rand) {
	t.Helper()
	cut := 0
	for i := range all {
		all[i].Locator, all[i].MaxBytes, all[i].MaxPlaces = l, int64(r.IntN(200)), 1+r.IntN(4)
		if r.IntN(3) == 0 {
			all[i].Own = "a"
		}
	}
	for i, together := range FindIdentical(t.Context(), w, all) {
		alone := FindIdentical(t.Context(), w, all[i:i+1])[0]
		if !reflect.DeepEqual(together, alone) {
			t.Fatalf("%+v: together %+v, alone %+v", all[i], together, alone)
		}
		if !alone.Complete {
			cut++
		}
	}
	if cut == 0 || cut == len(all) {
		t.Fatalf("%d of %d searches were cut", cut, len(all))
	}
}

func checkSearch(t *testing.T, w *Workspace, l Locator, s Search, paths []string, texts map[string][]byte) int {
	t.Helper()
	s.MaxBytes, s.MaxPlaces = 1<<20, 1000
	s.Locator = l
	one := FindIdentical(t.Context(), w, []Search{s})[0]
	if !one.Complete {
		t.Fatal("the search was cut")
	}
	found := one.Places
	var got, want []string
	for _, at := range found {
		if s.Whole {
			got = append(got, at.Path)
			continue
		}
		got = append(got, fmt.Sprint(at.Path, " ", at.Range.From, " ", at.Range.To, " ", at.Lines[0], " ", at.Lines[1]))
	}
	if s.Whole {
		differs := func(p string) bool { return Digest(s.Identity, texts[p]) != s.Identity }
		want = slices.DeleteFunc(slices.Clone(paths), differs)
	} else {
		want = everywhere(paths, texts, s.Bytes)
	}
	// A blob id is looked up in the index: a copy that is not staged is not found.
	if s.Whole && s.Bytes == nil && s.Identity.tag == GitBlob {
		if !subset(got, want) {
			t.Errorf("%s of a blob id: %q, want some of %q", l.Kind().Name, got, want)
		}
		return len(got)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s, whole %v: got %q, want %q", l.Kind().Name, s.Whole, got, want)
	}
	for _, at := range found {
		checkPlace(t, w, at, s)
	}
	return len(got)
}

func subset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(of, s) })
}

// checkPlace observes a place by its own locator and finds the identity there.
func checkPlace(t *testing.T, w *Workspace, at Identical, s Search) {
	t.Helper()
	var sel selector.Selector
	switch {
	case at.Aligned:
		var err error
		if sel, err = selector.Parse(fmt.Sprintf("lines=%d-%d", at.Lines[0], at.Lines[1])); err != nil {
			t.Fatal(err)
		}
	case !at.Whole:
		return
	}
	o, err := at.Locator.Observe(t.Context(), w, "")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := o.Match(t.Context(), s.Identity, sel); err != nil || found.Identity != s.Identity {
		t.Errorf("%s: %s, %v", at.Locator, found.Identity, err)
	}
}
