package authority

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ctxptr/gitref"
)

// Config says where authorities are looked up and within which bounds.
type Config struct {
	Dir      string              // the current folder, from which the repository is found
	Root     string              // the root, empty for the enclosing repository's top, else Dir
	MaxBytes int64               // the largest authority that is read, in bytes
	Network  bool                // other repositories may be asked over the network
	Deep     bool                // a commit is proven with every object that it is made of
	Repos    map[string]string   // folders of other repositories, by host/owner/repo
	Getenv   func(string) string // nil for os.Getenv
}

// Workspace is one observation of a root folder and its repository: HEAD, index
// and refs answer the same throughout its life. It is safe for use from several
// goroutines. A later observation is another Workspace.
type Workspace struct {
	config Config
	dir    string   // the root, absolute, symbolic links resolved
	root   *os.Root // nil when the root is not known
	fault  *Fault   // why the root is not known

	repoOnce sync.Once
	repo     *gitref.Repo
	repoErr  error
	prefix   string // path of the root below the repository's top, "" or ending in "/"
	outside  bool   // the root is no part of the repository's working tree

	dirs  sync.Map // folder path → *Fault, nil for one that checkFolder lets pass
	locks folderLocks

	othersMu sync.Mutex
	others   map[string]otherRepo // by host/owner/repo
}

// Open opens a workspace. The error is of the operating system, when the root
// cannot be opened; what is wrong with the repository shows when it is needed.
func Open(ctx context.Context, c Config) (*Workspace, error) {
	w := &Workspace{config: c}
	dir := c.Root
	if dir == "" {
		dir = c.Dir
		repo, err := gitref.Open(ctx, c.Dir, gitref.Options{Getenv: c.Getenv})
		w.repoOnce.Do(func() { w.repo, w.repoErr = repo, err })
		switch {
		case err != nil && !isFault(err, gitref.NoRepository):
			w.fault = gitFault(err)
			return w, nil
		case err == nil && repo.Top() != "":
			dir = repo.Top()
		}
	}
	if err := w.openRoot(dir); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *Workspace) openRoot(dir string) (err error) {
	if w.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if w.dir, err = filepath.EvalSymlinks(w.dir); err != nil {
		return err
	}
	if w.root, err = os.OpenRoot(w.dir); err != nil {
		return err
	}
	if w.repo != nil {
		w.placeRoot()
	}
	return nil
}

// placeRoot finds where the root stands in the repository's working tree.
func (w *Workspace) placeRoot() {
	top, err := filepath.EvalSymlinks(w.repo.Top())
	if w.repo.Top() == "" || err != nil {
		w.outside = true
		return
	}
	rel, err := filepath.Rel(top, w.dir)
	switch {
	case err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)):
		w.outside = true
	case rel != ".":
		w.prefix = filepath.ToSlash(rel) + "/"
	}
}

func isFault(err error, f gitref.Fault) bool {
	e, ok := errors.AsType[*gitref.Error](err)
	return ok && e.Fault == f
}

// Again opens a second, fresh observation of the same root.
func (w *Workspace) Again(ctx context.Context) (*Workspace, error) {
	return Open(ctx, w.config)
}

// Leave is Close for the end of the process, which gives back files and memory maps
// faster: it ends the processes that answer for repositories, and no more.
func (w *Workspace) Leave() error {
	var errs []error
	if w.repo != nil {
		errs = append(errs, w.repo.Leave())
	}
	for _, other := range w.others {
		if other.workspace != nil {
			errs = append(errs, other.workspace.Leave())
		}
	}
	return errors.Join(errs...)
}

// Close releases what the workspace holds open.
func (w *Workspace) Close() error {
	var errs []error
	if w.root != nil {
		errs = append(errs, w.root.Close())
	}
	if w.repo != nil {
		errs = append(errs, w.repo.Close())
	}
	for _, other := range w.others {
		if other.workspace != nil {
			errs = append(errs, other.workspace.Close())
		}
	}
	return errors.Join(errs...)
}

// Dir returns the absolute path of the root, empty when it is not known.
func (w *Workspace) Dir() string { return w.dir }

// repository returns the repository of the root, opening it on first use. The
// error is a *Fault.
func (w *Workspace) repository(ctx context.Context) (*gitref.Repo, error) {
	w.repoOnce.Do(func() {
		w.repo, w.repoErr = gitref.Open(ctx, w.dir, gitref.Options{Getenv: w.config.Getenv})
		if w.repoErr == nil {
			w.placeRoot()
		}
	})
	if w.repoErr != nil {
		return nil, gitFault(w.repoErr)
	}
	return w.repo, nil
}

// worktree returns the repository in whose working tree the root stands, nil
// without an error when there is none.
func (w *Workspace) worktree(ctx context.Context) (*gitref.Repo, error) {
	repo, err := w.repository(ctx)
	if f, ok := errors.AsType[*Fault](err); ok && f.Code == MissingRepository {
		return nil, nil
	}
	if err != nil || w.outside {
		return nil, err
	}
	return repo, nil
}

// Prefix returns the path of the root from the top of the repository's working
// tree, empty or with a slash behind it; empty too where there is no repository.
func (w *Workspace) Prefix(ctx context.Context) string {
	if _, err := w.repository(ctx); err != nil {
		return ""
	}
	return w.prefix
}

// GitPath returns the path from the top of the repository's working tree, as git
// knows it, for one relative to the root. The repository has been opened before.
func (w *Workspace) GitPath(p string) string { return w.prefix + p }
