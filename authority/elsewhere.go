package authority

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"ctxptr/gitref"
)

// elsewhere is a target in another repository than the root's.
type elsewhere struct {
	name string // host/owner/repo
	target
}

// cutRepository splits //host/owner/repo// off a locator of a kind that may have
// it; name is empty when it is not there.
func (k *Kind) cutRepository(text string) (name, rest string, err error) {
	after, found := strings.CutPrefix(text, "//")
	if !k.Elsewhere || !found {
		return "", text, nil
	}
	name, rest, found = strings.Cut(after, "//")
	if !found {
		return "", "", malformedAt(MalformedLocator, len(text), "another repository is named //host/owner/repo// before the rest")
	}
	if err := CheckRepository(name); err != nil {
		return "", "", shifted(err, len("//"))
	}
	return name, rest, nil
}

// CheckRepository parses the name of another repository: host/owner/repo, with
// the host in lower case, a port where it needs one, and further groups where
// the host has them. The error is a *Fault with code malformed:locator.
func CheckRepository(name string) error {
	at, parts := 0, strings.Split(name, "/")
	for i, part := range parts {
		switch {
		case part == "" || part[0] == '-' || strings.Trim(part, ".") == "":
			return malformedAt(MalformedLocator, at, "a part of host/owner/repo is empty, or no name")
		case i == 0 && part != strings.ToLower(part):
			return malformedAt(MalformedLocator, at, "the host is written in lower case")
		}
		for j := 0; j < len(part); j++ {
			if c := part[j]; !nameByte(c) && (i > 0 || c != ':') {
				return malformedAt(MalformedLocator, at+j, "the byte cannot stand in host/owner/repo")
			}
		}
		at += len(part) + 1
	}
	if len(parts) < 3 {
		return malformedAt(MalformedLocator, 0, "another repository has at least a host, an owner and a name: host/owner/repo")
	}
	return nil
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~+", c) >= 0
}

func (t elsewhere) observe(ctx context.Context, w *Workspace, from string) (*Observation, error) {
	other, err := w.other(ctx, t.name)
	if err != nil {
		return nil, err
	}
	o, err := t.target.observe(ctx, other, from)
	if err != nil {
		return nil, t.inside(err)
	}
	o.home = other
	return o, nil
}

func (t elsewhere) pin(ctx context.Context, w *Workspace) (string, error) {
	other, err := w.other(ctx, t.name)
	if err != nil {
		return "", err
	}
	p, ok := t.target.(pinner)
	if !ok {
		return "", malformedAt(MalformedLocator, 0, "the locator has no revision to pin")
	}
	text, err := p.pin(ctx, other)
	if err != nil {
		return "", t.inside(err)
	}
	return "//" + t.name + "//" + text, nil
}

// inside says of a fault in which repository it is.
func (t elsewhere) inside(err error) error { return within(err, t.name) }

// otherRepo is another repository, opened, or why it is not.
type otherRepo struct {
	workspace *Workspace
	err       error
}

// of returns the workspace in which an observation was made.
func (w *Workspace) of(o *Observation) *Workspace {
	if o.home != nil {
		return o.home
	}
	return w
}

// other opens the repository of that name, once. The error is a *Fault.
func (w *Workspace) other(ctx context.Context, name string) (*Workspace, error) {
	w.othersMu.Lock()
	defer w.othersMu.Unlock()
	if known, ok := w.others[name]; ok {
		return known.workspace, known.err
	}
	if w.others == nil {
		w.others = map[string]otherRepo{}
	}
	var o otherRepo
	o.workspace, o.err = w.openOther(ctx, name)
	w.others[name] = o
	return o.workspace, o.err
}

func (w *Workspace) openOther(ctx context.Context, name string) (*Workspace, error) {
	dir, known := w.config.Repos[name]
	if !known {
		return nil, fault(MissingRepository, "no folder is given for the repository %s (--repo %s=DIR)", name, name)
	}
	c := w.config
	c.Dir, c.Root, c.Repos, c.Getenv = dir, "", nil, withoutPlaces(c.Getenv)
	other, err := Open(ctx, c)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fault(MissingRepository, "the folder given for the repository %s does not exist", name)
	case err != nil:
		return nil, systemFault(err, "the folder of the repository "+name)
	}
	if why := other.notTop(ctx, dir); why != nil {
		// Nothing was written; that it is closed cannot fail in a way that matters.
		_ = other.Close()
		return nil, elsewhere{name: name}.inside(why)
	}
	return other, nil
}

// notTop says why no repository has its top, or lies bare, exactly at dir: one
// that merely encloses it is another.
func (w *Workspace) notTop(ctx context.Context, dir string) error {
	repo, err := w.repository(ctx)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return systemFault(err, "the folder")
	}
	if real != repo.Top() && real != repo.GitDir() {
		return fault(MissingRepository, "the folder given is not the top of a repository")
	}
	return nil
}

// withoutPlaces hides the variables by which git would be sent to one certain
// repository, which is the root's.
func withoutPlaces(getenv func(string) string) func(string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	return func(name string) string {
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_INDEX_FILE",
			"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE":
			return ""
		}
		return getenv(name)
	}
}

// OriginIs reports whether the root's own repository is the one of that name:
// whether its remote origin is there, over https, ssh or in scp form, with or
// without .git. The error is a *Fault.
func (w *Workspace) OriginIs(ctx context.Context, name string) (bool, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return false, err
	}
	urls, err := repo.RemoteURLs("origin")
	if err != nil {
		return false, gitFault(err)
	}
	for _, url := range urls {
		if gitref.RepositoryOf(url) == name {
			return true, nil
		}
	}
	return false, nil
}

// HasFolderOf reports whether a folder is given for the repository of that name.
func (w *Workspace) HasFolderOf(name string) bool {
	_, ok := w.config.Repos[name]
	return ok
}

// RevisionPaths lists the paths, from the repository's top, that a locator of kind git
// or range names in revisions of the root's repository, also by that one's name; none
// for every other locator, and for a range of everything.
func (w *Workspace) RevisionPaths(ctx context.Context, l Locator) []string {
	t := l.target
	if other, ok := t.(elsewhere); ok {
		if !w.isNamed(ctx, other.name) {
			return nil
		}
		t = other.target
	}
	switch t := t.(type) {
	case gitTarget:
		return []string{t.path}
	case rangeTarget:
		return t.paths
	}
	return nil
}

// isNamed reports whether the root's own repository is the one of that name: its
// remote origin says so, or the folder that is given for it.
func (w *Workspace) isNamed(ctx context.Context, name string) bool {
	if own, err := w.OriginIs(ctx, name); own && err == nil {
		return true
	}
	dir, given := w.config.Repos[name]
	repo, err := w.repository(ctx)
	if !given || err != nil || repo.Top() == "" {
		return false
	}
	one, err := os.Stat(dir)
	if err != nil {
		return false
	}
	two, err := os.Stat(repo.Top())
	return err == nil && os.SameFile(one, two)
}
