package authority

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ctxptr/authority/selector"
)

func wantCode(t *testing.T, err error, want Code) {
	t.Helper()
	f, ok := errors.AsType[*Fault](err)
	if !ok || f.Code != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestWorktreeSeesSameSizeEdits edits a tracked file keeping its size, within the
// tick of the clock in which it was added and with its times put back, many times
// so that ticks fall everywhere.
func TestWorktreeSeesSameSizeEdits(t *testing.T) {
	g := newTestRepo(t)
	old := time.Unix(1000000000, 0)
	for i := range 40 {
		g.write("a", "one\n")
		if i%2 == 0 {
			if err := os.Chtimes(g.path("a"), old, old); err != nil {
				t.Fatal(err)
			}
		}
		st, err := os.Stat(g.path("a"))
		if err != nil {
			t.Fatal(err)
		}
		g.run("add", "a")
		before := g.mustIdentify("worktree")
		g.write("a", "two\n")
		if err := os.Chtimes(g.path("a"), st.ModTime(), st.ModTime()); err != nil {
			t.Fatal(err)
		}
		if after := g.mustIdentify("worktree"); after == before {
			t.Fatalf("round %d: the edit is not seen", i)
		}
	}
}

// changeTime is when the system last changed a file's inode.
func (g *testRepo) changeTime(name string) time.Time {
	g.t.Helper()
	info, err := os.Stat(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	return time.Unix(info.Sys().(*syscall.Stat_t).Ctim.Unix())
}

func (g *testRepo) setTime(name string, at time.Time) {
	g.t.Helper()
	if err := os.Chtimes(g.path(name), at, at); err != nil {
		g.t.Fatal(err)
	}
}

// TestWorktreeSeesEditsBehindAnOldIndex edits a file whose entry is not racy,
// keeping size and modification time: the change time gives it away.
func TestWorktreeSeesEditsBehindAnOldIndex(t *testing.T) {
	g := newTestRepo(t)
	old := time.Unix(1000000000, 0)
	g.write("a", "one\n")
	g.setTime("a", old)
	was := g.changeTime("a")
	g.run("add", "a")
	g.setTime(".git/index", time.Now().Add(time.Hour))
	before := g.mustIdentify("worktree")
	for g.changeTime("a").Equal(was) { // the clock may not have ticked
		g.write("a", "two\n")
		g.setTime("a", old)
	}
	if g.mustIdentify("worktree") == before {
		t.Error("the edit is not seen")
	}
}

// TestWorktreeDistrustsRacyEntries has an entry that stat data alone would
// believe, and gives file and index times at which they prove nothing.
func TestWorktreeDistrustsRacyEntries(t *testing.T) {
	old, future := time.Unix(1000000000, 0), time.Now().Add(time.Hour)
	for _, c := range []struct {
		name, content string
		modified      time.Time
		written       func(changed time.Time) time.Time
		believed      bool
	}{
		{"long before", "one\n", old, func(c time.Time) time.Time { return c.Add(-time.Hour) }, false},
		{"just before the change", "one\n", old, func(c time.Time) time.Time { return c.Add(-1) }, false},
		{"with the change", "one\n", old, func(c time.Time) time.Time { return c }, false},
		{"just behind the change", "one\n", old, func(c time.Time) time.Time { return c.Add(1) }, true},
		{"before the modification", "one\n", future, func(c time.Time) time.Time { return c.Add(1) }, false},
		{"with the modification", "one\n", future, func(time.Time) time.Time { return future }, false},
		{"behind the modification", "one\n", future, func(time.Time) time.Time { return future.Add(1) }, true},
		{"size 0, which git gives what it distrusts", "", old, func(c time.Time) time.Time { return c.Add(1) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newTestRepo(t)
			g.write("a", c.content)
			g.setTime("a", c.modified)
			g.run("add", "a")
			truth := g.mustIdentify("worktree")
			g.lieInIndex()
			g.setTime(".git/index", c.written(g.changeTime("a")))
			if got := g.mustIdentify("worktree"); (got != truth) != c.believed {
				t.Errorf("believed: %v, want %v", got != truth, c.believed)
			}
		})
	}
}

// lieInIndex gives the first entry of the index the id of another blob.
func (g *testRepo) lieInIndex() {
	g.t.Helper()
	data, err := os.ReadFile(g.path(".git/index"))
	if err != nil {
		g.t.Fatal(err)
	}
	const header, stat, trailer = 12, 40, 20
	data[header+stat] ^= 1
	copy(data[len(data)-trailer:], make([]byte, trailer)) // as with index.skipHash
	if err := os.WriteFile(g.path(".git/index"), data, 0o666); err != nil {
		g.t.Fatal(err)
	}
}

// TestWorktreeKeepsFilteredEntries believes stat data where a filter forbids to
// look at the bytes, as git does, and nothing else.
func TestWorktreeKeepsFilteredEntries(t *testing.T) {
	g := newTestRepo(t)
	g.write(".gitattributes", "*.bin filter=x\n")
	g.write("a.bin", "content\n")
	g.run("config", "filter.x.clean", "tr a-z A-Z; touch PWNED")
	g.run("add", ".")
	if err := os.Remove(g.path("PWNED")); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Second)
	if err := os.Chtimes(g.path(".git/index"), later, later); err != nil {
		t.Fatal(err)
	}
	want, err := g.addAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := g.mustIdentify("worktree"); got != worktreeDigest(want) {
		t.Errorf("got %s, want %s of %q", got, worktreeDigest(want), want)
	}
	g.write("a.bin", "Content\n")
	_, err = g.identify("worktree", ".")
	wantCode(t, err, MissingConversionUnknown)
	if _, err := os.Lstat(g.path("PWNED")); err == nil {
		t.Error("a filter has run")
	}
}

// TestIdentitiesDoNotDependOnCircumstance makes the same content by other ways.
func TestIdentitiesDoNotDependOnCircumstance(t *testing.T) {
	build := func(t *testing.T, names []string) *testRepo {
		g := newTestRepo(t)
		for _, name := range names {
			g.write(name, "content of "+name+"\n")
		}
		return g
	}
	names := []string{"a", "d/x", "d/y", "d-z", "é", "Z"}
	reversed := []string{"Z", "é", "d-z", "d/y", "d/x", "a"}
	for _, kind := range []string{"dir", "worktree"} {
		want := build(t, names).mustIdentify(kind)
		for name, change := range map[string]func(g *testRepo){
			"created in another order": func(*testRepo) {},
			"staged":                   func(g *testRepo) { g.run("add", "-A") },
			"committed":                func(g *testRepo) { g.commit() },
			"committed in parts":       func(g *testRepo) { g.run("add", "d"); g.run("commit", "-qm", "1"); g.commit() },
			"touched": func(g *testRepo) {
				g.commit()
				at := time.Unix(1000000000, 0)
				for _, n := range names {
					os.Chtimes(g.path(n), at, at)
				}
			},
			"index version 4": func(g *testRepo) { g.commit(); g.run("update-index", "--index-version", "4") },
			"split index":     func(g *testRepo) { g.commit(); g.run("update-index", "--split-index") },
			"index removed":   func(g *testRepo) { g.commit(); os.Remove(g.path(".git/index")) },
			"another checkout": func(g *testRepo) {
				g.commit()
				to := filepath.Join(g.t.TempDir(), "other")
				g.run("worktree", "add", "-q", to, "-b", "o")
				g.dir = to
			},
			"another umask": func(g *testRepo) {
				for _, n := range names {
					os.Chmod(g.path(n), 0o600)
				}
			},
			"another locale": func(g *testRepo) { g.env = append(g.env, "LC_ALL=tr_TR.UTF-8", "LANG=ja_JP.eucJP") },
			"moved away and back": func(g *testRepo) {
				g.commit()
				g.run("mv", "d", "e")
				g.run("commit", "-qm", "2")
				g.run("mv", "e", "d")
			},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				g := build(t, reversed)
				change(g)
				if got := g.mustIdentify(kind); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			})
		}
	}
}

