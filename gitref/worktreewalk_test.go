package gitref

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func nothing(context.Context, *WorkFile) error { return nil }

func (g *testGit) walk(o WalkOptions) ([]*WorkFile, error) {
	g.t.Helper()
	if o.Top == "" {
		o.Top = o.Repo.Top()
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = 1 << 20
	}
	if o.Visit == nil {
		o.Visit = nothing
	}
	o.Getenv = func(string) string { return "" }
	found, err := Walk(g.t.Context(), o)
	if err != nil {
		return nil, err
	}
	return slices.Collect(found.Files()), nil
}

// TestWalkAgainstStatus holds what is untracked, deleted and left out against git
// status, on generated working trees.
func TestWalkAgainstStatus(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	names := []string{"a", "b", "a.o", "a-b", "x y", "ü", "B", "sub"}
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	untracked, ignored := 0, 0
	for round := range 40 {
		g := newTestGit(t)
		path := func() string {
			parts := make([]string, 1+rnd.IntN(4))
			for i := range parts {
				parts[i] = names[rnd.IntN(len(names))]
			}
			return strings.Join(parts, "/")
		}
		fill := func(n int) {
			for range n {
				p := filepath.Join(g.dir, path())
				if os.MkdirAll(filepath.Dir(p), 0o777) != nil {
					continue
				}
				if rnd.IntN(6) == 0 {
					_ = os.Symlink(pick("a", "sub", ".."), p)
				} else {
					_ = os.WriteFile(p, []byte(p), 0o666) // a folder may stand there
				}
			}
		}
		fill(15)
		g.run("add", "-A")
		fill(15)
		for range 4 {
			_ = os.RemoveAll(filepath.Join(g.dir, path()))
		}
		fill(5)
		for _, dir := range []string{"", "sub", "a"} {
			if st, err := os.Lstat(filepath.Join(g.dir, dir)); err == nil && st.IsDir() {
				g.write(filepath.Join(dir, ".gitignore"), pick("*.o\n", "sub/\n!sub/a\n", "/a\n", "a/**\n!a/b\n", "x*\n!x y\n", "**/b\n"))
			}
		}
		if nested := filepath.Join(g.dir, pick("sub", "b", "n")); os.MkdirAll(nested, 0o777) == nil {
			inner := &testGit{t: t, dir: nested, now: g.now}
			inner.run("init", "-q", "-b", "main")
			inner.write("inside", "x")
			inner.commit("one")
		}
		files, err := g.walk(WalkOptions{Repo: g.open()})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			switch {
			case f.Absent:
				got = append(got, "gone "+f.Path)
			case !f.Tracked && f.Mode == ModeGitlink:
				// Where a tracked file stood, git says that its type changed.
				if was := slices.Index(got, "gone "+f.Path); was >= 0 {
					got = slices.Delete(got, was, was+1)
					continue
				}
				got = append(got, "new "+f.Path+"/")
			case !f.Tracked:
				got = append(got, "new "+f.Path)
			}
		}
		if !slices.IsSortedFunc(files, func(a, b *WorkFile) int { return strings.Compare(a.Path, b.Path) }) {
			t.Error("the files are out of order")
		}
		var want []string
		for line := range strings.SplitSeq(g.run("status", "--porcelain=v1", "-z", "-uall", "--ignored", "--no-renames"), "\x00") {
			switch {
			case strings.HasPrefix(line, "??"):
				untracked++
				want = append(want, "new "+line[3:])
			case strings.HasPrefix(line, "!!"):
				ignored++
			case len(line) > 1 && line[1] == 'D':
				want = append(want, "gone "+line[3:])
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("round %d:\n got %q\nwant %q", round, got, want)
		}
	}
	if untracked < 200 || ignored < 40 {
		t.Errorf("only %d untracked and %d ignored paths were compared", untracked, ignored)
	}
}

func TestWalkBounds(t *testing.T) {
	g := newTestGit(t)
	for i := range 50 {
		g.write(fmt.Sprintf("d%d/f", i), "x")
	}
	r := g.open()
	_, err := g.walk(WalkOptions{Repo: r, MaxEntries: 60})
	wantFault(t, err, OverLimit)
	if files, err := g.walk(WalkOptions{Repo: r, MaxEntries: 200}); err != nil || len(files) != 50 {
		t.Errorf("found %d files, %v, want 50", len(files), err)
	}
	_, err = g.walk(WalkOptions{Repo: r, Visit: func(_ context.Context, f *WorkFile) error {
		_, err := f.Bytes(0)
		return err
	}})
	wantFault(t, err, OverLimit)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Walk(ctx, WalkOptions{Repo: r, Top: r.Top(), MaxEntries: 200, Visit: nothing})
	wantFault(t, err, OverLimit)
}

