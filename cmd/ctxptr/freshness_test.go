package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// forge is a project with a shared repository and pull requests, on a path that
// breaks a script which does not quote.
type forge struct {
	t      *testing.T
	remote string // the bare repository
	work   string // where the author works
	env    []string
}

const specification = "# Spec\n\n- AC-1: one\n- AC-2: two\n"

func newForge(t *testing.T) *forge {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a b\nc")
	f := &forge{t: t, remote: filepath.Join(dir, "remote.git"), work: filepath.Join(dir, "work")}
	f.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files", "GIT_CEILING_DIRECTORIES="+dir,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
		"GIT_AUTHOR_DATE=2005-04-07T22:13:13Z", "GIT_COMMITTER_DATE=2005-04-07T22:13:13Z",
		"GITHUB_ACTIONS=", "GITHUB_BASE_REF=", "GITHUB_STEP_SUMMARY=", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=")
	if err := os.MkdirAll(f.work, 0o777); err != nil {
		t.Fatal(err)
	}
	f.git(dir, "init", "-q", "--bare", "-b", "main", f.remote)
	f.git(f.work, "init", "-q", "-b", "main")
	f.git(f.work, "remote", "add", "origin", f.remote)
	f.history(400)
	f.write("SPEC.md", specification)
	f.write("plan.md", "see "+f.mint("SPEC.md#AC-1")+"\n")
	f.commit("the specification and a plan")
	f.git(f.work, "push", "-q", "origin", "main")
	return f
}

func (f *forge) git(dir string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, f.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *forge) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.work, name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

func (f *forge) mint(args ...string) string {
	f.t.Helper()
	cmd := exec.Command("ctxptr", append([]string{"mint"}, args...)...)
	cmd.Dir, cmd.Env = f.work, f.env
	out, err := cmd.Output()
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// history begins main with so many commits.
func (f *forge) history(commits int) {
	f.t.Helper()
	var stream strings.Builder
	for i := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter C <c@example.com> %d +0000\ndata 0\nM 100644 inline early\ndata 4\n%04d\n", 1e9+i, i)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = f.work, f.env, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Fatalf("%v\n%s", err, out)
	}
	f.git(f.work, "reset", "-q", "--hard")
}

func (f *forge) commit(message string) {
	f.t.Helper()
	f.git(f.work, "add", "-A")
	f.git(f.work, "commit", "-q", "--allow-empty", "-m", message)
}

