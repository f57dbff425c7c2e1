package gitref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// accepts reports whether git works in dir under the variables.
func accepts(g *testGit, dir string, env ...string) bool {
	cmd := g.command("rev-parse", "--git-dir")
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, env...)
	return cmd.Run() == nil
}

func TestOwnershipEqualsGit(t *testing.T) {
	g := newTestGit(t)
	home := t.TempDir()
	bare := newTestGit(t, "--bare")
	extra := filepath.Join(home, "extra")
	put(t, extra, "[safe]\n\tdirectory = "+g.dir+"\n")
	allowed := 0
	for _, c := range []struct{ global, value string }{
		{"", ""}, {"[safe]\n\tdirectory = *\n", ""}, {"[safe]\n\tdirectory = " + g.dir + "\n", ""}, {"[safe]\n\tdirectory = " + g.dir + "/.git\n", ""},
		{"[safe]\n\tdirectory = " + filepath.Dir(g.dir) + "\n", ""}, {"[safe]\n\tdirectory = *\n\tdirectory =\n", ""}, {"[safe]\n\tdirectory = *\n\tdirectory\n", ""},
		{"[safe]\n\tdirectory =\n\tdirectory = " + g.dir + "\n", ""}, {"[include]\n\tpath = extra\n", ""}, {"[include]\n\tpath = ~/extra\n", ""},
		{"", g.dir}, {"", "*"}, {"", "/nowhere"}, {"[safe]\n\tdirectory = *\n", ""}, {"[safe]\n\tdirectory = " + bare.dir + "\n", ""},
		{"[includeIf \"gitdir:/\"]\n\tpath = extra\n", ""},
	} {
		put(t, filepath.Join(home, ".gitconfig"), c.global)
		env := []string{"HOME=" + home, "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_PARAMETERS='safe.bareRepository'='all'"}
		if c.value != "" {
			env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0="+c.value)
		}
		for _, dir := range []string{g.dir, bare.dir} {
			want := accepts(g, dir, env...)
			_, err := g.tryOpen(dir, env...)
			if (err == nil) != want {
				t.Errorf("%q %q in %s: %v, git accepts %t", c.global, c.value, dir, err, want)
			}
			if err != nil {
				wantFault(t, err, NotOwned)
			} else {
				allowed++
			}
		}
	}
	if allowed < 8 {
		t.Errorf("only %d cases were allowed", allowed)
	}
	// A repository's own configuration vouches for nothing, an explicit GIT_DIR does.
	g.run("config", "safe.directory", "*")
	_, err := g.tryOpen(g.dir, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	wantFault(t, err, NotOwned)
	g.open("GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_DIR="+g.dir+"/.git")
}

// git 2.46 and later match folders below one named with "/*", resolve links and
// take "." for the current folder.
func TestSafeDirectoryOfNewerGit(t *testing.T) {
	g := newTestGit(t)
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, g.dir, link)
	for value, want := range map[string]bool{
		filepath.Dir(g.dir) + "/*": true, g.dir + "/*": false, "/*": true, link: true, ".": true, "relative": false, filepath.Dir(g.dir): false,
		filepath.Dir(g.dir)[:len(filepath.Dir(g.dir))-1] + "/*": false,
	} {
		_, err := g.tryOpen(g.dir, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0="+value)
		if (err == nil) != want {
			t.Errorf("%s: %v, want allowed %t", strings.ReplaceAll(value, g.dir, "TOP"), err, want)
		}
	}
	mkdir(t, filepath.Join(g.dir, "sub"))
	_, err := g.tryOpen(filepath.Join(g.dir, "sub"), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=.")
	wantFault(t, err, NotOwned)
}

func TestBareRepositoryMustBeNamedWhereAsked(t *testing.T) {
	g := newTestGit(t, "--bare")
	ask := []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"}
	if accepts(g, g.dir, ask...) {
		t.Fatal("git accepts the bare repository")
	}
	_, err := g.tryOpen(g.dir, ask...)
	wantFault(t, err, NotOwned)
	g.open(append(ask, "GIT_DIR="+g.dir)...)
}

func TestRepositoryOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		// Without root no file can be given away; what ownership decides is then
		// shown on a folder that belongs to root.
		if ownedFile("/", newEnvironment(nil)) {
			t.Error("the root folder counts as the user's own")
		}
		return
	}
	g := newTestGit(t)
	for _, name := range []string{".git", ""} {
		if err := os.Chown(filepath.Join(g.dir, name), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		_, err := g.tryOpen(g.dir)
		wantFault(t, err, NotOwned)
		if accepts(g, g.dir) {
			t.Error("git accepts the repository")
		}
	}
	g.open("SUDO_UID=12345")
	if !accepts(g, g.dir, "SUDO_UID=12345") {
		t.Error("git does not trust SUDO_UID")
	}
	_, err := g.tryOpen(g.dir, "SUDO_UID=12345x")
	wantFault(t, err, NotOwned)
}
