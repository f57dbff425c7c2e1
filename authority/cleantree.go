package authority

import (
	"context"
	"fmt"
	"iter"
	"path"

	"ctxptr/gitref"
)

// linkedClean is provenClean of the folder p, in a nested repository with the top inner of
// what its commit has, which the index around it has as a submodule; so has HEAD when
// committed is set. Where inner is "", it is provenClean.
func (s *snapshot) linkedClean(ctx context.Context, p, inner string, committed bool) (string, error) {
	how, err := s.provenClean(ctx, committed || inner != "")
	if inner == "" {
		return how, err
	}
	if err != nil {
		return "", inNested(err, inner)
	}
	head, err := nestedHead(ctx, s.repo, inner)
	if err != nil {
		return "", err
	}
	return s.workspace.linked(ctx, p, inner, head, committed)
}

// provenClean proves that everything in the snapshot equals its index entry and,
// when committed is set, that the index equals HEAD there. It returns how it was
// proven.
func (s *snapshot) provenClean(ctx context.Context, committed bool) (string, error) {
	sparse, err := s.repo.SparseCheckout()
	if err != nil {
		return "", gitFault(err)
	}
	count := 0
	for f := range s.found.Files() {
		if !f.Tracked && f.Mode == 0 {
			continue // what git cannot store and does not track
		}
		if why := s.unstaged(f, sparse); why != "" {
			return "", fault(StaleUnstaged, "%s %s", Quote(f.Path), why)
		}
		count++
	}
	if !committed {
		return fmt.Sprintf("worktree equals index in %d entries", count), nil
	}
	head, err := headCommit(ctx, s.repo)
	if err != nil {
		return "", err
	}
	if err := s.committed(ctx, head); err != nil {
		return "", err
	}
	return fmt.Sprintf("worktree equals index equals commit %s in %d entries", head, count), nil
}

// unstaged says how the file differs from the index, "" when it does not.
func (s *snapshot) unstaged(f *gitref.WorkFile, sparse bool) string {
	switch {
	case !f.Tracked:
		return "is not tracked"
	case f.IntentToAdd:
		return "is only intended to be added"
	case f.Kept && f.Absent && sparse:
		return ""
	case f.Absent:
		return "is deleted"
	case f.Kept && s.hidden[f.Path]:
		return "differs between the working tree and the index"
	case f.Kept:
		return ""
	case f.Mode != f.Index.Mode:
		return fmt.Sprintf("has mode %s in the working tree and %s in the index", modeText(f.Mode), modeText(f.Index.Mode))
	case f.OID != f.Index.OID:
		return "differs between the working tree and the index"
	case s.dirty[f.Path] != "":
		return "is a submodule with changes of its own"
	}
	return ""
}

// committed proves that the index equals a commit in the scope.
func (s *snapshot) committed(ctx context.Context, commit gitref.OID) error {
	next, stop := iter.Pull2(s.inCommit(ctx, commit))
	defer stop()
	for f := range s.found.Files() {
		if !f.Tracked {
			continue
		}
		at, err, more := next()
		switch {
		case err != nil:
			return gitFault(err)
		case !more || at.Path > f.Path:
			return fault(StaleUncommitted, "%s is in the index and not in HEAD", Quote(f.Path))
		case at.Path < f.Path:
			return fault(StaleUncommitted, "%s is in HEAD and not in the index", Quote(at.Path))
		case at.Entry != f.Index:
			return fault(StaleUncommitted, "%s differs between the index and HEAD", Quote(f.Path))
		}
	}
	at, err, more := next()
	switch {
	case err != nil:
		return gitFault(err)
	case more:
		return fault(StaleUncommitted, "%s is in HEAD and not in the index", Quote(at.Path))
	}
	return nil
}

// differs reports whether what stands in the snapshot is not what a commit holds.
func (s *snapshot) differs(ctx context.Context, commit gitref.OID) (bool, error) {
	next, stop := iter.Pull2(s.inCommit(ctx, commit))
	defer stop()
	for f := range s.found.Files() {
		entry, ok := stands(f)
		if !ok {
			continue
		}
		at, err, more := next()
		if err != nil {
			return false, gitFault(err)
		}
		if !more || at.Path != f.Path || at.Entry != entry || s.dirty[f.Path] != "" {
			return true, nil
		}
	}
	_, err, more := next()
	if err != nil {
		return false, gitFault(err)
	}
	return more, nil
}

// inCommit yields what a commit holds in the scope, without what is left out.
func (s *snapshot) inCommit(ctx context.Context, commit gitref.OID) iter.Seq2[gitref.TreeFile, error] {
	return func(yield func(gitref.TreeFile, error) bool) {
		tree, err := s.repo.Peel(ctx, commit, gitref.TreeObject)
		if err != nil {
			yield(gitref.TreeFile{}, err)
			return
		}
		for at, err := range s.repo.TreeFiles(ctx, tree, s.scope) {
			if err == nil && path.Base(at.Path) == PinsFile && at.Mode != gitref.ModeGitlink {
				continue
			}
			if !yield(at, err) {
				return
			}
		}
	}
}
