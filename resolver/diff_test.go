package resolver

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
)

// diffRepo is a repository with a random history of two files.
type diffRepo struct {
	t   *testing.T
	dir string
	rnd *rand.Rand
}

func (g *diffRepo) git(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = g.dir, strings.NewReader(stdin)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files"}
	out, err := cmd.Output()
	return string(out), err
}

func (g *diffRepo) run(args ...string) string {
	g.t.Helper()
	out, err := g.git("", args...)
	if err != nil {
		g.t.Fatalf("git %v: %v", args, err)
	}
	return out
}

// newDiffRepo makes a history of n commits with random parents, dated in their
// order. Each file has words of its own, so that none looks like the other.
func newDiffRepo(t *testing.T, n int, seed uint64) *diffRepo {
	g := &diffRepo{t, t.TempDir(), rand.New(rand.NewPCG(seed, 5))}
	g.run("init", "-q", "-b", "main")
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 0\n", i, 1700000000+i)
		first := max(1, i-1-g.rnd.IntN(3))
		if i > 1 {
			fmt.Fprintf(&b, "from :%d\n", first)
		}
		if other := max(1, i-1-g.rnd.IntN(6)); i > 1 && other != first && g.rnd.IntN(3) == 0 {
			fmt.Fprintf(&b, "merge :%d\n", other)
		}
		for _, name := range []string{"a.txt", "d/b.txt"} {
			switch g.rnd.IntN(8) {
			case 0:
				fmt.Fprintf(&b, "D %s\n", name)
			case 1, 2, 3:
				text := g.text(name)
				fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
			}
		}
	}
	if _, err := g.git(b.String(), "fast-import", "--quiet", "--force"); err != nil {
		t.Fatal(err)
	}
	g.run("reset", "-q", "--hard", "main")
	return g
}

// text has few words, so that states come back.
func (g *diffRepo) text(name string) string {
	var b strings.Builder
	for range 4 {
		fmt.Fprintf(&b, "%s %d\n", name, g.rnd.IntN(3))
	}
	return b.String()
}

// statingText is the pointer to a file, or to a selection of it, that states the text
// wanted there.
func statingText(path, sel, want string) string {
	pointer := fmt.Sprintf("ctxptr:file:%s@sha256:%x:matches_current", path, sha256.Sum256([]byte(want)))
	if sel != "" {
		pointer += "#" + sel
	}
	return pointer
}

// selected is what a pointer without a selector or with lines=2-3 is about.
func selected(text, sel string) string {
	if sel == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[1:3], "\n")
}

// bruteForce returns the newest commit that left the path with the bytes: of those
// that git log lists, else of all that differ there from each of their parents.
func (g *diffRepo) bruteForce(path, sel, want string) (commit string, aside bool) {
	has := func(id string) bool {
		text, err := g.git("", "show", id+":"+path)
		return err == nil && selected(text, sel) == want
	}
	commits := strings.Fields(g.run("rev-list", "HEAD", "--", path))
	if i := slices.IndexFunc(commits, has); i >= 0 {
		return commits[i], false
	}
	for _, id := range strings.Fields(g.run("rev-list", "HEAD")) {
		blob, _ := g.git("", "rev-parse", "-q", "--verify", id+":"+path)
		parents := strings.Fields(g.run("rev-parse", id+"^@"))
		same := func(parent string) bool {
			before, _ := g.git("", "rev-parse", "-q", "--verify", parent+":"+path)
			return before == blob
		}
		if has(id) && !slices.ContainsFunc(parents, same) {
			return id, true
		}
	}
	return "", false
}

func (g *diffRepo) diff(pointer string) *Difference {
	g.t.Helper()
	w, err := authority.Open(g.t.Context(), authority.Config{Dir: g.dir, MaxBytes: 1 << 20, Getenv: func(string) string { return "" }})
	if err != nil {
		g.t.Fatal(err)
	}
	defer w.Close()
	found, err := Diff(g.t.Context(), w, []Item{{Text: pointer}}, DiffOptions{MaxCommits: DefaultDiffCommits})
	if err != nil {
		g.t.Fatal(err)
	}
	return found[0]
}

// The newest commit that has the identity is the one that a search with the git
// binary over every commit finds.
func TestDiffEqualsBruteForce(t *testing.T) {
	found, aside, none := 0, 0, 0
	for seed := range uint64(6) {
		g := newDiffRepo(t, 40, seed)
		commits := strings.Fields(g.run("rev-list", "HEAD"))
		for range 12 {
			path := []string{"a.txt", "d/b.txt"}[g.rnd.IntN(2)]
			sel := []string{"", "lines=2-3"}[g.rnd.IntN(2)]
			text, err := g.git("", "show", commits[g.rnd.IntN(len(commits))]+":"+path)
			if err != nil || g.rnd.IntN(4) == 0 {
				text = g.text(path)
			}
			want := selected(text, sel)
			pointer := statingText(path, sel, want)
			d := g.diff(pointer)
			if d.Verdict == Same {
				continue
			}
			commit, left := g.bruteForce(path, sel, want)
			got := Origin{}
			if d.Found != nil {
				got = *d.Found
			}
			if got.Commit != commit || got.Aside != left || (d.NotFound == nil) != (commit != "") {
				t.Errorf("seed %d, %s: got %s (aside %v, not found %v), want %s (aside %v)", seed, pointer, got.Commit, got.Aside, d.NotFound, commit, left)
			}
			switch {
			case left:
				aside++
			case commit != "":
				found++
				g.checkApplies(d, path, want)
			default:
				none++
			}
		}
	}
	t.Logf("%d found, %d aside, %d not", found, aside, none)
	if found < 10 || aside < 2 || none < 5 {
		t.Errorf("%d found, %d aside, %d not: the test proves little", found, aside, none)
	}
}

// checkApplies applies the diff of a whole file to what the file was.
func (g *diffRepo) checkApplies(d *Difference, path, was string) {
	g.t.Helper()
	now, err := os.ReadFile(filepath.Join(g.dir, path))
	if err != nil || d.Record.Observed == nil || d.Record.Observed.Lines != nil {
		return
	}
	scratch := &diffRepo{t: g.t, dir: g.t.TempDir()}
	file := filepath.Join(scratch.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(was), 0o666); err != nil {
		g.t.Fatal(err)
	}
	if _, err := scratch.git(d.Diff, "apply", "-p0", "-"); err != nil {
		g.t.Errorf("git apply: %v\n%s", err, d.Diff)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, now) {
		g.t.Errorf("the diff leads to\n%s\nwant\n%s", got, now)
	}
}
