package resolver

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// skewSeeds names how many histories TestDiffIgnoresClocks makes, when that is more
// than a few.
const skewSeeds = "CTXPTR_SKEW_SEEDS"

// skewPaths are where each of two files can stand.
var skewPaths = [][]string{{"a.txt", "a2.txt", "x/a.txt"}, {"d/b.txt", "b.txt"}}

// newSkewedRepo makes a history of n commits with random parents and dates that say
// nothing of their order. Of each file a commit has one copy at the most, in which
// states come back; it is removed, made and, unless still, renamed.
func newSkewedRepo(t *testing.T, n int, seed uint64, still bool) *diffRepo {
	g := &diffRepo{t, t.TempDir(), rand.New(rand.NewPCG(seed, 6))}
	g.run("init", "-q", "-b", "main")
	var b strings.Builder
	at := make([][2]string, n+1) // where the files stand, by commit
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 0\n", i, 1700000000+g.rnd.IntN(3*n))
		if i > 1 {
			first := max(1, i-1-g.rnd.IntN(5))
			at[i] = at[first]
			fmt.Fprintf(&b, "from :%d\n", first)
			for other := range 1 + g.rnd.IntN(2) {
				if p := max(1, i-1-g.rnd.IntN(12)); p != first && g.rnd.IntN(2+other) == 0 {
					fmt.Fprintf(&b, "merge :%d\n", p)
				}
			}
		}
		for file := range skewPaths {
			g.change(&b, file, &at[i][file], still)
		}
	}
	if _, err := g.git(b.String(), "fast-import", "--quiet", "--force"); err != nil {
		t.Fatal(err)
	}
	g.run("reset", "-q", "--hard", "main")
	return g
}

// change writes what a commit does to a file that stands at a path, "" for nowhere.
func (g *diffRepo) change(b *strings.Builder, file int, at *string, still bool) {
	paths := skewPaths[file]
	if still {
		paths = paths[:1]
	}
	to := paths[g.rnd.IntN(len(paths))]
	switch n := g.rnd.IntN(10); {
	case n == 0 && *at != "":
		fmt.Fprintf(b, "D %s\n", *at)
		*at = ""
		return
	case n == 1 && *at != "" && *at != to:
		fmt.Fprintf(b, "R %s %s\n", *at, to)
		*at = to
	case n > 4:
		return
	}
	if g.rnd.IntN(5) > 0 {
		*at = cmp.Or(*at, to)
		text := g.longText(file)
		fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", *at, len(text), text)
	}
}

// longText is a state of a file: few lines of it change.
func (g *diffRepo) longText(file int) string {
	var b strings.Builder
	for i := range 30 {
		word := "same"
		if i > 0 && i < 4 {
			word = strconv.Itoa(g.rnd.IntN(2))
		}
		fmt.Fprintf(&b, "%s %d %s\n", skewPaths[file][0], i, word)
	}
	return b.String()
}

// commitSeen is a commit as the git binary shows it.
type commitSeen struct {
	id, tree string
	time     int64
	parents  []string
	blobs    map[string]string   // by path
	renamed  map[string][]string // by new path and parent: the old ones
}

// seen is a history as the git binary shows it.
type seen struct {
	order     []string // of git log
	commits   map[string]*commitSeen
	ancestors map[string]map[string]bool // proper ones, by commit
	texts     map[string]string          // by blob
}

// look reads the whole history with the git binary.
func (g *diffRepo) look() *seen {
	s := &seen{commits: map[string]*commitSeen{}, ancestors: map[string]map[string]bool{}, texts: map[string]string{}}
	for line := range strings.Lines(g.run("log", "--format=%H %T %ct %P", "HEAD")) {
		f := strings.Fields(line)
		when, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			g.t.Fatal(err)
		}
		s.order = append(s.order, f[0])
		s.commits[f[0]] = &commitSeen{f[0], f[1], when, f[3:], map[string]string{}, map[string][]string{}}
	}
	for _, id := range strings.Fields(g.run("rev-list", "--topo-order", "--reverse", "HEAD")) {
		s.ancestors[id] = map[string]bool{}
		for _, p := range s.commits[id].parents {
			s.ancestors[id][p] = true
			for a := range s.ancestors[p] {
				s.ancestors[id][a] = true
			}
		}
	}
	g.lookAtBlobs(s)
	g.lookAtRenames(s)
	return s
}

