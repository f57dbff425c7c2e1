package authority

import (
	"fmt"
	"testing"

	"ctxptr/authority/selector"
)

func mustLocator(t *testing.T, kind, text string) Locator {
	t.Helper()
	k, err := LookupKind(kind)
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseLocator(k, text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPastBound looks into as many parents of a merge as the bound says, in their
// order.
func TestPastBound(t *testing.T) {
	g := newTestRepo(t)
	args := []string{"commit-tree", "-m", "m"}
	const parents = 2 * maxPast
	for i := range parents {
		g.write("a", fmt.Sprintln(i))
		g.run("add", "a")
		args = append(args, "-p", g.run("commit-tree", "-m", "m", g.run("write-tree")))
	}
	g.write("a", "now\n")
	g.run("add", "a")
	g.run("update-ref", "HEAD", g.run(append(args, g.run("write-tree"))...))
	past := mustLocator(t, "git", "HEAD:a").Past(g.open(Config{}), "")
	for i := range parents {
		text := fmt.Sprintln(i)
		for range 2 { // looked up, then kept
			got, ok := past.Stated(t.Context(), BLAKE3Sum([]byte(text)), selector.Selector{})
			// The index comes first and takes one of the places.
			if want := i < maxPast-1; ok != want || ok && string(got) != text {
				t.Errorf("parent %d: %q, %v", i, got, ok)
			}
		}
	}
}

// TestPastProves gives bytes only for the identity that they have, of the tag and
// coverage stated.
func TestPastProves(t *testing.T) {
	const text = "one\ntwo\n"
	g := newTestRepo(t)
	g.write("a", text)
	g.commit()
	g.write("a", "now\n")
	lines, err := selector.Parse("lines=2-2")
	if err != nil {
		t.Fatal(err)
	}
	blob, err := ParseIdentity("gitBlob:" + g.run("rev-parse", "HEAD:a"))
	if err != nil {
		t.Fatal(err)
	}
	whole, part := BLAKE3Sum([]byte(text)), BLAKE3Sum([]byte("two"))
	for _, c := range []struct {
		name string
		id   Identity
		sel  selector.Selector
		want string
	}{
		{"whole file", whole, selector.Selector{}, text},
		{"blob", blob, selector.Selector{}, text},
		{"lines", part, lines, "two"},
		{"whole beside lines", asWhole(whole), lines, text},
		{"the file's for the lines", whole, lines, ""},
		{"the lines' for the file", part, selector.Selector{}, ""},
		{"the lines' as whole", asWhole(part), lines, ""},
		{"what stands there now", BLAKE3Sum([]byte("now\n")), selector.Selector{}, ""},
		{"a tree", Identity{tag: GitTree, sum: blob.sum, size: blob.size}, selector.Selector{}, ""},
	} {
		past := mustLocator(t, "file", "a").Past(g.open(Config{}), "")
		got, ok := past.Stated(t.Context(), c.id, c.sel)
		if ok != (c.want != "") || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, ok)
		}
	}
	small := mustLocator(t, "file", "a").Past(g.open(Config{MaxBytes: int64(len(text)) - 1}), "")
	if got, ok := small.Stated(t.Context(), whole, selector.Selector{}); ok {
		t.Errorf("a blob beyond the bound was read: %q", got)
	}
}

// asWhole returns the same identity, stated of the whole authority.
func asWhole(id Identity) Identity {
	id.whole = true
	return id
}
