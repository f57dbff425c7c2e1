package gitref

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pathLog walks the history of a path to its end.
func (g *testGit) pathLog(path string, o PathLogOptions) ([]Version, *PathLog) {
	g.t.Helper()
	r := g.open()
	if o.MaxCommits == 0 {
		o.MaxCommits = 1 << 20
	}
	head, err := r.Ref(g.t.Context(), "HEAD")
	if err != nil {
		g.t.Fatal(err)
	}
	l, err := r.NewPathLog(g.t.Context(), head.Peeled, path, o)
	if err != nil {
		g.t.Fatal(err)
	}
	var all []Version
	for v, err := range l.Versions(g.t.Context()) {
		if err != nil {
			g.t.Fatal(err)
		}
		all = append(all, v)
	}
	return all, l
}

// commitsOf are the commits of versions at a path.
func commitsOf(all []Version, path string) []string {
	var ids []string
	for _, v := range all {
		if v.Path == path {
			ids = append(ids, v.Commit.String())
		}
	}
	return ids
}

var historyPaths = []string{"a", "b", "d/a", "d/b", "d/e/a"}

// randomPaths writes commits with random parents that change a few paths, dated in
// order or not, as a stream of git fast-import.
func (g *testGit) randomPaths(n int, rnd *rand.Rand, inOrder bool) {
	var b strings.Builder
	date := g.now
	for i := 1; i <= n; i++ {
		if date += 60; !inOrder && rnd.IntN(4) == 0 {
			date -= rnd.IntN(1200)
		}
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 0\n", i, date)
		back := func() int { return max(1, i-1-rnd.IntN(5)) }
		first := back()
		if i > 1 {
			fmt.Fprintf(&b, "from :%d\n", first)
			if other := back(); rnd.IntN(3) == 0 && other != first {
				fmt.Fprintf(&b, "merge :%d\n", other)
			}
		}
		for _, p := range historyPaths {
			switch rnd.IntN(12) {
			case 0:
				fmt.Fprintf(&b, "D %s\n", p)
			case 1, 2:
				text := fmt.Sprintf("%s %d\n", p, rnd.IntN(4)) // states come back
				fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", p, len(text), text)
			}
		}
	}
	g.feed(b.String(), "fast-import", "--quiet", "--force")
}

func TestPathLogEqualsGit(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		inOrder := seed%2 == 0
		g := newTestGit(t)
		g.randomPaths(80, rnd, inOrder)
		merges := map[string]bool{}
		for _, id := range strings.Fields(g.run("rev-list", "--merges", "HEAD")) {
			merges[id] = true
		}
		for _, path := range append([]string{"d", "d/e", "none"}, historyPaths...) {
			for _, full := range []bool{false, true} {
				args := []string{"log", "--format=%H", "--", path}
				all, _ := g.pathLog(path, PathLogOptions{Full: full})
				got := commitsOf(all, path)
				if full {
					// Of merges git lists those that differ from any parent.
					args = slices.Insert(args, 1, "--full-history", "--no-merges")
					got = slices.DeleteFunc(got, func(id string) bool { return merges[id] })
				}
				want := strings.Fields(g.run(args...))
				if !inOrder {
					slices.Sort(want)
					slices.Sort(got)
				}
				if !slices.Equal(got, want) {
					t.Errorf("seed %d, %s, full %v: got %d commits, want %d\n%v\n%v", seed, path, full, len(got), len(want), got, want)
				}
			}
		}
	}
}

