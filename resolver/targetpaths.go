package resolver

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ctxptr/authority"
)

// targetPaths turns path arguments, relative to a folder, into paths relative
// to the root; both are absolute.
type targetPaths struct {
	root, folder string
	prefix       func() string // the root's path from the top of its repository, with a / behind it
	separator    rune          // of the system's paths, which arguments may hold; locators have slashes
}

func targetPathsIn(ctx context.Context, w *authority.Workspace, folder string) targetPaths {
	return targetPaths{w.Dir(), folder, func() string { return w.Prefix(ctx) }, filepath.Separator}
}

// meanings lists the readings of text, the longest path first.
func (t targetPaths) meanings(text string) []meaning {
	list := t.readings(text, "", false)
	for i := strings.LastIndexByte(text, '#'); i >= 0; i = strings.LastIndexByte(text[:i], '#') {
		if fragment := text[i+1:]; fragment != "" {
			list = append(list, t.readings(text[:i], fragment, false)...)
		}
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if span, ok := lineSpan(text[i+1:]); ok {
			list = append(list, t.readings(text[:i], span, true)...)
		}
	}
	return list
}

func (t targetPaths) readings(base, fragment string, lines bool) []meaning {
	locator, ok := t.inRoot(base)
	list := []meaning{{t.kindAt(locator), locator, fragment, lines, !ok}}
	// On Windows C:\a is a path, whatever branch is named C.
	if revision, p, found := strings.Cut(base, ":"); found && filepath.VolumeName(base) == "" {
		p, ok := t.inRepository(t.slashes(p))
		list = append(list, meaning{"git", revision + ":" + p, fragment, lines, !ok})
	}
	return list
}

// inRepository turns a path behind a revision into one from the top of the
// repository, false when it leaves the root.
func (t targetPaths) inRepository(p string) (string, bool) {
	if t.root == "" || !strings.HasPrefix(p, "./") && !strings.HasPrefix(p, "../") {
		return p, true
	}
	p, ok := t.inRoot(p)
	return strings.TrimSuffix(t.prefix()+strings.TrimPrefix(p, "."), "/"), ok
}

// linesAt returns where digits stand that were meant as lines of something that
// stands, but are none; else 0.
func (t targetPaths) linesAt(ctx context.Context, w *authority.Workspace, text string) int {
	path := strings.TrimRight(text, "0123456789-:")
	if !strings.HasPrefix(text[len(path):], ":") {
		return 0
	}
	for _, m := range t.readings(path, "", false) {
		if _, err := m.wanted(ctx, w); err == nil {
			return len(path) + 1
		}
	}
	return 0
}

// slashes spells a path argument as locators do.
func (t targetPaths) slashes(p string) string {
	if t.separator != '\\' {
		return p // where a backslash is a byte like others
	}
	return strings.ReplaceAll(p, `\`, "/")
}

// kindAt is the kind that fits what stands at a path relative to the root: dir for
// a folder, else file.
func (t targetPaths) kindAt(p string) string {
	if t.root == "" {
		return "file"
	}
	if info, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(p))); err == nil && info.IsDir() {
		return "dir"
	}
	return "file"
}

// inRoot returns the path relative to the root, false when it leaves it. An
// unknown root leaves the path as it is, for the observation to say why.
func (t targetPaths) inRoot(arg string) (string, bool) {
	if arg == "" || t.root == "" {
		return t.slashes(arg), true
	}
	full := arg
	if !filepath.IsAbs(arg) {
		full = filepath.Join(t.folder, arg)
	}
	rel, err := filepath.Rel(t.root, full)
	if err == nil && !filepath.IsLocal(rel) {
		// A link on the way can lead into the root.
		if dir, failed := filepath.EvalSymlinks(filepath.Dir(full)); failed == nil {
			rel, err = filepath.Rel(t.root, filepath.Join(dir, filepath.Base(full)))
		}
	}
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// PathInRoot turns a path argument, relative to folder, into one relative to the
// root, false when it leaves it. Nothing need stand there. folder is as ParseTarget
// takes it.
func PathInRoot(w *authority.Workspace, folder, arg string) (string, bool) {
	return targetPaths{root: w.Dir(), folder: folder, separator: filepath.Separator}.inRoot(arg)
}
