package gitref

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// randomHistory writes commits with up to four random parents, several roots
// and dates in and out of order, and returns them.
func (g *testGit) randomHistory(n int, seed uint64) []OID {
	g.t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	tree := g.run("write-tree")
	var ids []OID
	for i := range n {
		args := []string{"commit-tree", tree, "-m", fmt.Sprint(i)}
		for range parentCount(rnd, i) {
			// Mostly recent ones, so that the history is deep.
			back := min(rnd.IntN(6)+rnd.IntN(6)*rnd.IntN(2), i-1)
			args = append(args, "-p", ids[i-1-back].String())
		}
		if g.now += 100; rnd.IntN(4) == 0 {
			g.now -= rnd.IntN(2000)
		}
		id, err := ParseOID(g.run(args...))
		if err != nil {
			g.t.Fatal(err)
		}
		ids = append(ids, id)
		g.run("update-ref", fmt.Sprintf("refs/heads/c%d", i), id.String())
	}
	return ids
}

func parentCount(rnd *rand.Rand, i int) int {
	switch r := rnd.IntN(20); {
	case i == 0 || r == 0:
		return 0
	case r < 12:
		return 1
	case r < 18:
		return 2
	}
	return 4
}

// histories are the ways git can keep what it knows of a history.
var histories = []struct {
	name string
	make func(g *testGit, ids []OID)
}{
	{"objects", func(g *testGit, ids []OID) {}},
	{"graph", func(g *testGit, ids []OID) { g.run("commit-graph", "write", "--reachable") }},
	{"levels only", func(g *testGit, ids []OID) {
		g.run("-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable")
	}},
	{"partial graph", func(g *testGit, ids []OID) {
		g.feed(ids[len(ids)/2].String()+"\n", "commit-graph", "write", "--stdin-commits")
	}},
	{"split graph", func(g *testGit, ids []OID) {
		for _, i := range []int{len(ids) / 3, len(ids) / 2, len(ids) - 2} {
			g.feed(ids[i].String()+"\n", "commit-graph", "write", "--split=no-merge", "--stdin-commits")
		}
	}},
	{"mixed split graph", func(g *testGit, ids []OID) {
		g.feed(ids[len(ids)/2].String()+"\n", "-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--split=no-merge", "--stdin-commits")
		g.run("commit-graph", "write", "--split=no-merge", "--reachable")
	}},
}

func TestHistoryEqualsGit(t *testing.T) {
	for seed, shape := range histories {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			g := newTestGit(t)
			ids := g.randomHistory(50, uint64(seed))
			shape.make(g, ids)
			s := g.store()
			h := newHistory(s, testSize(), nil, false, s.objectDirs())
			t.Cleanup(func() { h.close() })
			compareAncestry(t, g, h, ids)
			if hasGraph := h.graph != nil; hasGraph != (shape.name != "objects") {
				t.Errorf("commit-graph in use: %v", hasGraph)
			}
		})
	}
}

// compareAncestry compares the ancestry of all pairs, and the merge bases of
// some, with what git says.
func compareAncestry(t *testing.T, g *testGit, h *history, ids []OID) {
	t.Helper()
	for i, d := range ids {
		ancestors := map[string]bool{}
		for line := range strings.Lines(g.run("rev-list", d.String())) {
			ancestors[strings.TrimSpace(line)] = true
		}
		for j, a := range ids {
			got, err := h.isAncestor(a, d)
			if err != nil || got != ancestors[a.String()] {
				t.Fatalf("isAncestor(%v, %v) = %v, %v; git says %v", a, d, got, err, ancestors[a.String()])
			}
			if (i+3*j)%7 == 0 {
				compareBases(t, g, h, a, d)
			}
		}
	}
}

func compareBases(t *testing.T, g *testGit, h *history, a, b OID) {
	t.Helper()
	got, err := h.mergeBases(a, b)
	if err != nil {
		t.Fatalf("mergeBases(%v, %v): %v", a, b, err)
	}
	cmd := g.command("merge-base", "--all", a.String(), b.String())
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		want[strings.TrimSpace(line)] = true
	}
	for _, id := range got {
		if !want[id.String()] {
			t.Errorf("mergeBases(%v, %v) has %v, git's has not", a, b, id)
		}
	}
	if len(got) != len(want) {
		t.Errorf("mergeBases(%v, %v) = %v, git says %v", a, b, got, want)
	}
}