// pull makes a change as from a fork: no branch here holds it, only refs/pull/1/head
// and the merge that a forge offers as refs/pull/1/merge. ahead commits come to main
// meanwhile.
func (f *forge) pull(ahead int, change func()) {
	f.t.Helper()
	f.git(f.work, "checkout", "-q", "-b", "topic")
	change()
	f.commit("the change")
	f.git(f.work, "checkout", "-q", "main")
	for i := range ahead {
		f.commit(fmt.Sprint("elsewhere ", i))
	}
	f.git(f.work, "push", "-q", "origin", "main")
	f.git(f.work, "checkout", "-q", "--detach")
	f.git(f.work, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	f.git(f.work, "push", "-q", "origin", "HEAD:refs/pull/1/merge", "topic:refs/pull/1/head")
}

// checkout makes the checkout that a service does of one ref: its tip alone.
func (f *forge) checkout(ref string) string {
	f.t.Helper()
	dir := filepath.Join(f.t.TempDir(), "check out")
	f.git(f.work, "init", "-q", "-b", "main", dir)
	f.git(dir, "remote", "add", "origin", "file://"+f.remote)
	f.git(dir, "fetch", "-q", "--no-tags", "--depth=1", "origin", "+"+ref+":refs/remotes/pull/1/merge")
	f.git(dir, "checkout", "-q", "--detach", "refs/remotes/pull/1/merge")
	return dir
}

// freshness runs ci-freshness in a checkout.
func (f *forge) freshness(shell []string, dir string, env []string, args ...string) ran {
	f.t.Helper()
	return f.run("ci-freshness", shell, dir, env, args...)
}

// run runs a script in a folder.
func (f *forge) run(name string, shell []string, dir string, env []string, args ...string) ran {
	f.t.Helper()
	script, err := filepath.Abs(filepath.Join(repositoryRoot, "scripts", name))
	if err != nil {
		f.t.Fatal(err)
	}
	argv := append(append(append([]string{}, shell...), script), args...)
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(append(append([]string{}, f.env...), "TMPDIR="+f.t.TempDir()), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if _, exited := errors.AsType[*exec.ExitError](err); !exited {
			f.t.Fatal(err)
		}
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// github are the variables of a pull request's run.
var github = []string{"GITHUB_ACTIONS=true", "GITHUB_BASE_REF=main"}

func (f *forge) expect(got ran, code int, parts ...string) {
	f.t.Helper()
	if got.code != code {
		f.t.Errorf("exit %d, want %d\n%s%s", got.code, code, got.out, got.err)
	}
	for _, part := range parts {
		if !strings.Contains(got.out+got.err, part) {
			f.t.Errorf("%q is not said:\n%s%s", part, got.out, got.err)
		}
	}
}

func eachScriptShell(t *testing.T, test func(t *testing.T, shell []string)) {
	for _, shell := range scriptShells {
		t.Run(strings.Join(shell, " "), func(t *testing.T) { test(t, shell) })
	}
}

// TestFreshnessOfAPullRequest changes a requirement that a plan points at.
func TestFreshnessOfAPullRequest(t *testing.T) {
	f := newForge(t)
	f.pull(60, func() { f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1)) })
	eachScriptShell(t, func(t *testing.T, shell []string) {
		f.t = t
		dir := f.checkout("refs/pull/1/merge")
		summary, report := filepath.Join(t.TempDir(), "the summary"), filepath.Join(t.TempDir(), "code scanning.sarif")
		if err := os.WriteFile(summary, []byte("before\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		got := f.freshness(shell, dir, append(github, "GITHUB_STEP_SUMMARY="+summary, "CTXPTR_REPORT=sarif:"+report))
		f.expect(got, 1, "\nBLOCKED stale:identity SPEC.md#item=AC-1: do not act on it; return this record\n",
			"\n::error file=SPEC.md,line=3,endLine=3,title=1 pointer to this no longer holds::plan.md:1:5 stale:identity SPEC.md#item=AC-1\n")
		if fetched := f.git(dir, "rev-list", "--count", "--all"); len(fetched) != 3 || fetched > "320" {
			t.Errorf("%s commits of 464 are fetched, and the comparison needs less than 320", fetched)
		}
		for name, want := range map[string]string{summary: "before\n### ctxptr: 1 reference, 0 resolved, 1 blocked\n", report: `"ruleId":"stale:identity"`} {
			if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), want) {
				t.Errorf("%s holds %q (%v)", name, data, err)
			}
		}
	})
}

// TestFreshnessOfWhatDoesNotTouch changes what nothing points at, and what it
// accepts.
func TestFreshnessOfWhatDoesNotTouch(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f *forge)
		parts  []string
	}{
		"elsewhere": {func(f *forge) { f.write("other.md", "other\n") }, []string{"1 untouched and skipped"}},
		"accepted": {func(f *forge) {
			f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1))
			f.write("plan.md", "see "+f.mint("SPEC.md#AC-1")+"\n")
		}, []string{"::notice file=plan.md,line=1,endLine=1,title=accepted::accepted plan.md:1 → SPEC.md#item=AC-1 (+1 −1)"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newForge(t)
			f.pull(2, func() { c.change(f) })
			eachScriptShell(t, func(t *testing.T, shell []string) {
				f.t = t
				f.expect(f.freshness(shell, f.checkout("refs/pull/1/merge"), github), 0, c.parts...)
			})
		})
	}
}

// TestFreshnessFetchesAllHistory has a pointer that only the whole history proves:
// that a commit lies on main.
func TestFreshnessFetchesAllHistory(t *testing.T) {
	f := newForge(t)
	f.write("log.md", "made from "+f.mint("--kind", "commit", "--pin", "--fresh", "immutable+reachable_from=HEAD", "main~140")+"\n")
	f.commit("a log")
	f.pull(1, func() {
		f.write("log.md", "once more: "+f.mint("--kind", "commit", "--pin", "--fresh", "immutable+reachable_from=HEAD", "main~130")+"\n")
	})
	eachScriptShell(t, func(t *testing.T, shell []string) {
		f.t = t
		dir := f.checkout("refs/pull/1/merge")
		f.expect(f.freshness(shell, dir, github), 0, "ctxptr: ", "resolved")
	})
}

