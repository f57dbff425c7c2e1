package gitref

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rawChange spells a change as git diff-tree --raw -z does.
func rawChange(c Change, hashSize int) string {
	hex := func(id OID) string {
		if id.IsZero() {
			return strings.Repeat("0", 2*hashSize)
		}
		return id.String()
	}
	status := "M"
	switch {
	case c.Old.Mode == 0:
		status = "A"
	case c.New.Mode == 0:
		status = "D"
	case c.Old.Mode&0o170000 != c.New.Mode&0o170000:
		status = "T"
	}
	return fmt.Sprintf(":%06o %06o %s %s %s\x00%s\x00", c.Old.Mode, c.New.Mode, hex(c.Old.OID), hex(c.New.OID), status, c.Path)
}

// diffHere is the diff of two trees in git's spelling.
func diffHere(t testing.TB, r *Repo, old, new OID, paths ...string) string {
	t.Helper()
	var b strings.Builder
	last := ""
	err := r.DiffTrees(t.Context(), old, new, paths, func(c Change) error {
		if c.Path <= last {
			t.Errorf("path %q comes behind %q", c.Path, last)
		}
		last = c.Path
		b.WriteString(rawChange(c, r.format.hashSize))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// editNames are the paths of random edits: names that are folders of others,
// that sort around a slash, and that no locale can print.
var editNames = []string{
	"a", "a/b", "a/b/c", "a-b", "a.b", "a0", "a/x", "A", "b/a", "b/a/a", "b/a-", "n\xff", "n\xff/z", "sp ace/t\tb", "é", "e\u0301", "z/deep/er/still/f",
}

// writeEdits writes a fast-import stream of commits with one to four edits each:
// content, mode, type, name, absence.
func writeEdits(b *bytes.Buffer, rnd *rand.Rand, commits int) {
	quote := func(s string) string {
		var q strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&q, "\\%03o", c)
		}
		return `"` + q.String() + `"`
	}
	modes := []string{"100644", "100755", "120000"}
	for i := range commits {
		fmt.Fprintf(b, "commit refs/heads/edits\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 0\n", i+1, 1700000000+i)
		if i > 0 {
			fmt.Fprintf(b, "from :%d\n", i)
		}
		for range 1 + rnd.IntN(4) {
			name := quote(editNames[rnd.IntN(len(editNames))])
			switch rnd.IntN(6) {
			case 0:
				fmt.Fprintf(b, "D %s\n", name)
			case 1:
				fmt.Fprintf(b, "M 160000 %0*x %s\n", 2*testSize(), 1+rnd.IntN(9), name)
			default:
				text := fmt.Sprint(rnd.IntN(5))
				fmt.Fprintf(b, "M %s inline %s\ndata %d\n%s\n", modes[rnd.IntN(len(modes))], name, len(text), text)
			}
		}
	}
}

// editedRepo imports commits of random edits and returns their trees.
func editedRepo(t testing.TB, commits int) (g *testGit, trees []string) {
	t.Helper()
	g = newTestGit(t)
	var stream bytes.Buffer
	writeEdits(&stream, testRand(3), commits)
	g.feed(stream.String(), "fast-import", "--quiet")
	trees = strings.Split(g.run("log", "--reverse", "--format=%T", "edits"), "\n")
	if len(trees) != commits {
		t.Fatalf("%d commits, want %d", len(trees), commits)
	}
	return g, trees
}

// TestDiffEqualsGit compares 1,000 random edits, and as many distant pairs, with
// what one git diff-tree says of each.
func TestDiffEqualsGit(t *testing.T) {
	g, trees := editedRepo(t, 1001)
	r := g.open()
	rnd := testRand(4)
	var pairs [][2]string
	for i := range trees[1:] {
		pairs = append(pairs, [2]string{trees[i], trees[i+1]}, [2]string{trees[rnd.IntN(len(trees))], trees[rnd.IntN(len(trees))]})
	}
	var questions strings.Builder
	for _, p := range pairs {
		fmt.Fprintf(&questions, "%s %s\n", p[0], p[1])
	}
	answers := g.feed(questions.String(), "diff-tree", "--stdin", "-r", "--no-renames", "--raw", "-z")
	differ := 0
	for _, p := range pairs {
		head := p[0] + " " + p[1] + "\n"
		rest, ok := strings.CutPrefix(answers, head)
		if !ok {
			t.Fatalf("git does not answer for %s", head)
		}
		next := endOfRaw(rest)
		want := rest[:next]
		answers = rest[next:]
		if got := diffHere(t, r, mustOID(t, p[0]), mustOID(t, p[1])); got != want {
			t.Errorf("%s\n got %q\nwant %q", head, got, want)
		}
		if want != "" {
			differ++
		}
	}
	if differ < 1500 {
		t.Errorf("only %d of %d pairs differ", differ, len(pairs))
	}
}

// endOfRaw is the length of the raw entries s begins with.
func endOfRaw(s string) int {
	n := 0
	for strings.HasPrefix(s[n:], ":") {
		head := strings.IndexByte(s[n:], 0)
		name := strings.IndexByte(s[n+head+1:], 0)
		n += head + 1 + name + 1
	}
	return n
}

func mustOID(t testing.TB, s string) OID {
	t.Helper()
	id, err := ParseOID(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestDiffOfPathsEqualsGit compares diffs below literal paths, also such as are
// folders in one tree and files in the other, or in neither.
func TestDiffOfPathsEqualsGit(t *testing.T) {
	g, trees := editedRepo(t, 60)
	r := g.open()
	rnd := testRand(5)
	differ := 0
	for i := range 120 {
		old, new := trees[rnd.IntN(len(trees))], trees[rnd.IntN(len(trees))]
		paths := []string{"none", "a/b", "z/deep", "b/a"}[rnd.IntN(4):]
		for range rnd.IntN(4) {
			paths = append(paths, editNames[rnd.IntN(len(editNames))])
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		args := append([]string{"--literal-pathspecs", "diff-tree", "-r", "--no-renames", "--raw", "-z", old, new, "--"}, paths...)
		want := g.run(args...)
		if got := diffHere(t, r, mustOID(t, old), mustOID(t, new), paths...); got != want {
			t.Errorf("%d: %s %s %q\n got %q\nwant %q", i, old, new, paths, got, want)
		}
		if want != "" {
			differ++
		}
	}
	if differ < 60 {
		t.Errorf("only %d diffs were not empty", differ)
	}
}

// TestDiffThroughGitEqualsGit compares in a repository whose objects git reads.
func TestDiffThroughGitEqualsGit(t *testing.T) {
	g := richRepo(t)
	g.foreign = true
	r := g.open()
	old, new := g.oid("HEAD~9^{tree}"), g.oid("side^{tree}")
	want := g.run("diff-tree", "-r", "--no-renames", "--raw", "-z", old.String(), new.String())
	if got := diffHere(t, r, old, new); got != want || want == "" {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// tree stores a tree of these entries, in the order given.
func (g *testGit) tree(entries ...string) OID {
	g.t.Helper()
	return mustOID(g.t, g.feed(strings.Join(entries, ""), "hash-object", "-w", "-t", "tree", "--literally", "--stdin"))
}

func treeLine(mode, name string, id OID) string {
	return mode + " " + name + "\x00" + string(id.Bytes())
}

// TestDiffRefusesHostileTrees holds the faults and bounds of trees that no git
// writes.
func TestDiffRefusesHostileTrees(t *testing.T) {
	g := newTestGit(t)
	blob := mustOID(t, g.feed("x", "hash-object", "-w", "--stdin"))
	absent := mustOID(t, strings.Repeat("1", 2*testSize()))
	bomb := g.tree(treeLine("100644", "f", blob))
	for range 10 {
		var lines []string
		for i := range 10 {
			lines = append(lines, treeLine("40000", fmt.Sprint(i), bomb))
		}
		bomb = g.tree(lines...)
	}
	deep := g.tree(treeLine("100644", "f", blob))
	for range 64 {
		deep = g.tree(treeLine("40000", "d", deep))
	}
	r := g.open()
	for _, c := range []struct {
		name string
		tree OID
		want Fault
	}{
		{"out of order", g.tree(treeLine("100644", "b", blob), treeLine("100644", "a", blob)), Corrupt},
		{"twice", g.tree(treeLine("100644", "a", blob), treeLine("100644", "a", blob)), Corrupt},
		{"slash", g.tree(treeLine("100644", "a/b", blob)), Corrupt},
		{"folder before its turn", g.tree(treeLine("40000", "a", deep), treeLine("100644", "a-", blob)), Corrupt},
		{"blob for a tree", g.tree(treeLine("40000", "a", blob)), Corrupt},
		{"absent tree", g.tree(treeLine("40000", "a", absent)), NoObject},
		{"more paths than bytes", bomb, OverLimit},
	} {
		err := r.DiffTrees(t.Context(), OID{}, c.tree, nil, func(Change) error { return nil })
		if got := faultIn(err); got != c.want {
			t.Errorf("%s: fault %d (%v), want %d", c.name, got, err, c.want)
		}
	}
	if got := diffHere(t, r, OID{}, deep); !strings.HasSuffix(got, strings.Repeat("d/", 64)+"f\x00") {
		t.Errorf("a deep tree gives %q", got)
	}
}
