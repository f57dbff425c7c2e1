package authority

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority/selector"
)

// testRepo is a repository built by the git binary for one test.
type testRepo struct {
	t   testing.TB
	dir string
	env []string
}

func newTestRepo(t testing.TB) *testRepo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &testRepo{t: t, dir: dir}
	g.run("init", "-q", "-b", "main")
	return g
}

// vars is the whole environment of git and of what is tested.
func (g *testRepo) vars() []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(g.dir), "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_COMMITTER_DATE=1700000000 +0000",
	}, g.env...)
}

func (g *testRepo) getenv(name string) string {
	for _, v := range g.vars() {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

func (g *testRepo) try(env []string, args ...string) (string, error) {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir, cmd.Env = g.dir, append(g.vars(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

func (g *testRepo) run(args ...string) string {
	g.t.Helper()
	out, err := g.try(nil, args...)
	if err != nil {
		g.t.Fatal(err)
	}
	return strings.TrimSuffix(out, "\n")
}

func (g *testRepo) path(name string) string { return filepath.Join(g.dir, name) }

func (g *testRepo) write(name, content string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(g.path(name)), 0o777); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(g.path(name), []byte(content), 0o666); err != nil {
		g.t.Fatal(err)
	}
}

func (g *testRepo) commit() {
	g.t.Helper()
	g.run("add", "-A")
	g.run("commit", "-q", "--allow-empty", "-m", "m")
}

// open opens a workspace in the repository.
func (g *testRepo) open(c Config) *Workspace {
	g.t.Helper()
	c.Getenv = g.getenv
	if c.Dir == "" {
		c.Dir = g.dir
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 64 << 20
	}
	w, err := Open(g.t.Context(), c)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { w.Close() })
	return w
}

// observe opens a new workspace and observes one authority in it.
func (g *testRepo) observe(kind, locator string) (*Workspace, *Observation, error) {
	g.t.Helper()
	k, err := LookupKind(kind)
	if err != nil {
		g.t.Fatal(err)
	}
	l, err := ParseLocator(k, locator)
	if err != nil {
		g.t.Fatal(err)
	}
	w := g.open(Config{})
	o, err := l.Observe(g.t.Context(), w, "")
	return w, o, err
}

// identify returns the current identity of an authority.
func (g *testRepo) identify(kind, locator string) (Identity, error) {
	g.t.Helper()
	return g.identifyAs(BLAKE3, kind, locator)
}

func (g *testRepo) identifyAs(tag Tag, kind, locator string) (Identity, error) {
	g.t.Helper()
	w, o, err := g.observe(kind, locator)
	if err != nil {
		return Identity{}, errors.Join(err, w.Close())
	}
	defer w.Close()
	found, err := o.Current(g.t.Context(), Like(tag, false), selector.Selector{})
	return found.Identity, err
}

// mustIdentify is the identity of the root as an authority of a kind.
func (g *testRepo) mustIdentify(kind string) Identity {
	g.t.Helper()
	id, err := g.identify(kind, ".")
	if err != nil {
		g.t.Fatal(err)
	}
	return id
}

// addAll is what git add -A stores in an index of its own: "mode id path" in
// order, without files that are left out.
func (g *testRepo) addAll() ([][3]string, error) {
	g.t.Helper()
	tmp := filepath.Join(g.t.TempDir(), "index")
	if data, err := os.ReadFile(g.path(".git/index")); err == nil {
		if err := os.WriteFile(tmp, data, 0o666); err != nil {
			g.t.Fatal(err)
		}
		// The copy must not look newer than the files are, or git would trust
		// entries that are racy.
		if st, err := os.Stat(g.path(".git/index")); err == nil {
			os.Chtimes(tmp, st.ModTime(), st.ModTime())
		}
	}
	env := []string{"GIT_INDEX_FILE=" + tmp}
	if _, err := g.try(env, "add", "-A"); err != nil {
		return nil, err
	}
	out, err := g.try(env, "ls-files", "-s", "-z")
	if err != nil {
		return nil, err
	}
	entries := listed(out, 1)
	for i, e := range entries {
		if e[1] == "160000" {
			own, err := (&testRepo{t: g.t, dir: g.path(e[0])}).ownChanges()
			if err != nil {
				return nil, err
			}
			entries[i][2] += own
		}
	}
	return entries, nil
}

// listed reads lines of git ls-files -s or ls-tree, the id in a field of its own.
func listed(out string, id int) (entries [][3]string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		head, path, found := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if found && filepath.Base(path) != "ctxptr.pins" {
			entries = append(entries, [3]string{path, fields[0], fields[id]})
		}
	}
	return entries
}

// ownChanges is "+" and the digest of a nested repository's working tree, where
// this is not what its HEAD holds.
func (g *testRepo) ownChanges() (string, error) {
	if top, err := g.try(nil, "rev-parse", "--show-toplevel"); err != nil || strings.TrimSpace(top) != g.dir {
		return "", nil // not checked out
	}
	head, err := g.try(nil, "ls-tree", "-r", "-z", "HEAD")
	if err != nil {
		return "", err
	}
	now, err := g.addAll()
	if err != nil || slices.Equal(now, listed(head, 2)) {
		return "", err
	}
	return "+" + worktreeDigest(now).Hex(), nil
}

// worktreeDigest composes entries of path, mode and object id in plain bytes.
func worktreeDigest(entries [][3]string) Identity {
	text := []byte("ctxptr-worktree-v1\n")
	for _, e := range entries {
		for _, field := range e {
			text = fmt.Appendf(text, "%d:%s", len(field), field)
		}
	}
	return BLAKE3Sum(text)
}