// TestPathLogHides hides one version of each walk: what remains are the versions that
// it does not descend from, whatever their dates.
func TestPathLogHides(t *testing.T) {
	early := 0
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		g := newTestGit(t)
		g.randomPaths(80, rnd, false)
		for _, path := range historyPaths {
			all, _ := g.pathLog(path, PathLogOptions{})
			all = slices.DeleteFunc(all, func(v Version) bool { return v.Path != path })
			if len(all) == 0 {
				continue
			}
			hide := all[rnd.IntN(len(all))].Commit
			behind := strings.Fields(g.run("rev-list", hide.String()))[1:]
			got, kept := g.hiding(path, hide)
			for _, v := range all {
				inBehind := slices.Contains(behind, v.Commit.String())
				if slices.Contains(kept, v.Commit.String()) == inBehind {
					t.Errorf("seed %d, %s: %s is behind %s: %v", seed, path, v.Commit, hide, inBehind)
				}
				if inBehind && slices.Contains(got, v.Commit.String()) {
					early++
				}
			}
		}
	}
	if early == 0 {
		t.Error("no version came before one that descends from it: the test proves little")
	}
}

// hiding walks the history of a path, hides the version of a commit when it comes, and
// returns the commits that came, and those of them that are not hidden in the end.
func (g *testGit) hiding(path string, hide OID) (got, kept []string) {
	g.t.Helper()
	l, err := g.open().NewPathLog(g.t.Context(), g.oid("HEAD"), path, PathLogOptions{MaxCommits: 1 << 20})
	if err != nil {
		g.t.Fatal(err)
	}
	var all []Version
	for v, err := range l.Versions(g.t.Context()) {
		if err != nil {
			g.t.Fatal(err)
		}
		if all = append(all, v); v.Commit == hide && v.Path == path {
			if err := l.Hide(v); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	got = commitsOf(all, path)
	kept = commitsOf(slices.DeleteFunc(all, func(v Version) bool { return l.Hidden(v.Commit) }), path)
	return got, kept
}

// renamer makes a history of files that are edited and renamed. No name and no
// line is used twice, so that there is one answer.
type renamer struct {
	*testGit
	rnd   *rand.Rand
	lines int
	names int
	files map[string][]string
}

func (r *renamer) line() string {
	r.lines++
	return fmt.Sprintf("line %d of %d\n", r.lines, r.lines*r.lines%1013)
}

func (r *renamer) name() string {
	r.names++
	return fmt.Sprintf("d%d/f%d", r.rnd.IntN(3), r.names)
}

func (r *renamer) edit(name string, most int) {
	lines := r.files[name]
	for range 1 + r.rnd.IntN(most) {
		lines[r.rnd.IntN(len(lines))] = r.line()
	}
}

func (r *renamer) step() {
	for _, name := range sortedKeys(r.files) {
		switch r.rnd.IntN(12) {
		case 0, 1:
			r.edit(name, 3)
		case 2, 3:
			to := r.name()
			r.files[to] = r.files[name]
			delete(r.files, name)
			if r.rnd.IntN(2) == 0 {
				r.edit(to, 45) // up to and beyond the half that must stay
			}
		case 4:
			if len(r.files) > 3 {
				delete(r.files, name)
			}
		}
	}
	if len(r.files) < 8 {
		name := r.name()
		for range 40 {
			r.files[name] = append(r.files[name], r.line())
		}
	}
	for _, dir := range []string{"d0", "d1", "d2"} {
		if err := os.RemoveAll(filepath.Join(r.dir, dir)); err != nil {
			r.t.Fatal(err)
		}
	}
	for name, lines := range r.files {
		r.write(name, strings.Join(lines, ""))
	}
	r.commit("m")
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestPathLogFollowsAsGit(t *testing.T) {
	followed := 0
	for seed := range uint64(4) {
		r := &renamer{testGit: newTestGit(t), rnd: rand.New(rand.NewPCG(seed, 2)), files: map[string][]string{}}
		for range 40 {
			r.step()
		}
		for _, name := range sortedKeys(r.files) {
			all, l := r.pathLog(name, PathLogOptions{})
			followed += len(l.Renames)
			if got, want := versionLines(all), r.followed(name); !slices.Equal(got, want) {
				t.Errorf("seed %d, %s: got\n%s\nwant\n%s", seed, name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if followed < 20 {
		t.Errorf("%d renames were followed: the test proves little", followed)
	}
}

func versionLines(all []Version) []string {
	var lines []string
	for _, v := range all {
		lines = append(lines, v.Commit.String()+" "+v.Path)
	}
	return lines
}

// followed is what git log --follow says, a commit and the path in it a line.
func (g *testGit) followed(path string) []string {
	var lines []string
	commit := ""
	for line := range strings.Lines(g.run("log", "--follow", "--format=%H", "--name-only", "--", path)) {
		line = strings.TrimSuffix(line, "\n")
		if _, err := ParseOID(line); err == nil {
			commit = line
		} else if line != "" {
			lines = append(lines, commit+" "+line)
		}
	}
	return lines
}

func TestPathLogTellsWhereTheTrailEnds(t *testing.T) {
	g := newTestGit(t)
	g.write("old1", "same\nbytes\n")
	g.write("old2", "same\nbytes\n")
	g.write("near1", strings.Repeat("x\n", 30)+"one\n")
	g.write("near2", strings.Repeat("x\n", 30)+"two\n")
	g.write("a/f", "deep\n")
	g.write("b/f", "deep\n")
	first := g.commit("1")
	for _, name := range []string{"old1", "old2", "near1", "near2", "a/f"} {
		if err := os.Remove(filepath.Join(g.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	g.write("new", "same\nbytes\n")
	g.write("near", strings.Repeat("x\n", 30)+"new\n")
	g.write("c/f", "deep\n")
	g.write("fresh", "nothing like it\n")
	second := g.commit("2")
	for _, c := range []struct{ path, from, end string }{
		{"new", "old1 old2", ""},
		{"c/f", "a/f", ""},
		{"near", "", "the commit removed 2 files that are as similar to it"},
		{"fresh", "", "the commit removed no file with the same bytes, and none that shares half of them"},
		{"c", "", "only files are followed to another path"},
	} {
		_, l := g.pathLog(c.path, PathLogOptions{})
		var from, ends []string
		for _, r := range l.Renames {
			from = append(from, r.Old)
		}
		for _, e := range l.Ends {
			if e.Commit == second {
				ends = append(ends, e.Why)
			}
		}
		if strings.Join(from, " ") != c.from || strings.Join(ends, " ") != c.end {
			t.Errorf("%s: from %q, ends %q; want %q, %q", c.path, from, ends, c.from, c.end)
		}
	}
	all, _ := g.pathLog("new", PathLogOptions{MaxCommits: 1})
	if len(all) != 1 || all[0].Commit != second || all[0].Commit == first {
		t.Errorf("a bound of one commit gave %v", all)
	}
}

func TestPathLogStopsAtShallowBoundary(t *testing.T) {
	g := newTestGit(t)
	for i := range 5 {
		g.write("f", strconv.Itoa(i))
		g.commit("m")
	}
	c := g.clone("--depth=2")
	all, l := c.pathLog("f", PathLogOptions{})
	if len(all) != 2 || !all[1].Cut || all[0].Cut || len(l.Boundary) != 1 || l.Boundary[0] != g.oid("HEAD~1") {
		t.Errorf("versions %v, boundary %v", all, l.Boundary)
	}
}

func TestBetweenEqualsGit(t *testing.T) {
	for seed := range uint64(6) {
		g := newTestGit(t)
		ids := g.randomHistory(60, seed)
		r := g.open()
		rnd := rand.New(rand.NewPCG(seed, 3))
		for range 40 {
			base, head := ids[rnd.IntN(len(ids))], ids[rnd.IntN(len(ids))]
			b, err := r.Between(t.Context(), base, head, 1<<20, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			// With clocks so far off git's own base..head is not exact.
			has := strings.Fields(g.run("rev-list", base.String()))
			want := slices.DeleteFunc(strings.Fields(g.run("rev-list", head.String())), func(id string) bool { return slices.Contains(has, id) })
			var got []string
			for _, id := range b.Commits {
				got = append(got, id.String())
			}
			slices.Sort(want)
			slices.Sort(got)
			descends := g.code("merge-base", "--is-ancestor", base.String(), head.String()) == 0
			if !slices.Equal(got, want) || b.Total != len(want) || b.Descends != descends {
				t.Errorf("seed %d, %s..%s: got %d, want %d; descends %v, want %v", seed, base, head, len(got), len(want), b.Descends, descends)
			}
		}
	}
}

func TestSubjectEqualsGit(t *testing.T) {
	g := newTestGit(t)
	for _, message := range []string{"one", "two\nlines\n\nbody", "\n\n  led by blanks  \nand more\n \nbody", "", "tab\tin it\r\nnext"} {
		id := g.feed(message, "commit-tree", g.run("write-tree"))
		oid, err := ParseOID(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.open().Subject(t.Context(), oid)
		if want := g.run("show", "-s", "--format=%s", id); err != nil || got != want {
			t.Errorf("%q: got %q, want %q (%v)", message, got, want, err)
		}
	}
}

// TestPathLogOfRealRepositories holds every rename that is followed, and every end
// of a trail, against git diff-tree -M50%, in the repositories that
// scripts/differential names. git log --follow is no oracle there: it goes on
// through copies, and with one path at a time.
func TestPathLogOfRealRepositories(t *testing.T) {
	repos := filepath.SplitList(os.Getenv(realRepos))
	if len(repos) == 0 {
		t.Skip("no repositories are named")
	}
	for _, dir := range repos {
		g := &testGit{t: t, dir: dir}
		files := strings.Split(strings.Trim(g.run("ls-tree", "-r", "-z", "--name-only", "HEAD"), "\x00"), "\x00")
		rnd := rand.New(rand.NewPCG(1, 4))
		same, apart := 0, 0
		for range 60 {
			_, l := g.pathLog(files[rnd.IntN(len(files))], PathLogOptions{})
			from := map[[2]string][]string{} // by commit and new path
			for _, r := range l.Renames {
				at := [2]string{r.Commit.String(), r.New}
				from[at] = append(from[at], r.Old)
			}
			for at, old := range from {
				g.tally(&same, &apart, at[0], old, at[1])
			}
			for _, e := range l.Ends {
				if !strings.Contains(e.Why, "as similar to it") {
					g.tally(&same, &apart, e.Commit.String(), []string{""}, e.Path)
				}
			}
		}
		t.Logf("%s: %d the same, %d not", dir, same, apart)
		if same == 0 || same < 20*apart {
			t.Errorf("%s: of %d renames and ends of trails %d are not git's", dir, same+apart, apart)
		}
	}
}

// tally counts whether git says, of any parent of a commit, that a path was
// renamed from one of others, or for "" that it was not renamed.
func (g *testGit) tally(same, apart *int, commit string, from []string, to string) {
	var seen []string
	for _, parent := range strings.Fields(g.run("rev-parse", commit+"^@")) {
		out, err := g.command("diff-tree", "-r", "-z", "-M50%", "-l0", "--diff-filter=AR", "--name-status", parent, commit).Output()
		if err != nil {
			return // a blob that the snapshot lacks
		}
		source := ""
		fields := strings.Split(string(out), "\x00")
		for i := 0; i+1 < len(fields); i += 2 {
			if fields[i][0] == 'R' {
				if fields[i+2] == to {
					source = fields[i+1]
				}
				i++
			}
		}
		seen = append(seen, source)
	}
	if slices.ContainsFunc(seen, func(source string) bool { return slices.Contains(from, source) }) || len(seen) == 0 && from[0] == "" {
		*same++
		return
	}
	*apart++
	g.t.Logf("%s: %s: %q, git %q", commit, to, from, seen)
}