func (g *diffRepo) lookAtBlobs(s *seen) {
	for id, c := range s.commits {
		for line := range strings.Lines(g.run("ls-tree", "-r", "--format=%(objectname) %(path)", id)) {
			blob, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			c.blobs[path] = blob
			if _, known := s.texts[blob]; !known {
				s.texts[blob] = g.run("cat-file", "blob", blob)
			}
		}
	}
}

func (g *diffRepo) lookAtRenames(s *seen) {
	var pairs strings.Builder
	for _, c := range s.commits {
		for _, p := range c.parents {
			fmt.Fprintf(&pairs, "%s %s\n", s.commits[p].tree, c.tree)
		}
	}
	out, err := g.git(pairs.String(), "diff-tree", "--stdin", "-r", "-M50%", "--diff-filter=R", "--name-status")
	if err != nil {
		g.t.Fatal(err)
	}
	found := map[string][]string{} // by both trees and the new path
	trees := ""
	for line := range strings.Lines(out) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 {
			found[trees+" "+f[2]] = []string{f[1]}
		} else {
			trees = f[0]
		}
	}
	for _, c := range s.commits {
		for _, p := range c.parents {
			for path := range c.blobs {
				c.renamed[path+" "+p] = found[s.commits[p].tree+" "+c.tree+" "+path]
			}
		}
	}
}

// versions lists the commits that changed the file at a path in HEAD, through
// renames, with the blobs they left: those of git log for it, or of every parent.
func (s *seen) versions(path string, full bool) map[string][]string {
	list := map[string][]string{}
	known := map[[2]string]bool{}
	var visit func(id, path string)
	visit = func(id, path string) {
		if at := [2]string{id, path}; known[at] {
			return
		} else {
			known[at] = true
		}
		c := s.commits[id]
		same := func(p string) bool { return s.commits[p].blobs[path] == c.blobs[path] }
		i := slices.IndexFunc(c.parents, same)
		if i >= 0 && !full {
			visit(c.parents[i], path)
			return
		}
		for _, p := range c.parents {
			visit(p, path)
		}
		if i >= 0 || c.blobs[path] == "" && len(c.parents) == 0 {
			return
		}
		list[id] = append(list[id], c.blobs[path])
		for _, p := range c.parents {
			if c.blobs[path] != "" && s.commits[p].blobs[path] == "" {
				for _, old := range c.renamed[path+" "+p] {
					visit(p, old)
				}
			}
		}
	}
	visit(s.order[0], path)
	return list
}

// last lists, best first, the commits of versions that left the bytes there and from
// which no other of them descends.
func (s *seen) last(versions map[string][]string, sel, want string) (best []string, naive string) {
	var hits []string
	for id, blobs := range versions {
		if slices.ContainsFunc(blobs, func(b string) bool { return b != "" && selected(s.texts[b], sel) == want }) {
			hits = append(hits, id)
		}
	}
	slices.SortFunc(hits, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.commits[b].time, s.commits[a].time), strings.Compare(a, b))
	})
	for _, id := range hits {
		if !slices.ContainsFunc(hits, func(other string) bool { return s.ancestors[other][id] }) {
			best = append(best, id)
		}
	}
	if len(hits) > 0 {
		naive = hits[0]
	}
	return best, naive
}

