package authority

import (
	"context"
	"path"

	"ctxptr/gitref"
)

// indexed is a path as the index has it of the repository in whose working tree it
// stands.
type indexed struct {
	place
	inner   string // the top of that repository where it is nested, below the root; else ""
	entries []gitref.IndexEntry
}

// indexed looks a path up: in the index at the root, and where that has no such file
// in the one of the innermost nested repository. No entries mean that it is not
// tracked.
func (w *Workspace) indexed(ctx context.Context, p string) (indexed, error) {
	repo, err := w.worktree(ctx)
	if err != nil {
		return indexed{}, err
	}
	if repo == nil {
		return indexed{}, fault(MissingRepository, "%s stands in no git working tree, so no index can equal it", Quote(p))
	}
	at := indexed{place: place{repo: repo, path: w.GitPath(p)}}
	at.entries, err = repo.Index(ctx, at.path)
	if err != nil && !isFault(err, gitref.InSubmodule) {
		return indexed{}, gitFault(err)
	}
	if len(at.entries) > 0 {
		return at, nil
	}
	if at.inner = w.innermost(path.Dir(p)); at.inner == "" {
		return at, nil
	}
	if at.place, err = w.place(ctx, path.Dir(p)); err != nil {
		return indexed{}, err
	}
	at.path = path.Join(at.path, path.Base(p))
	if at.entries, err = at.repo.Index(ctx, at.path); err != nil {
		at.close()
		return indexed{}, inNested(gitFault(err), at.inner)
	}
	return at, nil
}

// staged returns the one stage-0 entry. p is the path below the root.
func (at indexed) staged(p string) (gitref.IndexEntry, error) {
	if len(at.entries) == 0 {
		return gitref.IndexEntry{}, fault(StaleUnstaged, "%s is not tracked", Quote(p))
	}
	entry := at.entries[0]
	switch {
	case entry.Stage != 0:
		return entry, fault(StaleUnstaged, "%s is unmerged", Quote(p))
	case entry.IntentToAdd:
		return entry, fault(StaleUnstaged, "%s is only intended to be added", Quote(p))
	}
	return entry, nil
}

// committed proves that HEAD has the entry as well, and returns its commit.
func (at indexed) committed(ctx context.Context, p string, entry gitref.IndexEntry) (gitref.OID, error) {
	head, err := headCommit(ctx, at.repo)
	if err != nil {
		return head, err
	}
	tree, err := at.repo.Peel(ctx, head, gitref.TreeObject)
	if err != nil {
		return head, gitFault(err)
	}
	committed, err := at.repo.Lookup(ctx, tree, at.path)
	switch {
	case isFault(err, gitref.NoPath), isFault(err, gitref.InSubmodule):
		return head, fault(StaleUncommitted, "%s is not in HEAD", Quote(p))
	case err != nil:
		return head, gitFault(err)
	case committed != (gitref.Entry{Mode: entry.Mode, OID: entry.OID}):
		return head, fault(StaleUncommitted, "%s differs between the index and HEAD", Quote(p))
	}
	return head, nil
}

// located says of a fault in which nested repository it is.
func (at indexed) located(err error) error {
	if at.inner == "" {
		return err
	}
	return inNested(err, at.inner)
}

// linked proves of what stands at p, in the nested repository inner as its commit has
// it, that the index at the root has that commit as a submodule, and HEAD when
// committed is set; where repositories are nested in each other, each has the next.
func (w *Workspace) linked(ctx context.Context, p, inner string, commit gitref.OID, committed bool) (string, error) {
	at, err := w.indexed(ctx, inner)
	if err != nil {
		return "", err
	}
	defer at.close()
	if len(at.entries) == 0 {
		return "", fault(StaleUnstaged, "of the nested repository %s%s the index around it says nothing", Quote(inner), lying(p, inner))
	}
	entry, err := at.staged(inner)
	if err != nil {
		return "", err
	}
	if entry.Mode != gitref.ModeGitlink || entry.OID != commit {
		return "", fault(StaleUnstaged, "the submodule %s%s has another commit checked out than the index has of it", Quote(inner), lying(p, inner))
	}
	if at.inner == "" && !committed {
		return "worktree equals the commit that the index has of the submodule " + Quote(inner), nil
	}
	head, err := at.committed(ctx, inner, entry)
	switch {
	case err != nil:
		return "", at.located(err)
	case at.inner != "":
		return w.linked(ctx, p, at.inner, head, committed)
	}
	return "worktree equals the commit that commit " + head.String() + " has of the submodule " + Quote(inner), nil
}

// lying says of a path that it lies in a nested repository; nothing of its top.
func lying(p, inner string) string {
	if p == inner {
		return ""
	}
	return ", in which " + Quote(p) + " lies,"
}
