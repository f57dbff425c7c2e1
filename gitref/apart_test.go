package gitref

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// pairwise answers as foremost does, by a question of ancestry for every pair.
func pairwise(t *testing.T, isAncestor func(a, d OID) (bool, error), ids []OID) (at int, cut []OID) {
	t.Helper()
	for at, id := range ids {
		behind := false
		cut = nil
		for _, other := range ids {
			if other == id || behind {
				continue
			}
			yes, err := isAncestor(id, other)
			if e, ok := errors.AsType[*Error](err); ok && e.Fault == Shallow {
				end, err := ParseOID(e.Subject)
				if err != nil {
					t.Fatal(err)
				}
				cut = append(cut, end)
			} else if err != nil {
				t.Fatal(err)
			}
			behind = yes
		}
		if !behind {
			sortOIDs(cut)
			return at, slices.Compact(cut)
		}
	}
	t.Fatal("each lies behind another")
	return 0, nil
}

// someOf returns up to n distinct ones of ids, in random order.
func someOf(rnd *rand.Rand, ids []OID, n int) []OID {
	some := slices.Clone(ids)
	rnd.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:min(1+rnd.IntN(n), len(some))]
}

// compareForemost compares with the answers pair by pair and, in complete history,
// with those of git.
func compareForemost(t *testing.T, g *testGit, h, pairs ancestry, ids []OID) (at int, cut []OID) {
	t.Helper()
	at, cut, err := h.foremost(ids)
	wantAt, wantCut := pairwise(t, pairs.isAncestor, ids)
	if err != nil || at != wantAt || !slices.Equal(cut, wantCut) {
		t.Fatalf("foremost(%v) = %d, %v, %v; pair by pair %d, %v", ids, at, cut, err, wantAt, wantCut)
	}
	if g != nil {
		args := []string{"merge-base", "--independent"}
		for _, id := range ids {
			args = append(args, id.String())
		}
		apart := strings.Fields(g.run(args...))
		if i := slices.IndexFunc(ids, func(id OID) bool { return slices.Contains(apart, id.String()) }); i != at {
			t.Fatalf("foremost(%v) = %d, git says %d", ids, at, i)
		}
	}
	return at, cut
}

func TestForemostEqualsGit(t *testing.T) {
	for seed, shape := range histories {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			g := newTestGit(t)
			ids := g.randomHistory(60, 40+uint64(seed))
			shape.make(g, ids)
			s := g.store()
			h := newHistory(s, testSize(), nil, false, s.objectDirs())
			pairs := newHistory(s, testSize(), nil, true, nil)
			t.Cleanup(func() { h.close() })
			rnd := testRand(uint64(seed))
			for range 60 {
				compareForemost(t, g, h, pairs, someOf(rnd, ids, 40))
			}
		})
	}
}

