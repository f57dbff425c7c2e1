package authority

import (
	"context"
	"path"
	"slices"

	"ctxptr/gitref"
)

var (
	_ lineal = fileTarget{}
	_ lineal = gitTarget{}
	_ lineal = dirTarget{}
	_ lineal = worktreeTarget{}
	_ lineal = elsewhere{}
)

// descent of a file is the history of its path, in the innermost repository in
// whose working tree it stands.
func (t fileTarget) descent(ctx context.Context, w *Workspace, from string) (*descent, error) {
	p, err := t.path.inRoot(from)
	if err != nil {
		return nil, err
	}
	at, err := w.history(ctx, path.Dir(p), "the file")
	if err != nil {
		return nil, err
	}
	d := &descent{repo: at.repo, path: path.Join(at.path, path.Base(p)), bytes: true, close: at.close, inner: at.inner}
	return d, d.begin(ctx, true)
}

// history finds the repository that has the history of a folder.
func (w *Workspace) history(ctx context.Context, folder, what string) (place, error) {
	if w.fault != nil {
		return place{}, w.fault
	}
	at, err := w.place(ctx, folder)
	if err == nil && at.repo == nil {
		err = fault(MissingRepository, "%s stands in no git working tree, so there is no history of it", what)
	}
	return at, err
}

// begin sets the commit to HEAD, and, where they count, what the index has beside
// it.
func (d *descent) begin(ctx context.Context, staged bool) error {
	head, err := d.repo.Ref(ctx, "HEAD")
	if err != nil && !isFault(err, gitref.NoRef) {
		return gitFault(err)
	}
	if err == nil && head.PeeledType == gitref.CommitObject {
		d.commit = head.Peeled
	}
	if !staged {
		return nil
	}
	for _, id := range indexBlobs(ctx, d.repo, d.path) {
		if !slices.Contains(headBlobs(ctx, d.repo, d.path), id) {
			d.staged = append(d.staged, gitref.Entry{Mode: gitref.ModeFile, OID: id})
		}
	}
	return nil
}

// descent of a path in a revision is its history from there, of one in the index
// from HEAD.
func (t gitTarget) descent(ctx context.Context, w *Workspace, _ string) (*descent, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	d := &descent{repo: repo, path: t.path, bytes: true, identify: identifyTree}
	d.entries = func(ctx context.Context, _ *lineageSearch, _ string, e gitref.Entry) (Entries, error) {
		return listTree(ctx, repo, e.OID)
	}
	if t.rev == "" {
		return d, d.begin(ctx, false)
	}
	root, err := repo.Root(ctx, t.rev)
	if err != nil {
		return nil, rootFault(repo, t.rev, root, err)
	}
	if root.Commit.IsZero() {
		return nil, fault(MissingNotACommit, "the revision names a tree without a commit, which has no history")
	}
	d.commit = root.Commit
	return d, nil
}

// identifyTree is the identity that git states of a tree.
func identifyTree(_ context.Context, s *lineageSearch, _ string, e gitref.Entry) (Identity, bool, error) {
	return gitIdentity(GitTree, e.OID), s.options.Identity.tag == GitTree, nil
}

func (t elsewhere) descent(ctx context.Context, w *Workspace, from string) (*descent, error) {
	inner, ok := t.target.(lineal)
	if !ok {
		return nil, fault(MissingRevision, "the kind has no history in which an earlier identity could be found")
	}
	other, err := w.other(ctx, t.name)
	if err != nil {
		return nil, err
	}
	d, err := inner.descent(ctx, other, from)
	if d != nil {
		d.elsewhere = true
	}
	return d, t.inside(err)
}
