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

// paths of the repositories below, some in no tree.
var richPaths = []string{
	"f", "d/g", "d", "d/e/h", "d/e", "sub", "sub/x", "link", "exec", "sp ace", "tab\tq\"uote", "n\xff\xfe", "é", "e\u0301", "F", "f/", "d/", "d//g", "d/e/",
	"/f", "./f", "nope", "d/nope", "f/x", "link/x", ".", "..", "", "a:b", "x..y", "long/" + strings.Repeat("z", 200), "{br}ace", "conflict",
}

// richRepo builds a repository with every kind of entry, tag and ref.
func richRepo(t *testing.T, args ...string) *testGit {
	t.Helper()
	g := newTestGit(t, args...)
	link := g.feed("", "hash-object", "-w", "-t", "tree", "--stdin")
	g.write("f", "1\n")
	g.write("d/g", "2\n")
	g.write("d/e/h", "3\n")
	g.write("sp ace", "4\n")
	g.write("tab\tq\"uote", "5\n")
	g.write("n\xff\xfe", "6\n")
	g.write("é", "7\n")
	g.write("e\u0301", "8\n")
	g.write("F", "9\n")
	g.write("a:b", "10\n")
	g.write("x..y", "11\n")
	g.write("{br}ace", "12\n")
	g.write("long/"+strings.Repeat("z", 200), "13\n")
	g.write("exec", "#!\n")
	chmod(t, filepath.Join(g.dir, "exec"), 0o777)
	symlink(t, "f", filepath.Join(g.dir, "link"))
	g.commit("one")
	g.run("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", len(link))+",sub")
	g.run("commit", "-q", "-m", "gitlink")
	g.run("tag", "-a", "-m", "t", "v1")
	for i := range 12 {
		g.write("f", fmt.Sprintf("main %d\n", i))
		g.run("update-index", "f")
		g.now += 60
		g.run("commit", "-q", "-m", fmt.Sprintf("main %d", i))
		if i == 4 {
			g.run("branch", "side")
		}
	}
	g.run("checkout", "-q", "side")
	for i := range 5 {
		g.now += 7
		g.write("d/g", fmt.Sprintf("side %d\n", i))
		g.run("update-index", "d/g")
		g.run("commit", "-q", "-m", "side")
	}
	g.run("checkout", "-q", "main")
	g.run("merge", "-q", "-m", "merge", "side")
	g.run("branch", "twin", "HEAD~2")
	g.run("tag", "twin", "HEAD~3")
	g.run("tag", "-a", "-m", "n", "nested", "v1")
	g.run("tag", "-a", "-m", "n", "nested2", "nested")
	g.run("tag", "-a", "-m", "b", "blobtag", "HEAD:f")
	g.run("tag", "treetag", "HEAD^{tree}")
	g.run("tag", "-a", "-m", "t", "treetag2", "HEAD:d")
	return g
}

// hardenRefs adds refs whose names and values are easily mistaken.
func hardenRefs(g *testGit) {
	head := g.run("rev-parse", "HEAD")
	for _, name := range []string{"a", "bad", head[:7], "deep/er/branch", "v1.0-2-gabc", "@x", "x@y"} {
		g.run("update-ref", "refs/heads/"+name, "HEAD~4")
	}
	g.run("update-ref", "refs/heads/"+g.run("rev-parse", "HEAD~1"), "HEAD~5")
	g.run("update-ref", "refs/remotes/origin/main", "HEAD~6")
	g.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	g.run("symbolic-ref", "refs/heads/sym", "refs/heads/side")
	g.run("symbolic-ref", "refs/heads/dangling", "refs/heads/nowhere")
	g.run("symbolic-ref", "refs/heads/loop", "refs/heads/loop2")
	g.run("symbolic-ref", "refs/heads/loop2", "refs/heads/loop")
	for i := range 6 {
		g.run("symbolic-ref", fmt.Sprintf("refs/heads/s%d", i+1), fmt.Sprintf("refs/heads/s%d", i))
	}
	g.run("update-ref", "refs/heads/s0", "HEAD~2")
	g.run("update-ref", "ORIG_HEAD", "HEAD~3")
}

