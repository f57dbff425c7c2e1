package gitref

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeGit puts a shell script in git's place and returns its PATH setting. In the
// script $GIT is the real one.
func fakeGit(t *testing.T, script string) string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "git"), "#!/bin/sh\nGIT="+real+"\n"+script+"\n")
	chmod(t, filepath.Join(dir, "git"), 0o777)
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

// foreignRepo is a repository that the git binary answers for.
func foreignRepo(t *testing.T) *testGit {
	t.Helper()
	g := newTestGit(t)
	g.foreign = true
	g.write("f", "one\n")
	g.commit("one")
	return g
}

func TestGitIsRunHardened(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	g := foreignRepo(t)
	g.run("update-index", "--split-index")
	path := fakeGit(t, `echo "$@" >>`+log+`; env >>`+log+`.env; exec "$GIT" "$@"`)
	r := g.open(path, "GIT_TRACE=1", "GIT_EXEC_PATH=/nowhere", "GIT_EXTERNAL_DIFF=x")
	for _, rev := range []string{"HEAD:f", ":f", "HEAD^{/one}", "HEAD~1", g.run("rev-parse", "HEAD")[:6], strings.Repeat("1", 2*testSize())} {
		_, _ = r.Resolve(t.Context(), rev)
	}
	head := g.oid("HEAD")
	if _, err := r.MergeBases(t.Context(), head, head); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{gitRevParse, gitCatFile, gitForEachRef, gitMergeBase, gitLsFiles}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "-c core.fsmonitor=false --no-replace-objects ")
		command, _, _ := strings.Cut(args, " ")
		if !ok || !slices.Contains(allowed, command) {
			t.Errorf("git was run as %q", line)
		}
		if command == gitRevParse && !strings.Contains(args, "--verify --end-of-options ") && !strings.Contains(args, "--disambiguate=") {
			t.Errorf("git was run as %q", line)
		}
		seen[command] = true
	}
	if len(seen) != len(allowed) {
		t.Errorf("only %v were run", seen)
	}
	vars, err := os.ReadFile(log + ".env")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_GRAFT_FILE=/dev/null", "LC_ALL=C"} {
		if strings.Count(string(vars), want+"\n") != strings.Count(string(vars), "LC_ALL=") {
			t.Errorf("%s is not always set", want)
		}
	}
	for _, unwanted := range []string{"GIT_TRACE=", "GIT_EXEC_PATH=", "GIT_EXTERNAL_DIFF="} {
		if strings.Contains(string(vars), unwanted) {
			t.Errorf("%s was passed on", unwanted)
		}
	}
}

// slowOpen opens a repository with a git that misbehaves, within a short limit.
func slowOpen(t *testing.T, g *testGit, path string, limit time.Duration) (*Repo, error) {
	t.Helper()
	vars := map[string]string{}
	for _, v := range append(g.command().Env, path) {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	r, err := Open(t.Context(), g.dir, Options{Getenv: func(n string) string { return vars[n] }, Timeout: limit})
	if err == nil {
		t.Cleanup(func() { r.Close() })
		if g.foreign {
			err = handOver(r)
		}
	}
	return r, err
}

func TestGitThatHangsIsEnded(t *testing.T) {
	g := foreignRepo(t)
	_, err := slowOpen(t, g, fakeGit(t, "exec sleep 1000"), 50*time.Millisecond)
	wantFault(t, err, OverLimit)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cause %v", err)
	}
	r, err := slowOpen(t, g, fakeGit(t, `case "$*" in *batch-command*) exec sleep 1000;; esac; exec "$GIT" "$@"`), 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Read(t.Context(), g.oid("HEAD"), 1<<20)
	wantFault(t, err, OverLimit)
}

func TestGitIsEndedWithTheContext(t *testing.T) {
	g := newTestGit(t)
	g.commit("one")
	r, err := slowOpen(t, g, fakeGit(t, "exec sleep 1000"), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = r.Resolve(ctx, "HEAD^{/one}")
	wantFault(t, err, OverLimit)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cause %v", err)
	}
	_, err = r.Resolve(ctx, "HEAD")
	wantFault(t, err, OverLimit)
}

func TestGitOutputIsBounded(t *testing.T) {
	g := newTestGit(t)
	g.commit("one")
	for script, want := range map[string]Fault{
		"exec cat /dev/zero": OverLimit, "echo nonsense": Unsupported, "true": Unsupported, "echo secret >&2; exit 3": Unsupported, "echo secret >&2; exit 128": Unsupported,
		`case "$*" in *for-each-ref*) exit 0;; esac; echo secret >&2; exit 128`: NoRevision,
	} {
		r, err := slowOpen(t, g, fakeGit(t, script), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Resolve(t.Context(), "HEAD^{/one}")
		wantFault(t, err, want)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("standard error is in the message: %v", err)
		}
	}
}

func TestGitAnswersThatMakeNoSenseAreCorrupt(t *testing.T) {
	g := foreignRepo(t)
	id := g.oid("HEAD")
	for _, answer := range []string{
		"nonsense", id.String(), id.String() + " blob", id.String() + " blob -1", id.String() + " blob x", id.String() + " fish 3", strings.Repeat("1", 2*testSize()) + " blob 3", id.String() + " blob 99999999999999999999",
		id.String() + " blob 5",
	} {
		r, err := slowOpen(t, g, fakeGit(t, `case "$*" in *batch-command*) read q; echo "`+answer+`"; read q; echo "`+answer+`"; echo ab; exit 0;; esac; exec "$GIT" "$@"`), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Read(t.Context(), id, 1<<20)
		wantFault(t, err, Corrupt)
	}
}

func TestOldGitWithoutBatchCommand(t *testing.T) {
	g := foreignRepo(t)
	path := fakeGit(t, `case "$*" in *batch-command*) echo usage >&2; exit 129;; esac; exec "$GIT" "$@"`)
	r := g.open(path)
	id := g.oid("HEAD:f")
	if typ, size, err := r.Stat(t.Context(), id); err != nil || typ != BlobObject || size != 4 {
		t.Errorf("%s %d, %v", typ, size, err)
	}
	obj, err := r.Read(t.Context(), id, 4)
	if err != nil || string(obj.Data) != "one\n" {
		t.Errorf("%q, %v", obj.Data, err)
	}
	_, err = r.Read(t.Context(), id, 3)
	wantFault(t, err, OverLimit)
	if _, err = r.Read(t.Context(), id, 4); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	_, err = r.Read(t.Context(), BlobOID([]byte("absent"), testSize()), 4)
	wantFault(t, err, NoObject)
}

func TestGitOnARelativePathIsNotRun(t *testing.T) {
	g := foreignRepo(t)
	put(t, filepath.Join(g.dir, "git"), "#!/bin/sh\ntouch PWNED\n")
	chmod(t, filepath.Join(g.dir, "git"), 0o777)
	_, err := g.tryOpen(g.dir, "PATH=.:")
	wantFault(t, err, Unsupported)
	if exists(filepath.Join(g.dir, "PWNED")) {
		t.Error("a program of the repository ran")
	}
}
