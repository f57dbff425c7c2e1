package authority

import (
	"context"
	"errors"
	"path"
	"strings"

	"ctxptr/gitref"
)

// Changes are the files that differ between two states of a repository.
type Changes struct {
	Base  string          // full id of the commit that the changes start from, "" for nothing
	Paths map[string]bool // every path that differs, relative to the root, also those deleted
	Index bool            // the state after the changes is the index

	folders map[string]bool // every folder above one of them
	names   map[string]bool // base names of all that differs, also outside of the root
}

func newChanges(base string) *Changes {
	return &Changes{Base: base, Paths: map[string]bool{}, folders: map[string]bool{}, names: map[string]bool{}}
}

// ChangedIn returns what changed in a range, BASE...HEAD (from their merge base)
// or BASE..HEAD. The error is a *Fault.
func (w *Workspace) ChangedIn(ctx context.Context, text string) (*Changes, error) {
	parsed, err := parseRange(text)
	if err != nil {
		return nil, err
	}
	o, err := parsed.observe(ctx, w, "")
	if err != nil {
		return nil, err
	}
	d, ok := o.composite.(*rangeDiff)
	if !ok || len(d.paths) > 0 {
		return nil, malformedAt(MalformedLocator, 0, "a range of changes names no paths")
	}
	c := newChanges(d.from.String())
	err = d.repo.DiffTrees(ctx, d.old, d.new, nil, func(change gitref.Change) error {
		c.add(w, change.Path)
		return nil
	})
	if err != nil {
		return nil, gitFault(err)
	}
	return c, nil
}

// Staged returns what the index changes of HEAD. The error is a *Fault.
func (w *Workspace) Staged(ctx context.Context) (*Changes, error) {
	repo, err := w.ownWorktree(ctx)
	if err != nil {
		return nil, err
	}
	head, err := headEntries(ctx, repo)
	if err != nil {
		return nil, err
	}
	c := newChanges(head.commit)
	c.Index = true
	for e, err := range repo.Tracked(ctx) {
		if err != nil {
			return nil, gitFault(err)
		}
		was, there := head.entries[e.Path]
		delete(head.entries, e.Path)
		if e.IntentToAdd && !there {
			continue // nothing of it is staged yet; of a file that HEAD has, the removal is
		}
		if !there || e.IntentToAdd || e.Stage > 0 || was != (gitref.Entry{Mode: e.Mode, OID: e.OID}) {
			c.add(w, e.Path)
		}
	}
	for p := range head.entries {
		c.add(w, p)
	}
	return c, nil
}

// headFiles is what HEAD holds.
type headFiles struct {
	commit  string // "" before the first commit
	entries map[string]gitref.Entry
}

func headEntries(ctx context.Context, repo *gitref.Repo) (headFiles, error) {
	h := headFiles{entries: map[string]gitref.Entry{}}
	ref, err := repo.Ref(ctx, "HEAD")
	switch {
	case isFault(err, gitref.NoRef):
		return h, nil
	case err != nil:
		return h, gitFault(err)
	}
	h.commit = ref.Peeled.String()
	tree, err := repo.Peel(ctx, ref.Peeled, gitref.TreeObject)
	if err != nil {
		return h, gitFault(err)
	}
	for f, err := range repo.TreeFiles(ctx, tree, "") {
		if err != nil {
			return h, gitFault(err)
		}
		h.entries[f.Path] = f.Entry
	}
	return h, nil
}

// add notes a path from the repository's top, where it lies below the root, and
// its name wherever it lies: attributes and ignore rules reach down.
func (c *Changes) add(w *Workspace, p string) {
	c.names[path.Base(p)] = true
	below, ok := strings.CutPrefix(p, w.prefix)
	if !ok {
		return
	}
	c.Paths[below] = true
	for dir := path.Dir(below); !c.folders[dir]; dir = path.Dir(dir) {
		c.folders[dir] = true
	}
}

// Touch reports whether a file, or anything below a folder, changed; . is all.
// What lies below a path that changed, as in a submodule, may have.
func (c *Changes) Touch(p string) bool {
	if c.folders[p] {
		return true
	}
	for at := p; at != "." && at != "/"; at = path.Dir(at) {
		if c.Paths[at] {
			return true
		}
	}
	return false
}

// TouchName reports whether a file of that base name changed anywhere.
func (c *Changes) TouchName(name string) bool { return c.names[name] }

// Unstaged says why what stands at a path of the working tree, a file or folder, is
// not what the index holds of it; nil when it is, or when nothing is in either.
func (w *Workspace) Unstaged(ctx context.Context, p string) *Fault {
	kind := fileKind
	if p == "." || w.IsFolder(p) {
		kind = worktreeKind
		if w.innermost(path.Dir(p)) != "" {
			return w.folderUnlinked(ctx, p, w.innermost(p))
		}
	}
	l, err := ParseLocator(kind, p)
	if err != nil {
		return asFault(err)
	}
	o, err := l.Observe(ctx, w, "")
	if f, ok := errors.AsType[*Fault](err); ok && f.Code == MissingAuthority {
		return w.deletedUnstaged(ctx, p)
	}
	if err == nil && o.composite != nil {
		_, err = o.compose(ctx, BLAKE3)
	}
	if err == nil {
		_, err = w.IndexClean(ctx, o)
	}
	if err != nil {
		return asFault(err)
	}
	return nil
}

// folderUnlinked says why a folder in a nested repository is not what the index has of
// it by a commit of that repository; nil when it is.
func (w *Workspace) folderUnlinked(ctx context.Context, p, inner string) *Fault {
	at, err := w.place(ctx, p)
	if err != nil {
		return asFault(err)
	}
	defer at.close()
	s := &snapshot{workspace: w, repo: at.repo, scope: at.path, tag: BLAKE3}
	if err := s.take(ctx); err != nil {
		return asFault(err)
	}
	if _, err := s.linkedClean(ctx, p, inner, false); err != nil {
		return asFault(err)
	}
	return nil
}

// deletedUnstaged is the fault of a file that is gone and still in the index.
func (w *Workspace) deletedUnstaged(ctx context.Context, p string) *Fault {
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return nil
	}
	entries, err := repo.Index(ctx, w.GitPath(p))
	if err != nil {
		return gitFault(err)
	}
	if len(entries) == 0 {
		return nil
	}
	return fault(StaleUnstaged, "%s is deleted in the working tree and not in the index", Quote(p))
}
