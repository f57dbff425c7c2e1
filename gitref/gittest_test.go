package gitref

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testFormat is the object format of the repositories that tests make. It is asked for
// while they run: what is read before that is not seen by the cache of go test.
func testFormat() string { return cmp.Or(os.Getenv("CTXPTR_TEST_FORMAT"), "sha1") }

// testSize is the length in bytes of an id of that format.
func testSize() int {
	if testFormat() == "sha256" {
		return sha256Size
	}
	return sha1Size
}

// testGit is a repository built by the git binary for one test.
type testGit struct {
	t   testing.TB
	dir string
	env []string
	now int

	foreign bool // what is opened is handed over to the git binary
}

func newTestGit(t testing.TB, args ...string) *testGit {
	t.Helper()
	g := &testGit{t: t, dir: t.TempDir(), now: 1700000000}
	g.run(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return g
}

// clone opens a second repository in a new folder with git's clone and args.
func (g *testGit) clone(args ...string) *testGit {
	g.t.Helper()
	c := &testGit{t: g.t, dir: filepath.Join(g.t.TempDir(), "clone"), now: g.now}
	g.run(append(append([]string{"clone", "-q"}, args...), "file://"+g.dir, c.dir)...)
	return c
}

func (g *testGit) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = g.dir
	date := fmt.Sprintf("%d +0000", g.now)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + g.dir, "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=" + testFormat(), "GIT_DEFAULT_REF_FORMAT=files",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_COMMITTER_DATE=" + date,
	}, g.env...)
	return cmd
}

// run returns git's output without the final newline.
func (g *testGit) run(args ...string) string {
	g.t.Helper()
	return g.feed("", args...)
}

func (g *testGit) feed(stdin string, args ...string) string {
	g.t.Helper()
	cmd := g.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// code returns git's exit status.
func (g *testGit) code(args ...string) int {
	g.t.Helper()
	cmd := g.command(args...)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		g.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func (g *testGit) write(name, content string) {
	g.t.Helper()
	name = filepath.Join(g.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		g.t.Fatal(err)
	}
}

// commit commits the whole worktree and returns the commit.
func (g *testGit) commit(message string) OID {
	g.t.Helper()
	g.now += 60
	g.run("add", "-A")
	g.run("commit", "-q", "--allow-empty", "-m", message)
	return g.oid("HEAD")
}

func (g *testGit) oid(rev string) OID {
	g.t.Helper()
	id, err := ParseOID(g.run("rev-parse", "--verify", rev))
	if err != nil {
		g.t.Fatal(err)
	}
	return id
}

func (g *testGit) objectDir() string { return filepath.Join(g.dir, ".git", "objects") }

func (g *testGit) store() *store {
	g.t.Helper()
	return openTestStore(g.t, storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
}

func openTestStore(t testing.TB, c storeConfig) *store {
	t.Helper()
	s, err := openStore(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// objects returns every object git finds, by id.
func (g *testGit) objects() map[OID]Object {
	g.t.Helper()
	out := []byte(g.run("cat-file", "--batch-all-objects", "--batch") + "\n")
	all := map[OID]Object{}
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		var hex, typ string
		var size int
		if _, err := fmt.Sscan(string(line), &hex, &typ, &size); err != nil {
			g.t.Fatalf("cat-file line %q: %v", line, err)
		}
		id, err := ParseOID(hex)
		if err != nil {
			g.t.Fatal(err)
		}
		all[id] = Object{OID: id, Type: ObjectType(typ), Data: rest[:size]}
		out = rest[size+1:]
	}
	return all
}

func wantFault(t testing.TB, err error, want Fault) {
	t.Helper()
	if got := faultIn(err); got != want {
		t.Errorf("fault %d (%v), want %d", got, err, want)
	}
}
