package authority

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"ctxptr/gitref"
)

// whyAbsent says why nothing stands at p, a file or, when folder is set, a folder: git
// may know of one that the working tree around it leaves out. Another fault than that
// it is absent stays.
func (w *Workspace) whyAbsent(ctx context.Context, p string, folder bool, err error) error {
	if f, ok := errors.AsType[*Fault](err); !ok || f.Code != MissingAuthority {
		return err
	}
	at, placeErr := w.place(ctx, path.Dir(p))
	if placeErr != nil || at.repo == nil {
		return err
	}
	defer at.close()
	sparse, indexErr := outsideSparse(ctx, at.repo, w.known(at, p), folder)
	switch {
	case indexErr != nil:
		return gitFault(indexErr)
	case sparse:
		f := fault(MissingOutsideSparseCheckout, "%s is tracked, and sparse-checkout leaves it out of the working tree", Quote(p))
		f.Fix = at.command(checkOut(w.known(at, p)))
		return f
	}
	if folder {
		p += "/" // it may be the submodule itself
	}
	if sub, found := w.gitlinkAbove(ctx, at, p); found {
		return submoduleFault(sub, at.command(initSubmodule(w.known(at, sub))))
	}
	return err
}

// outsideSparse reports whether the index has a file at the path, or one below it,
// that sparse-checkout leaves out.
func outsideSparse(ctx context.Context, repo *gitref.Repo, path string, folder bool) (bool, error) {
	if folder {
		e, found, err := repo.FirstBelow(ctx, path)
		return found && e.SkipWorktree, err
	}
	entries, err := repo.Index(ctx, path)
	return len(entries) > 0 && entries[0].SkipWorktree, err
}

// gitlinkAbove returns the submodule of the repository in which p lies, when it is
// empty here.
func (w *Workspace) gitlinkAbove(ctx context.Context, at place, p string) (string, bool) {
	for i := len(at.inner) + 1; i < len(p); i++ {
		if p[i] != '/' {
			continue
		}
		dir := p[:i]
		entries, err := at.repo.Index(ctx, w.known(at, dir))
		if err == nil && len(entries) > 0 && entries[0].Mode == gitref.ModeGitlink {
			_, err := w.root.Lstat(dir + "/.git")
			return dir, errors.Is(err, fs.ErrNotExist)
		}
	}
	return "", false
}

func submoduleFault(name string, fix []string) *Fault {
	f := fault(MissingSubmoduleUninitialised, "the submodule %s, in which the path lies, is not checked out", Quote(name))
	f.Fix = fix
	return f
}

// submodule is the fault of a submodule that is not checked out, at a path from the top
// of the working tree of the place's repository.
func (w *Workspace) submodule(at place, p string) *Fault {
	name := strings.TrimPrefix(p, w.prefix)
	if at.inner != "" {
		name = at.inner + "/" + p
	}
	return submoduleFault(name, at.command(initSubmodule(p)))
}