// TestWorktreeReportsTheFirstFault gives the same fault whichever worker met it.
func TestWorktreeReportsTheFirstFault(t *testing.T) {
	g := newTestRepo(t)
	g.write(".gitattributes", "* filter=x\n")
	g.run("config", "filter.x.clean", "cat")
	for _, dir := range []string{"z", "m", "b"} {
		for _, name := range []string{"1", "2", "3"} {
			g.write(dir+"/"+name, "x\n")
		}
	}
	for range 20 {
		_, err := g.identify("worktree", "b")
		wantCode(t, err, MissingConversionUnknown)
		if err != nil && !strings.Contains(err.Error(), `"b/1"`) {
			t.Fatal(err)
		}
	}
}

// TestCleanRulesHoldTheSnapshot proves cleanness of what was identified, and of
// nothing that stands there since.
func TestCleanRulesHoldTheSnapshot(t *testing.T) {
	g := newTestRepo(t)
	g.write("d/a", "one\n")
	g.commit()
	for _, kind := range []string{"dir", "worktree"} {
		w, o, err := g.observe(kind, "d")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Current(t.Context(), Like(BLAKE3, false), selector.Selector{}); err != nil {
			t.Fatal(err)
		}
		if how, err := w.CommittedClean(t.Context(), o); err != nil || how == "" {
			t.Errorf("%s: %q, %v", kind, how, err)
		}
		g.write("d/a", "two\n")
		g.run("add", "-A")
		_, err = w.CommittedClean(t.Context(), o)
		if kind == "dir" && err == nil {
			t.Error("a folder that changed since is proven clean")
		}
		g.write("d/a", "one\n")
		g.run("add", "-A")
	}
}