func TestHistoryShallow(t *testing.T) {
	g := newTestGit(t)
	var ids []OID
	for i := range 8 {
		ids = append(ids, g.commit(fmt.Sprint(i)))
	}
	g.run("checkout", "-q", "-b", "side", ids[2].String())
	side := g.commit("side")
	g.run("checkout", "-q", "main")
	c := g.clone("--depth", "3", "--no-single-branch")
	h := newHistory(c.store(), testSize(), c.boundary(), false, []string{c.objectDir()})
	for _, q := range []struct {
		name string
		a, d OID
		yes  bool
		want Fault
	}{
		{"itself", ids[7], ids[7], true, 0},
		{"within", ids[6], ids[7], true, 0},
		{"the boundary", ids[5], ids[7], true, 0},
		// The boundary is an ancestor of both: nothing behind it can matter.
		{"a rewind", ids[7], ids[6], false, 0},
		{"a fork", side, ids[7], false, Shallow},
		{"behind the boundary", ids[0], ids[7], false, NoObject},
	} {
		got, err := h.isAncestor(q.a, q.d)
		if got != q.yes || faultIn(err) != q.want {
			t.Errorf("%s: %v, %v", q.name, got, err)
		}
	}
	if _, err := h.mergeBases(side, ids[7]); faultIn(err) != Shallow {
		t.Errorf("merge base behind the boundary: %v", err)
	}
	got, err := h.mergeBases(ids[6], ids[7])
	if err != nil || len(got) != 1 || got[0] != ids[6] {
		t.Errorf("merge base within: %v, %v", got, err)
	}
}

// TestHistoryReplaced walks raw objects where replace refs, grafts and a
// commit-graph say otherwise.
func TestHistoryReplaced(t *testing.T) {
	g := newTestGit(t)
	ids := g.randomHistory(20, 3)
	g.run("commit-graph", "write", "--reachable")
	g.run("replace", "--graft", ids[10].String())
	g.run("replace", "--graft", ids[15].String(), ids[1].String(), ids[2].String())
	g.write(".git/info/grafts", ids[18].String()+"\n"+ids[12].String()+" "+ids[0].String()+"\n")
	g.env = []string{"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null"}
	h := newHistory(g.store(), testSize(), nil, true, []string{g.objectDir()})
	compareAncestry(t, g, h, ids)
	if h.graph != nil {
		t.Error("a commit-graph is in use")
	}
}

// keepEach deletes all branches of a random history but each n-th.
func (g *testGit) keepEach(n int, ids []OID) {
	g.t.Helper()
	for i := range ids {
		if i%n != n-1 {
			g.run("update-ref", "-d", fmt.Sprintf("refs/heads/c%d", i))
		}
	}
}

// present returns those of ids that a store has.
func present(s *store, ids []OID) []OID {
	return slices.DeleteFunc(slices.Clone(ids), func(id OID) bool { _, _, err := s.stat(id); return err != nil })
}

// TestHistoryShallowEqualsComplete clones random histories at every depth:
// what is answered must be so in the complete history too.
func TestHistoryShallowEqualsComplete(t *testing.T) {
	answered, unknown := 0, 0
	for seed := range uint64(3) {
		g := newTestGit(t)
		ids := g.randomHistory(60, 20+seed)
		g.keepEach(20, ids)
		full := newHistory(g.store(), testSize(), nil, false, nil)
		for _, depth := range []int{1, 2, 4, 8} {
			c := g.clone("--no-single-branch", "-n", fmt.Sprint("--depth=", depth))
			s := c.store()
			h := newHistory(s, testSize(), c.boundary(), false, []string{c.objectDir()})
			local := present(s, ids)
			for i, a := range local {
				d := local[(i*7+depth)%len(local)]
				for _, pair := range [][2]OID{{a, d}, {d, a}} {
					got, err := h.isAncestor(pair[0], pair[1])
					want, fullErr := full.isAncestor(pair[0], pair[1])
					if fullErr != nil {
						t.Fatal(fullErr)
					}
					if err == nil && got != want {
						t.Errorf("depth %d: isAncestor(%v) = %v", depth, pair, got)
					}
					if git := c.code("merge-base", "--is-ancestor", pair[0].String(), pair[1].String()); git == 0 && !got {
						t.Errorf("depth %d: isAncestor(%v) = %v, %v, which git proves", depth, pair, got, err)
					}
					if err != nil {
						wantFault(t, err, Shallow)
						unknown++
						continue
					}
					answered++
				}
				compareShallowBases(t, h, full, a, d)
			}
		}
	}
	if answered < 100 || unknown < 100 {
		t.Errorf("%d answered, %d unknown", answered, unknown)
	}
}

func compareShallowBases(t *testing.T, h, full *history, a, b OID) {
	t.Helper()
	got, err := h.mergeBases(a, b)
	if err != nil {
		wantFault(t, err, Shallow)
		return
	}
	want, err := full.mergeBases(a, b)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("mergeBases(%v, %v) = %v, in complete history %v, %v", a, b, got, want, err)
	}
}

// boundary reads the shallow file of a clone, which a clone that turned out
// complete does not have.
func (g *testGit) boundary() map[OID]struct{} {
	g.t.Helper()
	b, err := os.ReadFile(filepath.Join(g.dir, ".git", "shallow"))
	if err != nil && !os.IsNotExist(err) {
		g.t.Fatal(err)
	}
	shallow := map[OID]struct{}{}
	for line := range strings.Lines(string(b)) {
		id, err := ParseOID(strings.TrimSpace(line))
		if err != nil {
			g.t.Fatal(err)
		}
		shallow[id] = struct{}{}
	}
	return shallow
}
