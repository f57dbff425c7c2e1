package authority

import (
	"bytes"
	"context"
	"fmt"
	"path"

	"ctxptr/gitref"
)

// IndexClean proves that what is observed equals the index, a file as
// git add would store it. Untracked, unmerged and intent-to-add are
// stale:unstaged; the flags assume-unchanged and skip-worktree hide nothing.
// It returns how it was proven.
func (w *Workspace) IndexClean(ctx context.Context, o *Observation) (string, error) {
	if o.cleanable != nil {
		return o.cleanable.clean(ctx, o.composed, false)
	}
	repo, entry, err := w.staged(ctx, o)
	if err != nil {
		return "", err
	}
	if err := w.equalsEntry(ctx, repo, o, entry); err != nil {
		return "", err
	}
	return "worktree equals index entry " + entry.OID.String(), nil
}

// CommittedClean proves that the observed file equals its entry in the index
// and that this equals the one in HEAD. An unborn branch is stale:uncommitted.
func (w *Workspace) CommittedClean(ctx context.Context, o *Observation) (string, error) {
	if o.cleanable != nil {
		return o.cleanable.clean(ctx, o.composed, true)
	}
	if _, err := w.IndexClean(ctx, o); err != nil {
		return "", err
	}
	repo, entry, err := w.staged(ctx, o)
	if err != nil {
		return "", err
	}
	head, committed, err := w.committed(ctx, repo, o)
	if err != nil {
		return "", err
	}
	if committed != (gitref.Entry{Mode: entry.Mode, OID: entry.OID}) {
		return "", fault(StaleUncommitted, "%s differs between the index and HEAD", Quote(o.Path))
	}
	return "worktree equals index equals commit " + head.String(), nil
}

// staged returns the one stage-0 entry of the observed path.
func (w *Workspace) staged(ctx context.Context, o *Observation) (*gitref.Repo, gitref.IndexEntry, error) {
	repo, err := w.worktree(ctx)
	if err != nil {
		return nil, gitref.IndexEntry{}, err
	}
	if repo == nil {
		return nil, gitref.IndexEntry{}, fault(MissingRepository, "%s stands in no git working tree, so no index can equal it", Quote(o.Path))
	}
	entries, err := repo.Index(ctx, w.GitPath(o.Path))
	switch {
	case isFault(err, gitref.InSubmodule), err == nil && len(entries) == 0:
		if inner := w.innermost(path.Dir(o.Path)); inner != "" {
			return nil, gitref.IndexEntry{}, fault(StaleUnstaged, "%s lies in the nested repository %s, of which the index at the root says nothing", Quote(o.Path), Quote(inner))
		}
		return nil, gitref.IndexEntry{}, fault(StaleUnstaged, "%s is not tracked", Quote(o.Path))
	case err != nil:
		return nil, gitref.IndexEntry{}, gitFault(err)
	}
	entry := entries[0]
	switch {
	case entry.Stage != 0:
		return nil, gitref.IndexEntry{}, fault(StaleUnstaged, "%s is unmerged", Quote(o.Path))
	case entry.IntentToAdd:
		return nil, gitref.IndexEntry{}, fault(StaleUnstaged, "%s is only intended to be added", Quote(o.Path))
	}
	return repo, entry, nil
}

func (w *Workspace) equalsEntry(ctx context.Context, repo *gitref.Repo, o *Observation, entry gitref.IndexEntry) error {
	mode := modeText(entry.Mode)
	regular := entry.Mode == gitref.ModeFile || entry.Mode == gitref.ModeExecutable
	bits, err := repo.CoreFileMode()
	if err != nil {
		return gitFault(err)
	}
	if !regular || bits && mode != o.Mode {
		return fault(StaleUnstaged, "%s has mode %s in the working tree and %s in the index", Quote(o.Path), o.Mode, mode)
	}
	raw, err := o.rawForm(ctx)
	if err != nil {
		return err
	}
	stored, err := repo.ToGit(ctx, w.GitPath(o.Path), raw.data)
	if isFault(err, gitref.UnknownConversion) {
		return w.equalsFiltered(ctx, repo, raw.data, entry, err)
	}
	if err != nil {
		return gitFault(err)
	}
	if repo.BlobOID(stored.Data) != entry.OID {
		return fault(StaleUnstaged, "%s differs between the working tree and the index", Quote(o.Path))
	}
	return nil
}

// equalsFiltered proves equality through a filter that is not run: a Git LFS
// pointer in the index states the SHA-256 and the size of the file.
func (w *Workspace) equalsFiltered(ctx context.Context, repo *gitref.Repo, raw []byte, entry gitref.IndexEntry, cause error) error {
	const most = 1024 // the specification's bound on a pointer file
	object, err := repo.Read(ctx, entry.OID, most)
	if err != nil && !isFault(err, gitref.OverLimit) {
		return gitFault(err)
	}
	if err == nil && object.Type == gitref.BlobObject && (bytes.Equal(raw, object.Data) && isLFSPointer(raw) || matchesLFS(object.Data, raw)) {
		return nil
	}
	return gitFault(cause)
}

var (
	lfsVersion = []byte("version https://git-lfs.github.com/spec/v1\n")
	lfsOID     = []byte("\noid sha256:")
	lfsSize    = []byte("\nsize ")
)

func isLFSPointer(data []byte) bool {
	return bytes.HasPrefix(data, lfsVersion) && bytes.Contains(data, lfsOID) && bytes.Contains(data, lfsSize)
}

// matchesLFS reports whether pointer is a Git LFS pointer file (specification
// v1 of the project git-lfs) that states exactly raw.
func matchesLFS(pointer, raw []byte) bool {
	if !isLFSPointer(pointer) {
		return false
	}
	return string(lfsLine(pointer, lfsOID)) == SHA256Sum(raw).Hex() &&
		string(lfsLine(pointer, lfsSize)) == fmt.Sprint(len(raw))
}

// lfsLine returns the rest of the line that begins with key.
func lfsLine(pointer, key []byte) []byte {
	_, rest, _ := bytes.Cut(pointer, key)
	line, _, _ := bytes.Cut(rest, []byte{'\n'})
	return line
}

// committed returns HEAD's commit and its entry for the observed path.
func (w *Workspace) committed(ctx context.Context, repo *gitref.Repo, o *Observation) (gitref.OID, gitref.Entry, error) {
	none := gitref.OID{}
	head, err := headCommit(ctx, repo)
	if err != nil {
		return none, gitref.Entry{}, err
	}
	tree, err := repo.Peel(ctx, head, gitref.TreeObject)
	if err != nil {
		return none, gitref.Entry{}, gitFault(err)
	}
	entry, err := repo.Lookup(ctx, tree, w.GitPath(o.Path))
	switch {
	case isFault(err, gitref.NoPath), isFault(err, gitref.InSubmodule):
		return none, gitref.Entry{}, fault(StaleUncommitted, "%s is not in HEAD", Quote(o.Path))
	case err != nil:
		return none, gitref.Entry{}, gitFault(err)
	}
	return head, entry, nil
}

// headCommit returns the commit that HEAD names, for an index to be held against.
func headCommit(ctx context.Context, repo *gitref.Repo) (gitref.OID, error) {
	head, err := repo.Ref(ctx, "HEAD")
	switch {
	case isFault(err, gitref.NoRef):
		return gitref.OID{}, fault(StaleUncommitted, "HEAD has no commit yet")
	case err != nil:
		return gitref.OID{}, gitFault(err)
	}
	return head.Peeled, nil
}
