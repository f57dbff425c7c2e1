package documents

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// TestRowSpans holds the spans of a row against a look at every entry.
func TestRowSpans(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "a/b", "a.b", "a/b/c", "a!", "b", "a/ctxptr.pins", "ctxptr.pins"}
	folders := []string{".", "a", "a/b", "b", "c"}
	for range 200 {
		var entries []Entry
		for range random.IntN(20) {
			from := random.IntN(50)
			entries = append(entries, Entry{File: names[random.IntN(len(names))], From: from, To: from + 1})
		}
		line := newRow(entries, func(int) bool { return true })
		same := func(what string, s span, in func(Entry) bool) {
			t.Helper()
			var got, want []int
			for _, c := range line.cells[s.from:s.to] {
				got = append(got, c.entry)
			}
			for i, e := range entries {
				if in(e) {
					want = append(want, i)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: got %v, want %v of %+v", what, got, want, entries)
			}
		}
		for _, name := range names {
			same(name, line.file(name), func(e Entry) bool { return e.File == name })
			from := random.IntN(50)
			same("part of "+name, line.inRange(line.file(name), from, from+5), func(e Entry) bool { return e.File == name && e.From < from+5 && e.To > from })
		}
		for _, folder := range folders {
			same("folder "+folder, line.below(folder), func(e Entry) bool { return within(folder, e.File) && !isPinsPath(e.File) })
		}
	}
}

// TestGraph holds the components of spans against reachability in the plain graph.
func TestGraph(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		size := random.IntN(12)
		g := newGraph(size)
		reach := make([][]bool, size)
		for n := range reach {
			reach[n] = make([]bool, size)
		}
		for n := range size {
			for range random.IntN(3) {
				s := span{from: random.IntN(size)}
				s.to = min(size, s.from+random.IntN(3))
				g.cover(n, []span{s})
				for to := s.from; to < s.to; to++ {
					reach[n][to] = true
				}
			}
		}
		for by := range size {
			for from := range size {
				for to := range size {
					reach[from][to] = reach[from][to] || reach[from][by] && reach[by][to]
				}
			}
		}
		done := map[int]bool{}
		for _, group := range g.components() {
			for _, a := range g.leaves(group) {
				if circle := g.circle(group); circle != reach[a][a] {
					t.Fatalf("cell %d: circle %v, want %v in %v", a, circle, reach[a][a], g.of)
				}
				for b := range size {
					with := slices.Contains(g.leaves(group), b)
					if both := a == b || reach[a][b] && reach[b][a]; with != both {
						t.Fatalf("cells %d and %d are together: %v, want %v in %v", a, b, with, both, g.of)
					}
					if reach[a][b] && !with && !done[b] {
						t.Fatalf("cell %d comes before %d, on which it depends, in %v", a, b, g.of)
					}
				}
			}
			for _, a := range g.leaves(group) {
				done[a] = true
			}
		}
	}
}

func TestConflicted(t *testing.T) {
	for text, want := range map[string]bool{
		"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n":                     true,
		"<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n":           true,
		"<<<<<<< a\nx\n||||||| c\n=======\ny\n>>>>>>> b":            true,
		"<<<<<<<\nx\n=======\ny\n>>>>>>>\n":                         true,
		"<<<<<<<<<<< a\nx\n===========\ny\n>>>>>>>>>>> b\n":         true,
		"<<<<<<< a\n<<<<<<< b\nx\n=======\ny\n>>>>>>> b\n>>>>>>> a": true,
		"Title\n=======\n\n>>>>>>> quoted\n":                        false,
		"<<<<<<< a\nx\n>>>>>>> b\n=======\n":                        false,
		"<<<<<<<a\nx\n=======\ny\n>>>>>>>b\n":                       false,
		"<<<<<< a\nx\n======\ny\n>>>>>> b\n":                        false,
		" <<<<<<< a\n =======\n >>>>>>> b\n":                        false,
		"":                                                          false,
	} {
		if got := conflicted([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestPair accounts for identities: what stands now against what the base states.
// Each letter is an identity.
func TestPair(t *testing.T) {
	for _, c := range []struct{ base, now, want string }{
		{"A", "A", ""},
		{"A", "B", "A>B"},
		{"", "B", ""},
		{"A", "", ""},
		{"AB", "BB", "A>B"},
		{"BA", "BB", "A>B"},
		{"AA", "BB", "A>B A>B"},
		{"AB", "BA", ""},
		{"A", "AA", ""},
		{"A", "AB", "A>B"},
		{"A", "BB", "A>B A>B"},
		{"AB", "B", ""},
		{"AB", "BBB", "A>B"},
		{"AB", "CD", "A>C B>D"},
	} {
		var base []authority.Identity
		for _, letter := range c.base {
			base = append(base, letterIdentity(letter))
		}
		var now []Acceptance
		for _, letter := range c.now {
			p, err := resolver.ParsePointer("ctxptr:file:a@" + letterIdentity(letter).String() + ":matches_current")
			if err != nil {
				t.Fatal(err)
			}
			now = append(now, Acceptance{target: p})
		}
		got := ""
		for _, a := range pair(now, base) {
			for _, was := range "ABCD" {
				for _, is := range "ABCD" {
					if a.was == letterIdentity(was) && a.target.Identity() == letterIdentity(is) && a.Was == a.was.String() {
						got += " " + string(was) + ">" + string(is)
					}
				}
			}
		}
		if want := c.want; got != "" && got[1:] != want || got == "" && want != "" {
			t.Errorf("base %s, now %s: got%s, want %s", c.base, c.now, got, want)
		}
	}
}

func letterIdentity(letter rune) authority.Identity {
	return authority.BLAKE3Sum([]byte(string(letter)))
}

// TestLying finds bytes where they lie by their offset without carriage returns.
func TestLying(t *testing.T) {
	for _, raw := range []string{"", "a", "\r\n", "a\r\nb\n\r\n\r\rc\r\n\r\n", "\r\r\n\n\r\nx"} {
		r := &round{ctx: t.Context(), workspace: open(t, map[string]string{"f": raw}), returns: map[string][]int{}}
		removed := r.removed("f")
		stored := strings.ReplaceAll(raw, "\r\n", "\n")
		for at := range len(stored) {
			i := lying(removed, at)
			if stored[at] == '\n' && raw[i] == '\r' {
				i++
			}
			if raw[i] != stored[at] || strings.ReplaceAll(raw[:i+1], "\r\n", "\n") != stored[:at+1] {
				t.Errorf("%q: byte %d of %q lies at %d", raw, at, stored, i)
			}
		}
	}
}
