package gitref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compareDiscovery opens the repository around dir and compares where its parts
// are with what git says. It reports whether both found one.
func compareDiscovery(t *testing.T, g *testGit, dir string, env ...string) bool {
	t.Helper()
	ask := func(args ...string) (string, bool) {
		cmd := g.command(append([]string{"-c", "safe.bareRepository=all", "rev-parse"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, env...)
		out, err := cmd.Output()
		return strings.TrimSuffix(string(out), "\n"), err == nil
	}
	gitDir, found := ask("--absolute-git-dir")
	r, err := g.tryOpen(dir, env...)
	if (err == nil) != found {
		t.Errorf("%s %v: %v, git found %t %s", dir, env, err, found, gitDir)
		return false
	}
	if err != nil {
		return false
	}
	if gitDir = resolved(gitDir); r.GitDir() != gitDir {
		t.Errorf("%s %v: git folder %s, git says %s", dir, env, r.GitDir(), gitDir)
	}
	if common, _ := ask("--path-format=absolute", "--git-common-dir"); r.loc.commonDir != resolved(common) {
		t.Errorf("%s %v: common folder %s, git says %s", dir, env, r.loc.commonDir, common)
	}
	// From outside its worktree git has no top to show.
	if top, ok := ask("--show-toplevel"); ok && r.Top() != top || !ok && r.Top() != "" && r.loc.inTop(dir) {
		t.Errorf("%s %v: top %q, git says %q %t", dir, env, r.Top(), top, ok)
	}
	if prefix, ok := ask("--show-prefix"); ok && strings.TrimSuffix(prefix, "/") != r.loc.prefix {
		t.Errorf("%s %v: prefix %q, git says %q", dir, env, r.loc.prefix, prefix)
	}
	return true
}

func mkdir(t *testing.T, name string) string {
	t.Helper()
	if err := os.MkdirAll(name, 0o777); err != nil {
		t.Fatal(err)
	}
	return name
}

func put(t *testing.T, name, content string) {
	t.Helper()
	mkdir(t, filepath.Dir(name))
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// worldOfRepos builds repositories of every layout below one folder.
func worldOfRepos(t *testing.T) (*testGit, string) {
	t.Helper()
	g := newTestGit(t)
	w := g.dir
	at := func(name string) string { return filepath.Join(w, name) }
	if err := os.RemoveAll(at(".git")); err != nil {
		t.Fatal(err)
	}
	g.run("init", "-q", "-b", "main", "plain")
	put(t, at("plain/a/b/f"), "f\n")
	g.run("-C", "plain", "add", "-A")
	g.run("-C", "plain", "commit", "-q", "-m", "c")
	mkdir(t, at("plain/a/empty/.git"))
	mkdir(t, at("plain/a/empty/x"))
	g.run("init", "-q", "-b", "main", "plain/nested")
	g.run("clone", "-q", "--bare", "plain", "bare.git")
	g.run("init", "-q", "--separate-git-dir", "store", "separate")
	g.run("-C", "plain", "worktree", "add", "-q", "../linked", "-b", "linked")
	g.run("-C", "plain", "worktree", "add", "-q", "--detach", "../detached")
	g.run("-c", "protocol.file.allow=always", "-C", "plain", "submodule", "--quiet", "add", at("bare.git"), "module")
	g.run("clone", "-q", at("plain"), "super")
	mkdir(t, at("super/module"))
	symlink(t, at("plain/a"), at("toa"))
	symlink(t, "../store", at("plain/b.git"))
	mkdir(t, at("linkdot/d"))
	symlink(t, at("store"), at("linkdot/.git"))
	put(t, at("badfile/.git"), "gitdirx: nowhere\n")
	put(t, at("badtarget/.git"), "gitdir: nowhere\n")
	put(t, at("emptyfile/.git"), "")
	put(t, at("crlf/.git"), "gitdir: ../plain/.git\r\n")
	g.run("init", "-q", "plain/brokenhead")
	put(t, at("plain/brokenhead/.git/HEAD"), "garbage\n")
	g.run("init", "-q", "plain/upper")
	put(t, at("plain/upper/.git/HEAD"), "ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD\n")
	g.run("init", "-q", "norefs")
	if err := os.RemoveAll(at("norefs/.git/refs")); err != nil {
		t.Fatal(err)
	}
	g.run("init", "-q", "configured")
	g.run("-C", "configured", "config", "core.worktree", "../../plain/a")
	g.run("init", "-q", "pretendbare")
	g.run("-C", "pretendbare", "config", "core.bare", "true")
	g.run("init", "-q", "extended")
	g.run("-C", "extended", "config", "extensions.worktreeConfig", "true")
	put(t, at("extended/.git/config.worktree"), "[core]\n\tworktree = "+at("plain")+"\n")
	return g, w
}

func TestDiscoveryEqualsGit(t *testing.T) {
	g, w := worldOfRepos(t)
	found, none := 0, 0
	for _, dir := range []string{
		".", "plain", "plain/a", "plain/a/b", "plain/.git", "plain/.git/refs/heads", "plain/a/empty", "plain/a/empty/x", "plain/a/empty/.git", "plain/nested",
		"plain/nested/.git", "bare.git", "bare.git/objects", "separate", "store", "linked", "linked/a", "detached/a/b", "plain/.git/worktrees/linked",
		"plain/module", "super", "super/module", "toa", "toa/b", "linkdot", "linkdot/d", "badfile", "badtarget", "emptyfile", "crlf", "plain/brokenhead",
		"plain/upper", "norefs", "configured", "pretendbare", "extended", "plain/.git/modules/module",
	} {
		if compareDiscovery(t, g, filepath.Join(w, dir)) {
			found++
		} else {
			none++
		}
	}
	if found < 25 || none < 5 {
		t.Errorf("git found %d repositories and %d times none", found, none)
	}
}

func TestLocationVariablesEqualGit(t *testing.T) {
	g, w := worldOfRepos(t)
	at := func(name string) string { return filepath.Join(w, name) }
	g.run("clone", "-q", "-s", "plain", "shared")
	for _, env := range [][]string{
		{"GIT_DIR=" + at("plain/.git")}, {"GIT_DIR=.git"}, {"GIT_DIR=../plain/.git"}, {"GIT_DIR=" + at("separate/.git")}, {"GIT_DIR=" + at("nowhere")},
		{"GIT_DIR=" + at("plain")}, {"GIT_DIR=" + at("bare.git")}, {"GIT_DIR=" + at("linked/.git")}, {"GIT_DIR=" + at("configured/.git")}, {"GIT_DIR=" + at("pretendbare/.git")},
		{"GIT_WORK_TREE=" + at("plain/a")}, {"GIT_WORK_TREE=."}, {"GIT_DIR=" + at("plain/.git"), "GIT_WORK_TREE=" + at("plain")},
		{"GIT_DIR=" + at("plain/.git"), "GIT_WORK_TREE=a"}, {"GIT_DIR=" + at("bare.git"), "GIT_WORK_TREE=" + at("plain/a")}, {"GIT_DIR=" + at("plain/.git"), "GIT_IMPLICIT_WORK_TREE=0"},
		{"GIT_COMMON_DIR=" + at("bare.git")}, {"GIT_DIR=" + at("plain/.git"), "GIT_COMMON_DIR=" + at("store")}, {"GIT_OBJECT_DIRECTORY=" + at("bare.git/objects")}, {"GIT_OBJECT_DIRECTORY=" + at("nowhere")},
		{"GIT_CEILING_DIRECTORIES=" + w}, {"GIT_CEILING_DIRECTORIES=" + at("plain")}, {"GIT_CEILING_DIRECTORIES=" + at("plain/a")}, {"GIT_CEILING_DIRECTORIES=" + at("plain") + "/"},
		{"GIT_CEILING_DIRECTORIES=relative:" + at("plain/a")}, {"GIT_CEILING_DIRECTORIES=" + at("toa")}, {"GIT_CEILING_DIRECTORIES=:" + at("toa")}, {"GIT_CEILING_DIRECTORIES=/"},
		{"GIT_DISCOVERY_ACROSS_FILESYSTEM=1"}, {"GIT_DISCOVERY_ACROSS_FILESYSTEM=0"},
	} {
		for _, dir := range []string{"plain", "plain/a/b", ".", "linked", "bare.git", "plain/nested", "toa"} {
			compareDiscovery(t, g, at(dir), env...)
		}
	}
}

func TestObjectAndIndexVariablesEqualGit(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "one\n")
	g.commit("c")
	other := newTestGit(t)
	other.write("f", "two\n")
	c := other.commit("c")
	env := []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=/nowhere:\"" + other.objectDir() + "\""}
	rev, err := g.open(env...).Resolve(t.Context(), c.String()+":f")
	if want := other.oid("HEAD:f"); err != nil || rev.OID != want {
		t.Errorf("in an alternate: %s, %v, want %s", rev.OID, err, want)
	}
	env = []string{"GIT_OBJECT_DIRECTORY=" + other.objectDir()}
	if _, err := g.open(env...).Read(t.Context(), c, 1<<20); err != nil {
		t.Errorf("in the named object folder: %v", err)
	}
	_, err = g.open(env...).Resolve(t.Context(), "HEAD")
	wantFault(t, err, NoObject)
	env = []string{"GIT_INDEX_FILE=" + filepath.Join(other.dir, ".git/index")}
	entries, err := g.open(env...).Index(t.Context(), "f")
	if err != nil || len(entries) != 1 || entries[0].OID != other.oid("HEAD:f") {
		t.Errorf("in the named index: %+v, %v", entries, err)
	}
	// A relative one starts at the top, wherever the command was started.
	mkdir(t, filepath.Join(g.dir, "d"))
	r, err := g.tryOpen(filepath.Join(g.dir, "d"), "GIT_INDEX_FILE=.git/index")
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := r.Index(t.Context(), "f"); err != nil || len(entries) != 1 {
		t.Errorf("in the index named from the top: %+v, %v", entries, err)
	}
}

func TestRelativePathsInRevisionsEqualGit(t *testing.T) {
	g := newTestGit(t)
	g.write("a/b/f", "x\n")
	g.write("g", "y\n")
	g.commit("c")
	for _, dir := range []string{"", "a", "a/b"} {
		r, err := g.tryOpen(filepath.Join(g.dir, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, rev := range []string{"HEAD:./f", "HEAD:../g", "HEAD:../../g", "HEAD:./", "HEAD:../", ":./f", ":0:../b/f", "HEAD:./../a/b/f", "HEAD:.//f", "HEAD:./b/./f"} {
			cmd := g.command("-C", filepath.Join(g.dir, dir), "rev-parse", "--verify", "--end-of-options", rev)
			out, gitErr := cmd.Output()
			got, err := r.Resolve(t.Context(), rev)
			if (err == nil) != (gitErr == nil) || err == nil && got.OID.String() != strings.TrimSpace(string(out)) {
				t.Errorf("from %q %s is %s, %v; git says %s", dir, rev, got.OID, err, out)
			}
		}
	}
}

func TestOpenNamesWhyItFails(t *testing.T) {
	g, w := worldOfRepos(t)
	for _, c := range []struct {
		dir  string
		want Fault
	}{{".", NoRepository}, {"plain/a/b/f", NoRepository}, {"nowhere", NoRepository}, {"badfile", NoRepository}, {"badtarget", NoRepository}} {
		_, err := g.tryOpen(filepath.Join(w, c.dir))
		wantFault(t, err, c.want)
		if err != nil && strings.Contains(err.Error(), w) {
			t.Errorf("%s: the message holds an absolute path: %v", c.dir, err)
		}
	}
}
