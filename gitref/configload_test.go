package gitref

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// compareConfig compares every variable in force with git config --list.
func compareConfig(t *testing.T, g *testGit, r *Repo, env ...string) {
	t.Helper()
	cmd := g.command("config", "--list", "-z", "--includes")
	cmd.Env = withVariables(cmd.Env, env)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	config, err := r.settings()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range config.vars {
		b.WriteString(v.key)
		if !v.implicit {
			b.WriteString("\n" + v.value)
		}
		b.WriteByte(0)
	}
	// The helper's own -c options stand last in git's list.
	want, _, _ := strings.Cut(string(out), "gc.auto\n0")
	got, wanted := strings.Split(b.String(), "\x00"), strings.Split(want, "\x00")
	for i := range min(len(got), len(wanted)) {
		if got[i] != wanted[i] {
			t.Errorf("variable %d: read %q, git has %q", i, got[i], wanted[i])
			return
		}
	}
	if len(got) != len(wanted) {
		t.Errorf("read %d variables, git has %d", len(got), len(wanted))
	}
}

func TestConfigurationInForceEqualsGit(t *testing.T) {
	g := newTestGit(t)
	home := t.TempDir()
	put(t, filepath.Join(home, ".gitconfig"), "[user]\n\tname = g\n[include]\n\tpath = inc/a\n\tpath = ~/inc/b\n\tpath = nowhere\n[core]\n\tautocrlf = input\n")
	put(t, filepath.Join(home, ".config/git/config"), "[user]\n\tname = x\n")
	put(t, filepath.Join(home, "xdg/git/config"), "[user]\n\tname = y\n")
	put(t, filepath.Join(home, "system"), "[sys]\n\ta = 1\n")
	put(t, filepath.Join(home, "inc/a"), "[a]\n\tb = 1\n[include]\n\tpath = b\n")
	put(t, filepath.Join(home, "inc/b"), "[b]\n\tc = 1\n")
	put(t, filepath.Join(g.dir, ".git/here"), "[here]\n\ta = 1\n")
	var cond strings.Builder
	for _, c := range []string{
		"gitdir:" + g.dir + "/", "gitdir:" + g.dir + "/.git", "gitdir:" + g.dir, "gitdir:./", "gitdir:./.git", "gitdir:~/", "gitdir:.git", "gitdir:git", "gitdir:**/.git",
		"gitdir:" + strings.ToUpper(g.dir) + "/", "gitdir/i:" + strings.ToUpper(g.dir) + "/", "gitdir/i:.GIT", "gitdir:*/.git", "gitdir:" + filepath.Dir(g.dir) + "/*/.git",
		"onbranch:main", "onbranch:m*", "onbranch:topic/", "onbranch:ma", "hasconfig:remote.*.url:https://example.org/**", "hasconfig:remote.*.url:https://example.org/", "hasconfig:remote.*.url:ssh*", "unknown:x", "gitdir",
	} {
		name := strings.NewReplacer("/", "_", "*", "S", ":", "-").Replace(c)
		put(t, filepath.Join(g.dir, ".git/cond", name), "[cond]\n\tmet = "+name+"\n")
		cond.WriteString("[includeIf \"" + c + "\"]\n\tpath = cond/" + name + "\n")
	}
	put(t, filepath.Join(g.dir, ".git/more"), cond.String())
	g.run("config", "include.path", "more")
	g.run("config", "remote.o.url", "https://example.org/x")
	for _, env := range [][]string{
		{"HOME=" + home},
		{"HOME=" + home, "GIT_CONFIG_GLOBAL"},
		{"HOME=" + home, "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME=" + home + "/xdg"},
		{"HOME=" + home, "GIT_CONFIG_GLOBAL=" + home + "/.gitconfig", "GIT_CONFIG_NOSYSTEM=0", "GIT_CONFIG_SYSTEM=" + home + "/system"},
		{"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=Core.EOL", "GIT_CONFIG_VALUE_0=crlf", "GIT_CONFIG_KEY_1=a.B c.D", "GIT_CONFIG_VALUE_1="},
		{"GIT_CONFIG_PARAMETERS='core.EOL'='lf' 'x.y' 'a.b=it'\\''s'"},
	} {
		compareConfig(t, g, g.open(env...), env...)
	}
	g.run("checkout", "-q", "--orphan", "topic/x")
	compareConfig(t, g, g.open())
	g.run("config", "extensions.worktreeConfig", "true")
	g.run("config", "--worktree", "own.key", "1")
	g.run("config", "core.repositoryformatversion", "1")
	compareConfig(t, g, g.open())
	if config, err := g.open().settings(); err != nil || len(config.vars) < 30 {
		t.Errorf("%v, or too few variables", err)
	}
}

func TestConfigurationGitRefusesIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"syntax": "[core\n", "relative include of nothing": "[include]\n\tpath\n", "bad version": "[core]\n\trepositoryformatversion = x\n",
		"bad bare": "[core]\n\tbare = perhaps\n", "include loop": "[include]\n\tpath = config\n", "no such user": "[include]\n\tpath = ~nosuchuser/x\n",
		"version without value": "[core]\n\trepositoryformatversion\n", "bad extension": "[extensions]\n\tpreciousObjects = perhaps\n",
	} {
		g := newTestGit(t)
		put(t, filepath.Join(g.dir, ".git/config"), text)
		wantFault(t, configError(g), Corrupt)
		if g.code("rev-parse", "--git-dir") == 0 && g.code("config", "--list", "--includes") == 0 {
			t.Errorf("%s: git reads it", name)
		}
	}
	g := newTestGit(t)
	for _, env := range [][]string{
		{"GIT_CONFIG_COUNT=x"}, {"GIT_CONFIG_COUNT=1"}, {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=nodot"}, {"GIT_CONFIG_PARAMETERS=bare"}, {"GIT_CONFIG_PARAMETERS='a.b'='c"},
		{"GIT_CONFIG_NOSYSTEM=perhaps"},
	} {
		err := configError(g, env...)
		if err == nil || accepts(g, g.dir, append(env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=0")...) && g.codeWith(env, "config", "--list") == 0 {
			t.Errorf("%v: %v", env, err)
		}
	}
}

// configError is what opening the repository and asking for its configuration
// says.
func configError(g *testGit, env ...string) error {
	r, err := g.tryOpen(g.dir, env...)
	if err != nil {
		return err
	}
	_, err = r.settings()
	return err
}

// codeWith is git's exit status under further variables.
func (g *testGit) codeWith(env []string, args ...string) int {
	g.t.Helper()
	saved := g.env
	defer func() { g.env = saved }()
	g.env = append(g.env[:len(g.env):len(g.env)], env...)
	return g.code(args...)
}

// A name without "=" is taken out of git's environment.
func withVariables(base, env []string) []string {
	var out []string
	for _, v := range base {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(env, name) {
			out = append(out, v)
		}
	}
	for _, v := range env {
		if strings.Contains(v, "=") {
			out = append(out, v)
		}
	}
	return out
}
