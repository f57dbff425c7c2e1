package authority

import (
	"context"
	"slices"

	"ctxptr/gitref"
)

// Reachable proves that the observed commit is the tip of ref or an ancestor of
// it, over full history. It returns how it was proven.
func (w *Workspace) Reachable(ctx context.Context, o *Observation, ref string) (string, error) {
	repo, err := w.of(o).repository(ctx)
	if err != nil {
		return "", err
	}
	if o.Commit == "" {
		return "", fault(MissingNotACommit, "the observation involves no commit, so %s cannot reach it", Quote(ref))
	}
	commit, err := gitref.ParseOID(o.Commit)
	if err != nil {
		return "", gitFault(err)
	}
	tip, err := repo.Ref(ctx, ref)
	switch {
	case isFault(err, gitref.NoRef):
		return "", fault(MissingRevision, "no ref has the name %s, which the rule names", Quote(ref))
	case err != nil:
		return "", gitFault(err)
	}
	if tip.PeeledType != gitref.CommitObject {
		return "", fault(MissingNotACommit, "%s names a %s, not a commit", Quote(ref), tip.PeeledType)
	}
	reached, err := repo.IsAncestor(ctx, commit, tip.Peeled)
	if err != nil {
		return "", gitFault(err)
	}
	if !reached {
		return "", fault(StaleNotReachable, "commit %s is no ancestor of %s, which is at %s", commit, Quote(ref), tip.Peeled)
	}
	return "ancestor of or equal to " + tip.Peeled.String(), nil
}

// Descends proves that the observed commit is the stated one or descends from
// it. A stated commit that is gone from complete history was rewritten away.
func (w *Workspace) Descends(ctx context.Context, o *Observation, stated Identity) (string, error) {
	repo, err := w.of(o).repository(ctx)
	if err != nil {
		return "", err
	}
	from, err := gitref.ParseOID(stated.Hex())
	if err != nil {
		return "", gitFault(err)
	}
	tip, err := gitref.ParseOID(o.Commit)
	if err != nil {
		return "", gitFault(err)
	}
	descends, err := repo.IsAncestor(ctx, from, tip)
	switch {
	case isFault(err, gitref.NoObject) && slices.Contains(repo.Notes(), gitref.NoteShallow):
		f := fault(MissingHistoryShallow, "the stated commit is not in the shallow history here")
		f.Fix = deepen()
		return "", f
	case isFault(err, gitref.NoObject), err == nil && !descends:
		return "", fault(StaleNotDescendant, "%s, at %s, does not descend from the stated commit", Quote(o.Path), tip)
	case err != nil:
		return "", gitFault(err)
	}
	return "descends from or equals the stated commit", nil
}
