package resolver

import "testing"

// TestSlashes holds how path arguments with the system's separator become locators:
// on Windows a backslash separates, elsewhere it is a byte of a name.
func TestSlashes(t *testing.T) {
	windows, unix := targetPaths{separator: '\\'}, targetPaths{separator: '/'}
	for _, c := range []struct {
		paths    targetPaths
		text     string
		file, at string // what the first reading and the one in git name
	}{
		{windows, `HEAD:docs\SPEC.md`, `HEAD:docs/SPEC.md`, `HEAD:docs/SPEC.md`},
		{windows, `HEAD:docs/a\b.md`, `HEAD:docs/a/b.md`, `HEAD:docs/a/b.md`},
		{windows, `docs\SPEC.md`, `docs/SPEC.md`, ``},
		{unix, `HEAD:docs\SPEC.md`, `HEAD:docs\SPEC.md`, `HEAD:docs\SPEC.md`},
		{unix, `docs\SPEC.md`, `docs\SPEC.md`, ``},
	} {
		list := c.paths.meanings(c.text)
		if list[0].locator != c.file {
			t.Errorf("%q is the file %q, want %q", c.text, list[0].locator, c.file)
		}
		at := ""
		for _, m := range list {
			if m.kind == "git" {
				at = m.locator
			}
		}
		if at != c.at {
			t.Errorf("%q is %q in git, want %q", c.text, at, c.at)
		}
	}
}
