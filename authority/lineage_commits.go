package authority

import (
	"context"
	"slices"

	"ctxptr/gitref"
)

var (
	_ lineal = commitTarget{}
	_ lineal = refTarget{}
)

// descent of a commit are the commits that it has behind the stated one.
func (t commitTarget) descent(ctx context.Context, w *Workspace, _ string) (*descent, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	found, err := findCommit(ctx, repo, t.rev)
	return &descent{repo: repo, commit: found.id, commits: true}, err
}

// descent of a ref is that of its tip.
func (t refTarget) descent(ctx context.Context, w *Workspace, from string) (*descent, error) {
	o, err := t.observe(ctx, w, from)
	if err != nil {
		return nil, err
	}
	return commitTarget{o.Commit}.descent(ctx, w, from)
}

// between lists the commits between the stated one and the one that is there now.
func (s *lineageSearch) between(ctx context.Context) error {
	stated, err := s.stated(ctx)
	if err != nil {
		return err
	}
	b, err := s.repo.Between(ctx, stated, s.commit, s.options.MaxSteps, s.options.MaxCommits)
	if err != nil {
		return gitFault(err)
	}
	for _, id := range b.Commits {
		if err := s.step(ctx, gitref.Version{Commit: id, Entry: gitref.Entry{Mode: gitref.ModeTree}}); err != nil {
			return err
		}
	}
	s.out.Walked, s.out.Omitted = b.Walked, b.Total-len(b.Commits)
	s.out.Origin = &Origin{Layer: LayerCommit, Commit: stated.String(), Aside: !b.Descends}
	s.out.Unproven = whyShallow(b.Boundary)
	if b.OverMax {
		s.out.Unproven = append(s.out.Unproven, overMax(b.Walked))
	}
	return nil
}

// stated is the commit that the stated identity names. The error is a *Fault,
// when it is not here.
func (s *lineageSearch) stated(ctx context.Context) (gitref.OID, error) {
	id, err := gitref.ParseOID(s.options.Identity.Hex())
	if err != nil {
		return id, fault(MissingRevision, "the stated identity is no object id")
	}
	commit, err := s.repo.Peel(ctx, id, gitref.CommitObject)
	if err == nil {
		return commit, nil
	}
	f := gitFault(err)
	if isFault(err, gitref.NoObject) && slices.Contains(s.repo.Notes(), gitref.NoteShallow) {
		shallow := fault(MissingHistoryShallow, "the stated commit %s is not here, and the history of a shallow clone ends early", id)
		shallow.Fix, shallow.Err = deepen(), err
		f = shallow
	}
	return commit, f
}