func TestForemostReplaced(t *testing.T) {
	g := newTestGit(t)
	ids := g.randomHistory(30, 4)
	g.run("commit-graph", "write", "--reachable")
	g.run("replace", "--graft", ids[10].String())
	g.run("replace", "--graft", ids[15].String(), ids[1].String(), ids[2].String())
	g.write(".git/info/grafts", ids[18].String()+"\n"+ids[12].String()+" "+ids[0].String()+"\n")
	r := g.open()
	g.env = []string{"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=" + os.DevNull}
	past, err := r.history(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rnd := testRand(5)
	for range 100 {
		compareForemost(t, g, past, past, someOf(rnd, ids, 20))
	}
	if past.(*history).graph != nil {
		t.Error("a commit-graph is in use")
	}
}

// TestForemostShallow clones random histories at every depth: what is answered must
// be what it is pair by pair, and be so in the complete history too.
func TestForemostShallow(t *testing.T) {
	sure, unknown, many := 0, 0, 0
	for seed := range uint64(3) {
		g := newTestGit(t)
		ids := g.randomHistory(60, 60+seed)
		g.keepEach(10, ids)
		full := newHistory(g.store(), testSize(), nil, false, nil)
		for _, depth := range []int{1, 2, 3, 5, 8} {
			c := g.clone("--no-single-branch", "-n", fmt.Sprint("--depth=", depth))
			s := c.store()
			local := present(s, ids)
			rnd := testRand(seed)
			for range 100 {
				some := someOf(rnd, local, 12)
				h, pairs := newHistory(s, testSize(), c.boundary(), false, nil), newHistory(s, testSize(), c.boundary(), false, nil)
				at, cut := compareForemost(t, nil, h, pairs, some)
				if len(cut) == 0 {
					sure++
					if want, _ := pairwise(t, full.isAncestor, some); want > at {
						t.Errorf("depth %d: foremost(%v) = %d, in complete history %d", depth, some, at, want)
					}
					continue
				}
				if unknown++; len(cut) > 1 {
					many++
				}
			}
		}
	}
	if sure < 100 || unknown < 100 || many < 100 {
		t.Errorf("%d sure, %d unknown, %d for several boundary commits", sure, unknown, many)
	}
}

func TestForemostByGit(t *testing.T) {
	g := newTestGit(t, "--object-format=sha256")
	ids := g.randomHistory(30, 8)
	shallow := g.clone("--no-single-branch", "-n", "--depth=2")
	for _, c := range []*testGit{g, shallow} {
		r := c.open()
		past := gitHistory{r}
		local := slices.DeleteFunc(slices.Clone(ids), func(id OID) bool { _, _, err := r.Stat(t.Context(), id); return err != nil })
		complete, rnd := c, testRand(9)
		if c == shallow {
			complete = nil
		}
		for range 10 {
			compareForemost(t, complete, past, past, someOf(rnd, local, 10))
		}
	}
}

// ladder makes n commits beside a line of n, each beside a later one of it, and a merge
// of all: between two of them lies the line between where they begin.
func (g *testGit) ladder(n int) []OID {
	g.t.Helper()
	var b strings.Builder
	commit := func(ref string, mark, from int) {
		fmt.Fprintf(&b, "commit refs/heads/%s\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 0\n", ref, mark, g.now+mark)
		if from > 0 {
			fmt.Fprintf(&b, "from :%d\n", from)
		}
	}
	commit("line", 1, 0)
	for i := range n {
		commit("rung", 2*i+2, max(1, 2*i-1))
		commit("line", 2*i+3, max(1, 2*i+1))
	}
	commit("main", 2*n+2, 2*n+1)
	for i := range n {
		fmt.Fprintf(&b, "merge :%d\n", 2*i+2)
	}
	g.feed(b.String(), "fast-import", "--quiet", "--force")
	var rungs []OID
	for line := range strings.Lines(g.run("rev-list", "--no-walk", "main^@")) {
		id, err := ParseOID(strings.TrimSpace(line))
		if err != nil {
			g.t.Fatal(err)
		}
		rungs = append(rungs, id)
	}
	return rungs
}

// TestForemostIsOneWalk counts the commits that are looked at: a walk for every pair
// would look at some hundred thousand.
func TestForemostIsOneWalk(t *testing.T) {
	const n = 1000
	for _, graph := range []bool{false, true} {
		g := newTestGit(t)
		rungs := g.ladder(n)
		if graph {
			g.run("commit-graph", "write", "--reachable")
		}
		s := g.store()
		h := newHistory(s, testSize(), nil, false, s.objectDirs())
		t.Cleanup(func() { h.close() })
		err := h.ask(rungs, func(_ *walk, nodes []int32) error {
			w, err := newApart(h, nodes).try(0)
			if err == nil && w.steps > 3*n {
				t.Errorf("with a commit-graph %v: %d commits were looked at for %d", graph, w.steps, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestForemostTriesFew makes commits each of which lies behind another in its turn, by
// a walk through one whose clock was wrong: only some of them have a walk of their own.
func TestForemostTriesFew(t *testing.T) {
	const n = 3 * maxTries
	g := newTestGit(t)
	tree := g.run("write-tree")
	commit := func(when int, parent string) string {
		g.now = when
		return g.run("commit-tree", tree, "-m", fmt.Sprint(when), "-p", parent)
	}
	root := g.run("commit-tree", tree, "-m", "root")
	var ids []OID
	for i := range n {
		ids = append(ids, g.oid(commit(1800000000-i, root)))
	}
	for i := range n {
		ids = append(ids, g.oid(commit(1900000000, commit(1600000000-i, ids[i].String()))))
	}
	for i := range n {
		g.run("update-ref", fmt.Sprint("refs/heads/c", i), ids[n+i].String())
	}
	for range 2 {
		s := g.store()
		h := newHistory(s, testSize(), nil, false, s.objectDirs())
		t.Cleanup(func() { h.close() })
		err := h.ask(ids, func(_ *walk, nodes []int32) error {
			a := newApart(h, nodes)
			at, _, err := a.foremost()
			if at != n || a.tries != maxTries+2 || !a.behind[n-1] {
				t.Errorf("commit %d after %d walks, with a commit-graph %v", at, a.tries, h.graph != nil)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		compareForemost(t, g, h, h, ids)
		g.run("commit-graph", "write", "--reachable")
	}
}

// TestManyMergeBases merges many roots twice: each is a best common ancestor.
func TestManyMergeBases(t *testing.T) {
	g := newTestGit(t)
	tree := g.run("write-tree")
	var args []string
	for i := range 40 {
		g.now -= 50
		args = append(args, "-p", g.run("commit-tree", tree, "-m", fmt.Sprint(i)))
	}
	var tips []OID
	for i := range 2 {
		id := g.run(append([]string{"commit-tree", tree, "-m", fmt.Sprint("tip ", i)}, args...)...)
		g.run("update-ref", fmt.Sprint("refs/heads/tip", i), id)
		tips = append(tips, g.oid(id))
	}
	h := newHistory(g.store(), testSize(), nil, false, nil)
	compareBases(t, g, h, tips[0], tips[1])
	c := g.clone("--no-single-branch", "-n", "--depth=2")
	_, err := newHistory(c.store(), testSize(), c.boundary(), false, nil).mergeBases(tips[0], tips[1])
	wantFault(t, err, Shallow)
}

// BenchmarkForemost asks about 20,000 parallel versions, with a commit-graph and
// without, and pair by pair.
func BenchmarkForemost(b *testing.B) {
	g := newTestGit(b)
	rungs := g.ladder(20_000)
	for _, name := range []string{"objects", "graph"} {
		if name == "graph" {
			g.run("commit-graph", "write", "--reachable")
		}
		s := g.store()
		ask := func(b *testing.B, question func(h *history) error) {
			for b.Loop() {
				h := newHistory(s, testSize(), nil, false, s.objectDirs())
				if err := question(h); err != nil {
					b.Fatal(err)
				}
				h.close()
			}
		}
		b.Run(name, func(b *testing.B) {
			ask(b, func(h *history) error {
				_, _, err := h.foremost(rungs)
				return err
			})
		})
		b.Run(name+" pairwise", func(b *testing.B) {
			ask(b, func(h *history) error {
				for _, other := range rungs[1:] {
					if yes, err := h.isAncestor(rungs[0], other); yes || err != nil {
						return fmt.Errorf("%t, %w", yes, err)
					}
				}
				return nil
			})
		})
	}
}