// conflictIndex leaves unmerged stages and flagged entries in the index.
func conflictIndex(g *testGit) {
	blob := g.run("rev-parse", "HEAD:f")
	other := g.run("rev-parse", "HEAD:d/g")
	g.feed("100644 "+blob+" 1\tconflict\n100644 "+other+" 2\tconflict\n100755 "+blob+" 3\tconflict\n", "update-index", "--index-info")
	g.write("new", "")
	g.run("add", "-N", "new")
	g.run("update-index", "--skip-worktree", "d/g")
	g.run("update-index", "--assume-unchanged", "f")
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// uncounted begins what only a git before 2.49 takes for the output of describe.
const uncounted = "x-g"

// revisionTexts makes revisions out of what the repository holds.
func revisionTexts(g *testGit, rnd *rand.Rand, n int) []string {
	var bases []string
	good := []string{"HEAD", "@", "main", "side", "v1", "nested2", "main@{0}", "HEAD@{1}", "side@{1}", "heads/main", "@{0}", "twin@{0}"}
	for line := range strings.SplitSeq(g.run("for-each-ref", "--format=%(refname)"), "\n") {
		bases = append(bases, line, strings.TrimPrefix(line, "refs/"), line[strings.LastIndexByte(line, '/')+1:])
	}
	for line := range strings.SplitSeq(g.run("rev-list", "--all", "--objects"), "\n") {
		id, _, _ := strings.Cut(line, " ")
		for _, digits := range []int{4, 5, 7, 12, len(id) - 1} {
			bases = append(bases, id[:digits])
		}
		bases = append(bases, id, strings.ToUpper(id), "v9-3-g"+id[:4], uncounted+id[:10], id[:3])
	}
	bases = append(bases, "HEAD", "@", "ORIG_HEAD", "FETCH_HEAD", "origin", "heads/main", "nope", "config", "logs/HEAD", "main.lock", "a b", "main@x", "v1-0-gzzzz", "", "0000000", strings.Repeat("0", 40), "deadbeef")
	suffixes := []string{"", "", "", "~", "~1", "~3", "~100", "^", "^1", "^2", "^3", "^0", "^{}", "^{commit}", "^{tree}", "^{blob}", "^{tag}", "^{object}", "^{bogus}", "~0", "^^", "~2^2", "^{tree}^{commit}", "^2~1", "^{/side}", "^{", "~99999999999", "^{commit}~1"}
	var out []string
	for range n {
		rev := pick(rnd, bases)
		if rnd.IntN(2) == 0 {
			rev = pick(rnd, good)
		}
		rev += pick(rnd, suffixes)
		switch rnd.IntN(4) {
		case 0:
			rev += ":" + pick(rnd, richPaths)
		case 1:
			rev += pick(rnd, suffixes)
		}
		if rnd.IntN(20) == 0 {
			rev = pick(rnd, []string{":", ":0:", ":1:", ":2:", ":3:", ":4:"}) + pick(rnd, richPaths)
		}
		if rev != "" && !strings.Contains(rev, "\n") {
			out = append(out, rev)
		}
	}
	return out
}

// bySubmodule is an answer of cat-file: newer gits say of a commit that an entry
// of a tree names, and that is not here, that it is a submodule's.
func bySubmodule(answer string) string {
	if id, ok := strings.CutSuffix(answer, " submodule"); ok {
		return id + " commit"
	}
	return answer
}

// compareRevisions resolves each text with r and with git.
func compareRevisions(t *testing.T, g *testGit, r *Repo, revs []string) (same, refused int) {
	t.Helper()
	out := strings.Split(g.feed(strings.Join(revs, "\n")+"\n", "cat-file", "--batch-check=%(objectname) %(objecttype)"), "\n")
	if len(out) != len(revs) {
		t.Fatalf("git answered %d of %d revisions", len(out), len(revs))
	}
	for i, rev := range revs {
		got, err := r.Resolve(t.Context(), rev)
		want := bySubmodule(out[i])
		if strings.HasSuffix(want, " missing") || strings.HasSuffix(want, " ambiguous") {
			want = ""
		}
		switch {
		case err == nil && got.OID.String()+" "+string(got.Type) == want:
			same++
		case err != nil && want == "":
			refused++
		case faultIn(err) == AmbiguousRef || faultIn(err) == BadRevision && (strings.HasPrefix(rev, "-") || strings.HasPrefix(rev, "^")):
			refused += checkRefusal(t, g, rev, err)
		case err == nil && want == "" && g.code("rev-parse", "--verify", "-q", "--end-of-options", rev) == 0 && g.run("rev-parse", "--verify", "--end-of-options", rev) == got.OID.String():
			same++ // a submodule's commit, which this repository does not hold
		case faultIn(err) == NoRevision && strings.HasPrefix(rev, uncounted):
			refused++
		default:
			t.Errorf("%q is %s %s, %v; git says %q", rev, got.OID, got.Type, err, out[i])
		}
	}
	return same, refused
}

// checkRefusal lets an ambiguous name pass only where git warns of it.
func checkRefusal(t *testing.T, g *testGit, rev string, err error) int {
	t.Helper()
	cmd := g.command("rev-parse", "--verify", "--end-of-options", rev)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	_ = cmd.Run()
	if faultIn(err) == AmbiguousRef && !strings.Contains(stderr.String(), "ambiguous") {
		t.Errorf("%q: %v %v, and git does not warn: %s", rev, err, err.(*Error).Candidates, stderr.String())
	}
	return 1
}

func TestRevisionsEqualGit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	shapes := []struct {
		name  string
		build func(t *testing.T) *testGit
	}{
		{"loose", func(t *testing.T) *testGit { g := richRepo(t); hardenRefs(g); conflictIndex(g); return g }},
		{"packed", func(t *testing.T) *testGit {
			g := richRepo(t)
			hardenRefs(g)
			g.run("-c", "gc.reflogExpire=never", "-c", "gc.reflogExpireUnreachable=never", "gc", "-q")
			conflictIndex(g)
			return g
		}},
		{"packed refs without a header, some loose too", func(t *testing.T) *testGit {
			g := richRepo(t)
			g.run("pack-refs", "--all")
			unsortPackedRefs(t, g)
			hardenRefs(g)
			return g
		}},
		{"detached, commit-graph, version 4 index", func(t *testing.T) *testGit {
			g := richRepo(t)
			g.run("update-index", "--index-version", "4")
			conflictIndex(g)
			g.run("commit-graph", "write", "--reachable")
			g.run("repack", "-adq")
			g.run("checkout", "-q", "--detach", "-f", "HEAD~3")
			return g
		}},
	}
	same, refused := 0, 0
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			g := s.build(t)
			a, b := compareRevisions(t, g, g.open(), revisionTexts(g, rnd, 2500))
			same, refused = same+a, refused+b
		})
	}
	if same < 3000 || refused < 1500 {
		t.Errorf("%d revisions were compared, %d refused alike", same, refused)
	}
}

