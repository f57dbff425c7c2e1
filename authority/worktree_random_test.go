package authority

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// editor makes random edits of a repository.
type editor struct {
	*testRepo
	rnd    *rand.Rand
	log    []string
	noCRLF bool // content has no CRLF
}

func (e *editor) pick(list ...string) string { return list[e.rnd.IntN(len(list))] }

// name is a path among a few, so that edits meet.
func (e *editor) name() string {
	parts := make([]string, 1+e.rnd.IntN(3))
	for i := range parts {
		parts[i] = e.pick("a", "b", "a-b", "a.o", "x y", "ü", "B", "é\n")
	}
	return strings.Join(parts, "/")
}

// file is a file that stands there, or some name.
func (e *editor) file() string {
	var all []string
	filepath.WalkDir(e.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(e.dir, p)
			all = append(all, rel)
		}
		return nil
	})
	if len(all) == 0 {
		return e.name()
	}
	return all[e.rnd.IntN(len(all))]
}

func (e *editor) content() string {
	text := e.pick("", "1\n", "2\n", "3\n", "one\r\ntwo\r\n", "one\ntwo\n", "mixed\r\n\n", "bin\x00\r\n", strings.Repeat("long\n", 500))
	if e.noCRLF {
		return strings.ReplaceAll(text, "\r", "")
	}
	return text
}

// edits is the table of edits. Those that git refuses in the present state do
// nothing.
var edits = []func(e *editor) string{
	func(e *editor) string {
		p, c := e.path(e.name()), e.content()
		os.MkdirAll(filepath.Dir(p), 0o777)
		return fmt.Sprintf("write %q %q: %v", p, c, os.WriteFile(p, []byte(c), 0o666))
	},
	func(e *editor) string {
		p, c := e.path(e.file()), e.content()
		return fmt.Sprintf("write %q %q: %v", p, c, os.WriteFile(p, []byte(c), 0o666))
	},
	func(e *editor) string { // same size, times restored
		p := e.path(e.file())
		st, err := os.Lstat(p)
		if err != nil || !st.Mode().IsRegular() || st.Size() < 2 {
			return ""
		}
		data, _ := os.ReadFile(p)
		data[0] ^= 1
		// git as it is commonly built compares whole seconds of the change time,
		// so that it, unlike ctxptr, does not see such an edit within one second.
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
		os.WriteFile(p, data, 0o666)
		return fmt.Sprintf("same size and times %q: %v", p, os.Chtimes(p, st.ModTime(), st.ModTime()))
	},
	func(e *editor) string {
		p := e.path(e.file())
		return fmt.Sprintf("chmod %q: %v", p, os.Chmod(p, []fs.FileMode{0o644, 0o755, 0o600, 0o654}[e.rnd.IntN(4)]))
	},
	func(e *editor) string {
		from, to := e.path(e.file()), e.path(e.name())
		os.MkdirAll(filepath.Dir(to), 0o777)
		return fmt.Sprintf("rename %q %q: %v", from, to, os.Rename(from, to))
	},
	func(e *editor) string {
		p := e.path(e.name())
		os.MkdirAll(filepath.Dir(p), 0o777)
		return fmt.Sprintf("symlink %q: %v", p, os.Symlink(e.pick("a", "b", "../x", "/nowhere"), p))
	},
	func(e *editor) string { p := e.path(e.file()); return fmt.Sprintf("remove %q: %v", p, os.Remove(p)) },
	func(e *editor) string {
		p := e.path(e.name())
		return fmt.Sprintf("remove all %q: %v", p, os.RemoveAll(p))
	},
	func(e *editor) string {
		p := e.path(e.file())
		at := time.Unix(1000000000+int64(e.rnd.IntN(2)), 0)
		return fmt.Sprintf("touch %q: %v", p, os.Chtimes(p, at, at))
	},
	func(e *editor) string {
		name := filepath.Join(e.pick(".", "a", "b", "a/b"), ".gitignore")
		text := e.pick("*.o\n", "a/\n", "/b\n", "!a.o\n", "a-b\nx*\n", "**/b\n", "")
		if st, err := os.Stat(filepath.Dir(e.path(name))); err != nil || !st.IsDir() {
			return ""
		}
		return fmt.Sprintf("ignore %s %q: %v", name, text, os.WriteFile(e.path(name), []byte(text), 0o666))
	},
	func(e *editor) string {
		text := e.pick("* text=auto\n", "a* -text\n", "*.o eol=crlf\n", "")
		return fmt.Sprintf("attributes %q: %v", text, os.WriteFile(e.path(".gitattributes"), []byte(text), 0o666))
	},
	func(e *editor) string { return e.git("add", "-A") },
	func(e *editor) string { return e.git("add", "-f", "--", e.file()) },
	func(e *editor) string { return e.git("add", "-N", "--", e.file()) },
	func(e *editor) string { return e.git("rm", "-q", "-r", "--cached", "--", e.name()) },
	func(e *editor) string { return e.git("commit", "-q", "--allow-empty", "-m", "m") },
	func(e *editor) string { return e.git("update-index", "-q", "--refresh") },
	func(e *editor) string { return e.git("update-index", "--index-version", e.pick("2", "3", "4")) },
	func(e *editor) string { return e.git("update-index", e.pick("--split-index", "--no-split-index")) },
	func(e *editor) string {
		return e.git("update-index", e.pick("--skip-worktree", "--no-skip-worktree", "--no-skip-worktree"), "--", e.file())
	},
	func(e *editor) string { return e.git("reset", "-q", e.pick("--mixed", "--hard")) },
	func(e *editor) string { return e.git("stash", "-q") },
	func(e *editor) string { return e.git("gc", "-q") },
	func(e *editor) string { return e.git("config", "core.fileMode", e.pick("true", "true", "false")) },
	func(e *editor) string {
		return e.git("config", "core.autocrlf", e.pick("true", "input", "false", "false"))
	},
	func(e *editor) string {
		p := filepath.Join(e.dir, e.pick("nested", "a/nested", "a", "b", "a/b"))
		if os.MkdirAll(p, 0o777) != nil {
			return ""
		}
		inner := &testRepo{t: e.t, dir: p}
		if _, err := inner.try(nil, "init", "-q", "-b", "main"); err != nil {
			return ""
		}
		_, err := inner.try(nil, "commit", "-q", "--allow-empty", "-m", "m")
		return fmt.Sprintf("nested %s: %v", p, err)
	},
	func(e *editor) string {
		p := e.path(filepath.Join(e.pick(".", "a", "b"), "ctxptr.pins"))
		return fmt.Sprintf("pins %q: %v", p, os.WriteFile(p, []byte(e.content()), 0o666))
	},
}

