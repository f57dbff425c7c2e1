package gitref

import (
	"path/filepath"
	"testing"
)

func TestUnreadableFilesAreDenied(t *testing.T) {
	g := newTestGit(t)
	g.write("d/f", "x\n")
	g.write("d/.gitattributes", "f text\n")
	g.commit("c")
	g.run("branch", "x")
	chmod(t, filepath.Dir(g.dir), 0o755)
	ask := map[string]func(r *Repo) error{
		".git/index":           func(r *Repo) error { _, err := r.Index(t.Context(), "d/f"); return err },
		".git/refs/heads/x":    func(r *Repo) error { _, err := r.Ref(t.Context(), "refs/heads/x"); return err },
		".git/packed-refs":     func(r *Repo) error { _, err := r.Ref(t.Context(), "refs/heads/none"); return err },
		".git/shallow":         func(r *Repo) error { _, err := r.Resolve(t.Context(), "HEAD~1"); return err },
		"d/.gitattributes":     func(r *Repo) error { _, err := r.ToGit(t.Context(), "d/f", nil); return err },
		".git/info/attributes": func(r *Repo) error { _, err := r.ToGit(t.Context(), "d/f", nil); return err },
	}
	put(t, filepath.Join(g.dir, ".git/packed-refs"), "")
	put(t, filepath.Join(g.dir, ".git/shallow"), "")
	for name := range ask {
		if !exists(filepath.Join(g.dir, name)) {
			put(t, filepath.Join(g.dir, name), "")
		}
	}
	for name, f := range ask {
		chmod(t, filepath.Join(g.dir, name), 0)
		asNobody(t, func() {
			r, err := g.tryOpen(g.dir)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if err := f(r); faultIn(err) != Denied {
				t.Errorf("%s: %v", name, err)
			}
		})
		chmod(t, filepath.Join(g.dir, name), 0o644)
	}
	for _, name := range []string{".git/config", ".git"} {
		chmod(t, filepath.Join(g.dir, name), 0)
		asNobody(t, func() {
			if _, err := g.tryOpen(g.dir); faultIn(err) != Denied && (name != ".git" || faultIn(err) != NoRepository) {
				t.Errorf("%s: %v", name, err)
			}
		})
		chmod(t, filepath.Join(g.dir, name), 0o755)
	}
}

// TestUnreadableHome demands that the rules of a home that may not be entered are none,
// as for git, which only warns: a container's user often has the home of another.
func TestUnreadableHome(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "x\n")
	g.commit("c")
	chmod(t, filepath.Dir(g.dir), 0o755)
	home := filepath.Join(t.TempDir(), "home")
	put(t, filepath.Join(home, ".config/git/ignore"), "*\n")
	put(t, filepath.Join(home, ".config/git/attributes"), "* text\n")
	ask := func() (ignored bool) {
		r, err := g.tryOpen(g.dir, "HOME="+home)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := r.commonIgnores()
		if err != nil {
			t.Error(err)
		}
		stored, err := r.ToGit(t.Context(), "new", []byte("x\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		if converted := string(stored.Data) == "x\n"; converted != rules.ignores("f", false) {
			t.Error("only one of ignore and attributes was read")
		}
		return rules.ignores("f", false)
	}
	if !ask() {
		t.Error("the rules of the home are not read where they can be")
	}
	for _, name := range []string{".config/git/ignore", ".config/git/attributes", ""} {
		chmod(t, filepath.Join(home, name), 0)
	}
	asNobody(t, func() {
		if ask() {
			t.Error("an unreadable home has rules")
		}
	})
	chmod(t, home, 0o755)
}
