package authority

import (
	"context"
	"path/filepath"
	"strings"

	"ctxptr/gitref"
)

// openNested opens the repository whose top is the absolute path dir, inside
// another one's working tree.
func (w *Workspace) openNested(ctx context.Context, dir, p string) (*gitref.Repo, error) {
	repo, err := gitref.Open(ctx, dir, gitref.Options{Getenv: gitref.NestedEnv(w.config.Getenv)})
	if err != nil {
		return nil, inNested(gitFault(err), p)
	}
	return repo, nil
}

// inNested says in which nested repository a fault is.
func inNested(err error, p string) error {
	return within(err, "the nested repository "+Quote(p))
}

// nestedHead returns the commit that is checked out in a nested repository, which
// is what git records of it.
func nestedHead(ctx context.Context, repo *gitref.Repo, p string) (gitref.OID, error) {
	ref, err := repo.Ref(ctx, "HEAD")
	switch {
	case isFault(err, gitref.NoRef):
		return gitref.OID{}, fault(MissingRevision, "the nested repository %s has no commit checked out", Quote(p))
	case err != nil:
		return gitref.OID{}, inNested(gitFault(err), p)
	}
	return ref.OID, nil
}

// place is a path in the working tree of the repository that answers for it.
type place struct {
	repo  *gitref.Repo // nil outside of every repository
	path  string       // from the top of its working tree, "" for the top
	inner string       // the folder below the root that is its top, "" when the root lies in it
	owned bool         // repo is to be closed
}

// place finds the innermost repository in whose working tree the folder p, below
// the root, stands.
func (w *Workspace) place(ctx context.Context, p string) (place, error) {
	inner := w.innermost(p)
	if inner != "" {
		dir := filepath.Join(w.dir, filepath.FromSlash(inner))
		repo, err := w.openNested(ctx, dir, inner)
		if err != nil {
			return place{}, err
		}
		at := place{repo, strings.TrimPrefix(strings.TrimPrefix(p, inner), "/"), inner, true}
		if repo.Top() != dir {
			at.close()
			return place{}, fault(MissingUnsupportedRepository, "the nested repository %s keeps its working tree elsewhere", Quote(inner))
		}
		return at, nil
	}
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return place{}, err
	}
	return place{repo: repo, path: w.scope(p)}, nil
}

// known is the path that the repository of a place knows for one below the root.
func (w *Workspace) known(at place, p string) string {
	if at.inner == "" {
		return w.GitPath(p)
	}
	return strings.TrimPrefix(p, at.inner+"/")
}

func (at place) close() {
	if at.owned {
		_ = at.repo.Close() // it was only read
	}
}

// innermost returns the deepest folder on the way to p, p included, that is the
// top of a repository below the root; "" for none.
func (w *Workspace) innermost(p string) string {
	if p == "." {
		return ""
	}
	for end := len(p); end > 0; end = strings.LastIndexByte(p[:end], '/') {
		if gitref.IsRepository(filepath.Join(w.dir, filepath.FromSlash(p[:end])), w.config.Getenv) {
			return p[:end]
		}
	}
	return ""
}

// scope is the path that git knows for a folder below the root, "" for the top of
// the working tree.
func (w *Workspace) scope(p string) string {
	if p == "." {
		return strings.TrimSuffix(w.prefix, "/")
	}
	return w.GitPath(p)
}
