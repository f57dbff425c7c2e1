package authority

import (
	"context"

	"ctxptr/gitref"
)

var commitKind = &Kind{
	Name:    "commit",
	Summary: "the commit that a revision names",
	Example: "HEAD~2",
	Doc: `The locator is a revision as in gitrevisions(7) that names one commit; tags are
followed. With a full commit id as locator the pointer can never go stale: give
it the rule immutable.`,
	Tags:    []Tag{GitCommit},
	Rules:   []string{"reachable_from"},
	Default: GitCommit,
	parse: func(text string) (target, error) {
		return commitTarget{text}, checkRevision(text)
	},
}

type commitTarget struct{ rev string }

func (t commitTarget) fixed() bool { return isFullOID(t.rev) }

func (t commitTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	rev, err := repo.Resolve(ctx, t.rev)
	if err != nil {
		return nil, gitFault(err)
	}
	commit, err := repo.Peel(ctx, rev.OID, gitref.CommitObject)
	if err != nil {
		return nil, gitFault(err)
	}
	if _, err := repo.Commit(ctx, commit); err != nil {
		return nil, gitFault(err)
	}
	o := &Observation{
		Layer: LayerCommit, Commit: commit.String(), Symref: rev.Symref,
		known:   []Identity{gitIdentity(GitCommit, commit)},
		noBytes: fault(MissingNotRegular, "a commit has no bytes to select or digest; its identity is its id"),
	}
	if rev.OID != commit {
		o.Object = rev.OID.String()
	}
	return o, nil
}

func (t commitTarget) pin(ctx context.Context, w *Workspace) (string, error) {
	o, err := t.observe(ctx, w, "")
	if err != nil {
		return "", err
	}
	return o.Commit, nil
}
