package gitref

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkIgnore is git's own answer: "source:line:pattern" of the last pattern
// that covers each path, "" for none.
func checkIgnore(t *testing.T, g *testGit, paths []string) map[string]string {
	t.Helper()
	cmd := g.command("check-ignore", "-v", "-n", "--no-index", "-z", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatal(err)
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("check-ignore gave %d fields for %d paths", len(fields), len(paths))
	}
	answers := map[string]string{}
	for i := 0; i < len(fields); i += 4 {
		answers[fields[i+3]] = ""
		if fields[i] != "" {
			answers[fields[i+3]] = fields[i] + ":" + fields[i+1]
		}
	}
	return answers
}

// decideIgnore answers as check-ignore does, reading the ignore files by path.
func decideIgnore(t *testing.T, r *Repo, path string) string {
	t.Helper()
	scope, err := r.commonIgnores()
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; ; {
		d, err := openFolder(filepath.Join(r.Top(), path[:at]))
		if err == nil {
			data, err := r.folderIgnores(d, true, nil)
			if err != nil {
				t.Fatal(err)
			}
			scope = scope.within(data, strings.TrimSuffix(path[:at], "/"), false)
			d.release()
		}
		slash := strings.IndexByte(path[at:], '/')
		last := slash < 0
		part := path
		if !last {
			part = path[:at+slash]
		}
		st, err := os.Lstat(filepath.Join(r.Top(), part))
		list, p := scope.decide(part, err == nil && st.IsDir())
		if p != nil && (last || !p.negated) {
			return fmt.Sprintf("%s:%d", list.source, p.line)
		}
		if last {
			return ""
		}
		at += slash + 1
	}
}

// TestIgnoreAgainstGit holds generated rules and paths against git check-ignore.
func TestIgnoreAgainstGit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	names := []string{"a", "b", "foo", "bar.o", "x y", "foo.o", "a[1]", "doc", "Doc", "é", "-n", "end ", "!x", "#c", `b\s`}
	pieces := []string{"a", "b", "foo", "*", "**", "?", "[ab]", "[!a]", "[a-f]*", "*.o", "foo*", "*o", "/", "/", "/", `\*`, `\ `, " ", "!", `\!x`, `\#c`, "#", "bar.o", "doc/", "**/foo", "a/**", "a/**/b", "[[:alpha:]]", "[", `\`, "x y", "end\\ ", "end "}
	covered := 0
	for round := range 40 {
		g := newTestGit(t)
		var paths []string
		for range 30 {
			parts := make([]string, 1+rnd.IntN(4))
			for i := range parts {
				parts[i] = names[rnd.IntN(len(names))]
			}
			p := strings.Join(parts, "/")
			full := filepath.Join(g.dir, p)
			if os.MkdirAll(filepath.Dir(full), 0o777) == nil {
				_ = os.WriteFile(full, nil, 0o666) // where a folder stands, the folder is asked about
			}
			paths = append(paths, p)
		}
		rules := func() string {
			var b strings.Builder
			for range 1 + rnd.IntN(5) {
				line := ""
				for range 1 + rnd.IntN(4) {
					line += pieces[rnd.IntN(len(pieces))]
				}
				b.WriteString(plainStars(line))
				b.WriteString([]string{"\n", "\n", "\n", "\r\n", "  \n"}[rnd.IntN(5)])
			}
			return strings.TrimSuffix(b.String(), []string{"", "\n"}[rnd.IntN(2)])
		}
		g.write(".gitignore", rules())
		for _, dir := range []string{"a", "foo", "a/b", "doc"} {
			if st, err := os.Lstat(filepath.Join(g.dir, dir)); err == nil && st.IsDir() && rnd.IntN(2) == 0 {
				g.write(dir+"/.gitignore", "\ufeff"[:3*rnd.IntN(2)]+rules())
			}
		}
		g.write(".git/info/exclude", rules())
		g.write("user-ignore", rules())
		g.run("config", "core.excludesFile", filepath.Join(g.dir, "user-ignore"))
		r := g.open()
		paths = slices.DeleteFunc(paths, func(p string) bool {
			_, err := os.Lstat(filepath.Join(g.dir, p))
			return err != nil
		})
		slices.Sort(paths)
		paths = slices.Compact(paths)
		want := checkIgnore(t, g, paths)
		for _, p := range paths {
			if want[p] != "" {
				covered++
			}
			if got := decideIgnore(t, r, p); got != want[p] {
				t.Errorf("round %d: %q: got %q, git says %q\n%s", round, p, got, want[p], g.rulesText())
			}
		}
	}
	if covered < 200 {
		t.Errorf("only %d paths were covered by a rule", covered)
	}
}

func (g *testGit) rulesText() string {
	var b strings.Builder
	for _, name := range []string{".gitignore", "a/.gitignore", "foo/.gitignore", "a/b/.gitignore", ".git/info/exclude", "user-ignore"} {
		if data, err := os.ReadFile(filepath.Join(g.dir, name)); err == nil {
			fmt.Fprintf(&b, "%s: %q\n", name, data)
		}
	}
	return b.String()
}