// unsortPackedRefs takes the header off and turns the order around, as git
// versions before 2.15 could leave the file.
func unsortPackedRefs(t *testing.T, g *testGit) {
	t.Helper()
	name := filepath.Join(g.dir, ".git/packed-refs")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for line := range strings.Lines(string(data)) {
		switch line[0] {
		case '#':
		case '^':
			refs[len(refs)-1] += line
		default:
			refs = append(refs, line)
		}
	}
	slices.Reverse(refs)
	if err := os.WriteFile(name, []byte(strings.Join(refs, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestTreesAndHistoryEqualGit(t *testing.T) {
	g := richRepo(t)
	r := g.open()
	compareTrees(t, g, r)
	compareHistory(t, g, r)
}

func compareTrees(t *testing.T, g *testGit, r *Repo) {
	t.Helper()
	compared := 0
	for _, rev := range []string{"HEAD", "side", "v1", "HEAD~3"} {
		v, err := r.Resolve(t.Context(), rev+"^{tree}")
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]string{}
		for rec := range strings.SplitSeq(g.run("ls-tree", "-r", "-t", "-z", rev), "\x00") {
			if head, path, ok := strings.Cut(rec, "\t"); ok {
				listed[path] = head
			}
		}
		for _, path := range richPaths {
			if path == "" {
				continue
			}
			e, err := r.Lookup(t.Context(), v.OID, path)
			got := ""
			if err == nil {
				got = fmt.Sprintf("%06o %s %s", uint32(e.Mode), modeType(e.Mode), e.OID)
			} else if f := faultIn(err); f != NoPath && f != InSubmodule || f == InSubmodule && path != "sub/x" {
				t.Errorf("%s:%q: %v", rev, path, err)
			}
			if got != listed[path] {
				t.Errorf("%s:%q is %q, git says %q", rev, path, got, listed[path])
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("%d paths were compared", compared)
	}
}

func compareHistory(t *testing.T, g *testGit, r *Repo) {
	t.Helper()
	ids := strings.Split(g.run("rev-list", "--all"), "\n")
	if len(ids) < 15 {
		t.Fatalf("%d commits", len(ids))
	}
	for i, a := range ids {
		b := ids[(i*7+3)%len(ids)]
		x, _ := ParseOID(a)
		y, _ := ParseOID(b)
		yes, err := r.IsAncestor(t.Context(), x, y)
		if want := g.code("merge-base", "--is-ancestor", a, b) == 0; err != nil || yes != want {
			t.Errorf("%s ancestor of %s: %t, %v, git says %t", a, b, yes, err, want)
		}
		bases, err := r.MergeBases(t.Context(), x, y)
		var got []string
		for _, id := range bases {
			got = append(got, id.String())
		}
		want := strings.Split(g.run("merge-base", "--all", a, b), "\n")
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("merge bases of %s and %s: %v, %v, git says %v", a, b, got, err, want)
		}
	}
}

func testRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed+1)) }