// Which commit is the last with an identity does not depend on commit times: what
// the git binary shows of the whole history, looked at by brute force, is the same.
func TestDiffIgnoresClocks(t *testing.T) {
	seeds, err := strconv.ParseUint(cmp.Or(os.Getenv(skewSeeds), "9"), 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	var sum skewTally
	for seed := range seeds {
		g := newSkewedRepo(t, 40, seed, seed%3 == 0)
		s := g.look()
		if seed%3 == 0 {
			g.sameAsLog(s)
		}
		for range 30 {
			g.askSkewed(s, seed, &sum)
		}
	}
	t.Logf("%+v", sum)
	if sum.Found < 30 || sum.Aside < 10 || sum.Skewed < 5 || sum.Parallel < 2 || sum.Renamed < 5 {
		t.Errorf("%+v: the test proves little", sum)
	}
}

// skewTally counts the queries of TestDiffIgnoresClocks.
type skewTally struct {
	Found, Aside, None int
	Skewed             int // the latest commit with the identity is not the last one
	Parallel           int // there were several to choose from
	Renamed            int // it was found under another path
}

// sameAsLog holds the versions against git log, where nothing was renamed.
func (g *diffRepo) sameAsLog(s *seen) {
	for _, paths := range skewPaths {
		want := strings.Fields(g.run("log", "--format=%H", "HEAD", "--", paths[0]))
		got := s.versions(paths[0], false)
		if len(got) != len(want) || slices.ContainsFunc(want, func(id string) bool { return got[id] == nil }) {
			g.t.Errorf("%s: the brute force knows %d versions, git log %d", paths[0], len(got), len(want))
		}
	}
}

// askSkewed compares one answer with the brute force.
func (g *diffRepo) askSkewed(s *seen, seed uint64, sum *skewTally) {
	file := g.rnd.IntN(len(skewPaths))
	path := skewPaths[file][g.rnd.IntN(len(skewPaths[file]))]
	sel := []string{"", "lines=2-3"}[g.rnd.IntN(2)]
	text := g.longText(file)
	then := s.commits[s.order[g.rnd.IntN(len(s.order))]]
	for _, at := range skewPaths[file] {
		text = cmp.Or(s.texts[then.blobs[at]], text)
	}
	want := selected(text, sel)
	pointer := statingText(path, sel, want)
	d := g.diff(pointer)
	if d.Verdict == Same {
		return
	}
	best, naive := s.last(s.versions(path, false), sel, want)
	aside := len(best) == 0
	if aside {
		best, naive = s.last(s.versions(path, true), sel, want)
	}
	if len(best) == 0 {
		if sum.None++; d.Found != nil || d.NotFound == nil {
			g.t.Errorf("seed %d, %s: got %+v, want nothing", seed, pointer, d.Found)
		}
		return
	}
	if d.Found == nil || d.Found.Commit != best[0] || d.Found.Aside != aside || d.Doubts != nil {
		g.t.Errorf("seed %d, %s: got %+v (%+v, %+v), want %s (aside %v)", seed, pointer, d.Found, d.NotFound, d.Doubts, best[0], aside)
		return
	}
	g.checkSteps(s, d, best, path, aside)
	sum.count(d, best, naive, path)
}

func (n *skewTally) count(d *Difference, best []string, naive, path string) {
	if d.Found.Aside {
		n.Aside++
	} else {
		n.Found++
	}
	if naive != best[0] {
		n.Skewed++
	}
	if len(best) > 1 {
		n.Parallel++
	}
	if d.Found.Path != path {
		n.Renamed++
	}
}

// checkSteps compares the commits that changed the file since with those from which
// none with the identity descends.
func (g *diffRepo) checkSteps(s *seen, d *Difference, best []string, path string, aside bool) {
	g.t.Helper()
	var want, got []string
	for id := range s.versions(path, aside) {
		if !slices.Contains(best, id) && !slices.ContainsFunc(best, func(last string) bool { return s.ancestors[last][id] }) {
			want = append(want, id)
		}
	}
	for _, c := range d.Commits {
		got = append(got, c.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		g.t.Errorf("%s: commits %v, want %v", d.Record.Pointer, got, want)
	}
}
