package authority

import (
	"context"

	"ctxptr/gitref"
)

var worktreeKind = &Kind{
	Name:    "worktree",
	Summary: "what git add -A would store of the working tree, at or below a path",
	Example: "src",
	Doc: `The locator is a path relative to the root, of a folder or file; . for all below
the root. Tracked files and untracked ones that git does not ignore count, with
the mode and object id that git add -A would give them; deleted files do not, and
files named ctxptr.pins are left out. Staging, committing, touching files and
rewriting the index change nothing; any change of content, mode or name does.
A submodule counts by the commit that is checked out and, when it has changes of
its own, by its own digest. skip-worktree entries keep what the index says; the
flag assume-unchanged hides nothing. Unmerged entries block, and so does a filter
or encoding, unless stat data prove the file unchanged since it was added.
The record reports the commit of HEAD and, as index, the identity that there were if
what the index holds stood there: it is the same when nothing is left to stage.
The identity is the digest of "ctxptr-worktree-v1\n" and, for each entry in the
order of path bytes, the framed path from the top of the working tree, the framed
mode (six octal digits) and the framed object id, for a changed submodule followed
by + and its own digest; framed is decimal byte length, colon, bytes.`,
	Tags:    []Tag{BLAKE3, SHA256},
	Rules:   []string{"index_clean", "committed_clean"},
	Default: BLAKE3,
	parse: func(text string) (target, error) {
		if text == "." {
			return worktreeTarget{text}, nil
		}
		return worktreeTarget{text}, checkPath(text, 0)
	},
}

type worktreeTarget struct{ path string }

func (worktreeTarget) fixed() bool { return false }

func (t worktreeTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.ownWorktree(ctx)
	if err != nil {
		return nil, err
	}
	o := &Observation{
		Layer: LayerWorktree, Path: t.path,
		noBytes: fault(MissingNotRegular, "a working tree has no bytes to select or digest"),
	}
	head, err := repo.Ref(ctx, "HEAD")
	switch {
	case err == nil && head.PeeledType == gitref.CommitObject:
		o.Commit = head.Peeled.String()
	case err != nil && !isFault(err, gitref.NoRef):
		return nil, gitFault(err)
	}
	e := &worktreeEntries{path: t.path, taken: snapshot{workspace: w, repo: repo, scope: w.scope(t.path)}, seen: o}
	o.composite, o.cleanable = e, e
	return o, nil
}

// ownWorktree returns the repository in whose working tree the root stands. The
// error is a *Fault, also where there is none.
func (w *Workspace) ownWorktree(ctx context.Context) (*gitref.Repo, error) {
	if w.fault != nil {
		return nil, w.fault
	}
	repo, err := w.worktree(ctx)
	if err == nil && repo == nil {
		return nil, fault(MissingRepository, "the root stands in no git working tree")
	}
	return repo, err
}

// worktreeEntries is the authority of a part of a working tree.
type worktreeEntries struct {
	path  string
	taken snapshot
	seen  *Observation // where the identity of the index is noted
}

func (e *worktreeEntries) identify(ctx context.Context, tag Tag) (Identity, error) {
	s := &snapshot{workspace: e.taken.workspace, repo: e.taken.repo, scope: e.taken.scope, tag: tag}
	if err := s.take(ctx); err != nil {
		return Identity{}, err
	}
	e.taken.found, e.taken.dirty, e.taken.hidden = s.found, s.dirty, s.hidden
	c := s.compose(s.found.Files())
	if c.count == 0 {
		return Identity{}, fault(MissingSelection, "git add -A would store nothing at %s", Quote(e.path))
	}
	now := c.identity()
	e.seen.Index = s.indexed(now)
	return now, nil
}

// clean holds what was identified against the index and HEAD.
func (e *worktreeEntries) clean(ctx context.Context, _ Identity, committed bool) (string, error) {
	return e.taken.provenClean(ctx, committed)
}