// TestWalkDeep walks a path that is longer than the system takes in one call.
func TestWalkDeep(t *testing.T) {
	g := newTestGit(t)
	at, err := os.OpenRoot(g.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	name := strings.Repeat("n", 200)
	deepen := func(n int) {
		for range n {
			if err := at.Mkdir(name, 0o777); err != nil {
				t.Fatal(err)
			}
			next, err := at.OpenRoot(name)
			if err != nil {
				t.Fatal(err)
			}
			at.Close()
			at = next
		}
	}
	deepen(15)
	if err := at.WriteFile("f", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := g.open()
	files, err := g.walk(WalkOptions{Repo: r})
	if err != nil || len(files) != 1 || len(files[0].Path) != 15*201+1 {
		t.Fatalf("found %d files, %v, want the one", len(files), err)
	}
	deepen(10)
	_, err = g.walk(WalkOptions{Repo: r})
	wantFault(t, err, OverLimit)
}

// TestWalkSeesChange reads a file that is no longer what was looked at.
func TestWalkSeesChange(t *testing.T) {
	g := newTestGit(t)
	for name, change := range map[string]func(){
		"written":  func() { g.write("a", "other\n") },
		"replaced": func() { os.Remove(filepath.Join(g.dir, "a")); g.write("a", "one\n") },
		"gone":     func() { os.Remove(filepath.Join(g.dir, "a")) },
		"a link":   func() { os.Remove(filepath.Join(g.dir, "a")); os.Symlink("b", filepath.Join(g.dir, "a")) },
		"a folder": func() { os.Remove(filepath.Join(g.dir, "a")); os.Mkdir(filepath.Join(g.dir, "a"), 0o777) },
		"no link":  func() { os.Remove(filepath.Join(g.dir, "a")); g.write("a", "one\n") },
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(filepath.Join(g.dir, "a"))
			g.write("a", "one\n")
			if name == "no link" {
				os.Remove(filepath.Join(g.dir, "a"))
				os.Symlink("b", filepath.Join(g.dir, "a"))
			}
			_, err := g.walk(WalkOptions{Repo: g.open(), Visit: func(_ context.Context, f *WorkFile) error {
				change()
				_, err := f.Bytes(100)
				return err
			}})
			wantFault(t, err, Changed)
		})
	}
}

// TestWalkPassesPanicsOn has what a visitor panics with reach the caller, who may
// recover, and no worker left behind.
func TestWalkPassesPanicsOn(t *testing.T) {
	g := newTestGit(t)
	for i := range 20 {
		g.write(fmt.Sprintf("d%d/f", i), "x")
	}
	var visited atomic.Int32
	defer func() {
		if cause := recover(); cause != "broken" || visited.Load() == 0 {
			t.Errorf("recovered %v after %d visits", cause, visited.Load())
		}
	}()
	_, _ = g.walk(WalkOptions{Repo: g.open(), Visit: func(context.Context, *WorkFile) error {
		visited.Add(1)
		panic("broken")
	}})
	t.Error("the panic was kept")
}

// TestWalkKeepsToTheScope has an index in which a path is in conflict with a
// folder of its name, and neighbours of which the names sort between the two.
func TestWalkKeepsToTheScope(t *testing.T) {
	g := newTestGit(t)
	blob := g.feed("x", "hash-object", "-w", "--stdin")
	var info strings.Builder
	for _, entry := range []string{"0\ta/b-x", "2\ta/b", "3\ta/b", "0\ta/b/c", "0\ta/b/d/e", "0\ta/bz", "0\tb"} {
		fmt.Fprintf(&info, "100644 %s %s\n", strings.TrimSpace(blob), entry)
	}
	g.feed(info.String(), "update-index", "--index-info")
	for _, c := range []struct{ stands, scope, want string }{
		{"", "a/b", "a/b! a/b/c a/b/d/e"},
		{"", "a/b/d", "a/b/d/e"},
		{"", "a/bz", "a/bz"},
		{"", "a", "a/b! a/b-x a/b/c a/b/d/e a/bz"},
		{"a/b/d", "a/b", "a/b! a/b/c a/b/d/e"},
		{"a/b/d", "a/b/d", "a/b/d/e"},
		{"a/b/d", "a/b-x", "a/b-x"},
		{"a/b/d", "", "a/b! a/b-x a/b/c a/b/d/e a/bz b"},
	} {
		if err := os.MkdirAll(filepath.Join(g.dir, c.stands), 0o777); err != nil {
			t.Fatal(err)
		}
		files, err := g.walk(WalkOptions{Repo: g.open(), Scope: c.scope})
		var got []string
		for _, f := range files {
			if f.Unmerged {
				f.Path += "!"
			}
			got = append(got, f.Path)
		}
		if text := strings.Join(got, " "); err != nil || text != c.want {
			t.Errorf("with %q, scope %q: got %s, %v, want %s", c.stands, c.scope, text, err, c.want)
		}
	}
}
