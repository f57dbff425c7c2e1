package gitref

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gitBinary runs the installed git for what is not read natively. Only commands
// that read are ever run, and nothing the repository's own configuration names:
// no fsmonitor, no filter, no hook, no transport.
type gitBinary struct {
	path    string
	dir     string // folder to run in
	env     []string
	timeout time.Duration
	session bool // run in a session of its own, without a terminal, and end it whole
}

// The commands a gitBinary may run, by what they answer for.
const (
	gitRevParse   = "rev-parse"
	gitCatFile    = "cat-file"
	gitForEachRef = "for-each-ref"
	gitMergeBase  = "merge-base"
	gitLsFiles    = "ls-files"
	gitLsRemote   = "ls-remote"
)

const (
	defaultTimeout = 30 * time.Second
	maxShortOutput = 1 << 20
	maxListOutput  = 1 << 30
)

// passedOn are the variables git takes over from the surroundings: how to find
// the user's configuration, and where this repository's parts are.
var passedOn = [...]string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SYSTEMROOT",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_INDEX_FILE",
}

// newGitBinary prepares the git on PATH for the repository, nil when there is
// none.
func newGitBinary(r *Repo, timeout time.Duration) *gitBinary {
	path := r.env.gitPath()
	if path == "" {
		return nil
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	g := &gitBinary{path: path, dir: r.loc.cwd, timeout: timeout}
	for _, name := range passedOn {
		if v := r.env.get(name); v != "" {
			g.env = append(g.env, name+"="+v)
		}
	}
	g.env = append(g.env, countedEnv(r.env)...)
	g.env = append(g.env, "GIT_DIR="+r.loc.gitDir,
		"LC_ALL=C", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_GRAFT_FILE="+os.DevNull, "GIT_NO_REPLACE_OBJECTS=1", "GIT_PAGER=cat")
	if r.loc.top != "" {
		g.env = append(g.env, "GIT_WORK_TREE="+r.loc.top)
	} else {
		g.env = append(g.env, "GIT_IMPLICIT_WORK_TREE=0")
	}
	return g
}

// countedEnv is the numbered part of GIT_CONFIG_COUNT, which loadConfig has
// checked or will.
func countedEnv(env *environment) []string {
	count, err := countedConfig(env)
	if err != nil {
		return nil
	}
	var out []string
	for i := range count {
		n := strconv.Itoa(i)
		out = append(out, "GIT_CONFIG_KEY_"+n+"="+env.get("GIT_CONFIG_KEY_"+n), "GIT_CONFIG_VALUE_"+n+"="+env.get("GIT_CONFIG_VALUE_"+n))
	}
	return out
}

func (g *gitBinary) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.path, append([]string{"-c", "core.fsmonitor=false", "--no-replace-objects"}, args...)...)
	cmd.Dir, cmd.Env = dir, g.env
	cmd.WaitDelay = time.Second
	if g.session {
		ownSession(cmd)
	}
	return cmd
}

// gitFailure is git's exit status. What git wrote to standard error is not kept:
// it may hold file content and paths.
type gitFailure struct{ code int }

func (e *gitFailure) Error() string { return "git ended with status " + strconv.Itoa(e.code) }

// run runs one command within the time limit and returns at most limit bytes of
// output. The error is a *gitFailure when git itself says no.
func (g *gitBinary) run(ctx context.Context, dir string, limit int64, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	cmd := g.command(ctx, dir, args...)
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, notRunnable(args[0], err)
	}
	out, readErr := io.ReadAll(io.LimitReader(pipe, limit+1))
	if int64(len(out)) > limit {
		cancel()
		_ = cmd.Wait()
		return nil, &Error{Fault: OverLimit, Subject: "git " + args[0], Proof: "git's answer is longer than its bound"}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, &Error{Fault: OverLimit, Subject: "git " + args[0], Proof: "git did not answer within the time limit", Err: ctx.Err()}
	case err == nil && readErr == nil:
		return out, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, &gitFailure{code: exit.ExitCode()}
	}
	return nil, notRunnable(args[0], errors.Join(err, readErr))
}

