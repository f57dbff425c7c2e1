package authority

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"ctxptr/gitref"
)

// whyAbsent says why nothing stands at p, a file or, when folder is set, a folder: git
// may know of one that this working tree leaves out. Another fault than that it is
// absent stays.
func (w *Workspace) whyAbsent(ctx context.Context, p string, folder bool, err error) error {
	if f, ok := errors.AsType[*Fault](err); !ok || f.Code != MissingAuthority {
		return err
	}
	repo, repoErr := w.worktree(ctx)
	if repoErr != nil || repo == nil {
		return err
	}
	sparse, repoErr := outsideSparse(ctx, repo, w.GitPath(p), folder)
	switch {
	case repoErr != nil:
		return gitFault(repoErr)
	case sparse:
		f := fault(MissingOutsideSparseCheckout, "%s is tracked, and sparse-checkout leaves it out of the working tree", Quote(p))
		f.Fix = checkOut(w.GitPath(p))
		return f
	}
	if folder {
		p += "/" // it may be the submodule itself
	}
	if at, found := w.gitlinkAbove(ctx, repo, p); found {
		return submoduleFault(at, w.GitPath(at))
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

// gitlinkAbove returns the submodule in which p lies, when it is empty here.
func (w *Workspace) gitlinkAbove(ctx context.Context, repo *gitref.Repo, p string) (string, bool) {
	for i := strings.IndexByte(p, '/'); i >= 0; {
		dir := p[:i]
		entries, err := repo.Index(ctx, w.GitPath(dir))
		if err == nil && len(entries) > 0 && entries[0].Mode == gitref.ModeGitlink {
			_, err := w.root.Lstat(dir + "/.git")
			return dir, errors.Is(err, fs.ErrNotExist)
		}
		next := strings.IndexByte(p[i+1:], '/')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return "", false
}

// submoduleFault is the fault of a submodule that is named so and stands at a path
// from the top of the working tree.
func submoduleFault(name, path string) *Fault {
	f := fault(MissingSubmoduleUninitialised, "the submodule %s, in which the path lies, is not checked out", Quote(name))
	f.Fix = initSubmodule(path)
	return f
}