// TestFreshnessElsewhere tries the other ways in which a service checks out and
// says what to compare with.
func TestFreshnessElsewhere(t *testing.T) {
	f := newForge(t)
	f.pull(3, func() { f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1)) })
	f.git(f.work, "push", "-q", "origin", "main:refs/heads/long/lived", "topic:refs/heads/topic")
	const blocked = "plan.md:1:5: BLOCKED stale:identity SPEC.md#item=AC-1: do not act on it"
	for _, shell := range scriptShells[1:3] {
		for name, c := range map[string]struct {
			ref  string
			env  []string
			args []string
			code int
			says string
		}{
			"merge request":   {"refs/heads/topic", []string{"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"}, nil, 1, blocked},
			"a branch":        {"refs/heads/topic", []string{"CTXPTR_BASE=long/lived"}, nil, 1, blocked},
			"a commit":        {"refs/heads/topic", []string{"CTXPTR_BASE=" + f.git(f.work, "rev-parse", "main")}, nil, 1, blocked},
			"no comparison":   {"refs/heads/topic", nil, nil, 1, blocked},
			"all of a branch": {"refs/heads/main", []string{"CTXPTR_BASE="}, nil, 0, ": 1 ok"},
			"one file":        {"refs/heads/topic", []string{"CTXPTR_BASE=main"}, []string{"SPEC.md"}, 2, "no pointer was found"},
			"old protocol":    {"refs/pull/1/merge", append(github, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.version", "GIT_CONFIG_VALUE_0=0"), nil, 1, "::error file=SPEC.md"},
			"no such base":    {"refs/heads/topic", []string{"CTXPTR_BASE=nope"}, nil, 2, "the base cannot be fetched"},
			"no such remote":  {"refs/heads/topic", []string{"CTXPTR_BASE=main", "CTXPTR_REMOTE=nope"}, nil, 2, "the base cannot be fetched"},
			"an option":       {"refs/heads/topic", []string{"CTXPTR_BASE=--upload-pack=touch x"}, nil, 2, "begins with -"},
			"no report":       {"refs/heads/topic", []string{"CTXPTR_REPORT=sarif"}, nil, 2, "CTXPTR_REPORT is FORMAT:FILE"},
			"no format":       {"refs/heads/topic", []string{"CTXPTR_FORMAT=nope"}, nil, 2, "a format is text"},
		} {
			t.Run(shell[0]+" "+name, func(t *testing.T) {
				f.t = t
				f.expect(f.freshness(shell, f.checkout(c.ref), c.env, c.args...), c.code, c.says)
			})
		}
	}
}

// TestFreshnessOfABranchThatMovedOn asks a remote that gives no commit by its id for
// one that is no tip any more.
func TestFreshnessOfABranchThatMovedOn(t *testing.T) {
	f := newForge(t)
	f.git(f.work, "checkout", "-q", "-b", "topic")
	f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1))
	f.commit("the change")
	f.git(f.work, "push", "-q", "origin", "topic")
	dir := f.checkout("refs/heads/topic")
	f.commit("more")
	f.git(f.work, "push", "-q", "origin", "topic")
	old := []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.version", "GIT_CONFIG_VALUE_0=0"}
	f.expect(f.freshness([]string{"sh"}, dir, append(old, "CTXPTR_BASE=main")), 1, "plan.md:1:5: BLOCKED stale:identity")
}

// TestFreshnessGivesUp has a remote that is gone, and one that is shallow itself: the
// missing history stays missing, and is said.
func TestFreshnessGivesUp(t *testing.T) {
	f := newForge(t)
	f.pull(60, func() { f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1)) })
	dir := f.checkout("refs/pull/1/merge")
	f.git(dir, "fetch", "-q", "--depth=1", "origin", "main")
	base := "CTXPTR_BASE=" + f.git(dir, "rev-parse", "FETCH_HEAD")
	f.git(dir, "remote", "set-url", "origin", filepath.Join(f.work, "gone"))
	f.expect(f.freshness([]string{"sh"}, dir, []string{base}), 2, "history cannot be fetched")

	cut := filepath.Join(t.TempDir(), "cut.git")
	f.git(f.work, "clone", "-q", "--bare", "--depth=1", "--no-single-branch", "file://"+f.remote, cut)
	f.git(f.work, "--git-dir", cut, "fetch", "-q", "--depth=1", "origin", "refs/pull/1/merge:refs/pull/1/merge")
	f.remote = cut
	f.expect(f.freshness([]string{"sh"}, f.checkout("refs/pull/1/merge"), github), 2, "history cannot be fetched")
}

// TestFreshnessOfUnrelatedHistories has nothing to compare.
func TestFreshnessOfUnrelatedHistories(t *testing.T) {
	f := newForge(t)
	f.git(f.work, "checkout", "-q", "--orphan", "other")
	f.commit("unrelated")
	f.git(f.work, "push", "-q", "origin", "other")
	got := f.freshness([]string{"sh"}, f.checkout("refs/heads/other"), []string{"CTXPTR_BASE=main"})
	f.expect(got, 2, "no common ancestor")
}