func (e *editor) git(args ...string) string {
	_, err := e.try(nil, args...)
	return fmt.Sprintf("git %q: %v", args, err != nil)
}

// TestWorktreeAgainstGit edits repositories at random. After each edit the
// digest is that of the entries which git add -A makes in a scratch index.
func TestWorktreeAgainstGit(t *testing.T) {
	const repositories, each = 10, 100
	for seed := range uint64(repositories) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := &editor{testRepo: newTestRepo(t), rnd: rand.New(rand.NewPCG(seed, 21))}
			compared := 0
			for range each {
				if done := edits[e.rnd.IntN(len(edits))](e); done != "" {
					e.log = append(e.log, done)
				}
				if e.compare(t) {
					compared++
				}
				if t.Failed() {
					t.Log(strings.Join(e.log, "\n"))
					return
				}
			}
			if compared < each*2/3 {
				t.Errorf("only %d of %d states were compared", compared, each)
			}
		})
	}
}

// compare holds the digest against git's, false when git refuses the state.
func (e *editor) compare(t *testing.T) bool {
	got, err := e.identify("worktree", ".")
	want, gitErr := e.addAll()
	f, _ := errors.AsType[*Fault](err)
	switch {
	case gitErr != nil && err == nil:
		t.Errorf("git refuses, and the digest is %s: %v", got, gitErr)
	case gitErr != nil:
		return false
	case len(want) == 0:
		if f == nil || f.Code != MissingSelection {
			t.Errorf("git stores nothing, got %v, %v", got, err)
		}
	case f != nil && f.Code == StaleUnstaged && strings.Contains(e.run("ls-files", "-u"), "\t"):
		return false
	case err != nil:
		t.Errorf("git stores %d entries, got %v", len(want), err)
	case got != worktreeDigest(want):
		t.Errorf("got %s, want %s of %q", got, worktreeDigest(want), want)
	}
	return true
}