// complains reports whether a command writes error messages besides the one it
// ends with. Their text is not looked at.
func (g *gitBinary) complains(args ...string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), g.timeout)
	defer cancel()
	cmd := g.command(ctx, g.dir, args...)
	said := &errorLines{}
	cmd.Stderr = said
	_ = cmd.Run()
	return said.found || ctx.Err() != nil
}

// errorLines notes whether a line begins with "error:", as git marks a failure it
// goes on after.
type errorLines struct {
	line  []byte
	found bool
}

func (e *errorLines) Write(p []byte) (int, error) {
	const mark = "error:"
	for _, c := range p {
		if len(e.line) < len(mark) {
			e.line = append(e.line, c)
			e.found = e.found || string(e.line) == mark
		}
		if c == '\n' {
			e.line = e.line[:0]
		}
	}
	return len(p), nil
}

func notRunnable(command string, err error) *Error {
	return &Error{Fault: Unsupported, Subject: "git " + command, Proof: "the installed git cannot be run", Err: err}
}

// accepts runs a command that succeeds in every repository git can read.
func (g *gitBinary) accepts(ctx context.Context) error {
	_, err := g.run(ctx, g.dir, maxShortOutput, gitForEachRef, "--count=1", "--format=%(refname)")
	return err
}

// resolveByGit resolves the forms that search reflogs or commit messages.
func (r *Repo) resolveByGit(ctx context.Context, rev string) (Revision, error) {
	git := r.binary()
	if git == nil {
		return Revision{}, &Error{Fault: Unsupported, Subject: rev, Proof: "this form of revision needs an installed git, and none is installed"}
	}
	if err := r.ambiguousBase(ctx, rev); err != nil {
		return Revision{}, err
	}
	out, err := git.run(ctx, r.loc.from, maxShortOutput, gitRevParse, "--verify", "--end-of-options", rev)
	if _, refused := errors.AsType[*gitFailure](err); refused {
		if err := r.acceptedBy(ctx, git); err != nil {
			return Revision{}, err
		}
		return Revision{}, noRevision(rev)
	}
	if err != nil {
		return Revision{}, err
	}
	id, err := ParseOID(strings.TrimSuffix(string(out), "\n"))
	if err != nil {
		return Revision{}, &Error{Fault: Unsupported, Subject: rev, Proof: "the installed git gave an answer that is not one object id", Err: err}
	}
	typ, _, err := r.objects.stat(id)
	return Revision{OID: id, Type: typ}, err
}

// ambiguousBase refuses name@{…} whose name stands for several refs that have a
// reflog, and name^{/…} whose name stands for several refs, where git would take
// the first.
func (r *Repo) ambiguousBase(ctx context.Context, rev string) error {
	base, _, reflog := strings.Cut(rev, "@{")
	if i := strings.IndexAny(base, "^~:"); i >= 0 {
		base, reflog = base[:i], false
	}
	if base == "" {
		return nil
	}
	_, err := revEvaluator{r: r, ctx: ctx}.basic(base)
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Fault != AmbiguousRef {
		return nil
	}
	if reflog {
		e.Candidates = slices.DeleteFunc(e.Candidates, func(name string) bool { return !r.hasReflog(name) })
	}
	if len(e.Candidates) < 2 {
		return nil
	}
	return e
}

func (r *Repo) hasReflog(name string) bool {
	if r.format.reftable() {
		git := r.binary()
		_, err := git.run(context.Background(), git.dir, maxShortOutput, gitRevParse, "--verify", "--end-of-options", name+"@{0}")
		return err == nil
	}
	dir := r.loc.commonDir
	if perWorktree(name) {
		dir = r.loc.gitDir
	}
	return exists(filepath.Join(dir, "logs", filepath.FromSlash(name)))
}
