package authority

import (
	"bytes"
	"context"
	"fmt"

	"ctxptr/gitref"
)

// IndexClean proves that what is observed equals the index, a file as
// git add would store it. Untracked, unmerged and intent-to-add are
// stale:unstaged; the flags assume-unchanged and skip-worktree hide nothing. What lies
// in a submodule equals the commit that the index has of it.
// It returns how it was proven.
func (w *Workspace) IndexClean(ctx context.Context, o *Observation) (string, error) {
	return w.clean(ctx, o, false)
}

// CommittedClean proves that the observed file equals its entry in the index
// and that this equals the one in HEAD. An unborn branch is stale:uncommitted.
func (w *Workspace) CommittedClean(ctx context.Context, o *Observation) (string, error) {
	return w.clean(ctx, o, true)
}

func (w *Workspace) clean(ctx context.Context, o *Observation, committed bool) (string, error) {
	if o.cleanable != nil {
		return o.cleanable.clean(ctx, o.composed, committed)
	}
	at, err := w.indexed(ctx, o.Path)
	if err != nil {
		return "", err
	}
	defer at.close()
	entry, err := at.staged(o.Path)
	if err != nil {
		return "", err
	}
	if err := w.equalsEntry(ctx, at.place, o, entry); err != nil {
		return "", err
	}
	if at.inner == "" && !committed {
		return "worktree equals index entry " + entry.OID.String(), nil
	}
	head, err := at.committed(ctx, o.Path, entry)
	switch {
	case err != nil:
		return "", at.located(err)
	case at.inner != "":
		return w.linked(ctx, o.Path, at.inner, head, committed)
	}
	return "worktree equals index equals commit " + head.String(), nil
}

func (w *Workspace) equalsEntry(ctx context.Context, at place, o *Observation, entry gitref.IndexEntry) error {
	mode := modeText(entry.Mode)
	regular := entry.Mode == gitref.ModeFile || entry.Mode == gitref.ModeExecutable
	bits, err := at.repo.CoreFileMode()
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
	stored, err := at.repo.ToGit(ctx, at.path, raw.data)
	if isFault(err, gitref.UnknownConversion) {
		return equalsFiltered(ctx, at.repo, raw.data, entry, err)
	}
	if err != nil {
		return gitFault(err)
	}
	if at.repo.BlobOID(stored.Data) != entry.OID {
		return fault(StaleUnstaged, "%s differs between the working tree and the index", Quote(o.Path))
	}
	return nil
}

// equalsFiltered proves equality through a filter that is not run: a Git LFS
// pointer in the index states the SHA-256 and the size of the file.
func equalsFiltered(ctx context.Context, repo *gitref.Repo, raw []byte, entry gitref.IndexEntry, cause error) error {
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

// Unfetched reports whether what was found in the working tree is a Git LFS pointer,
// which stands for bytes that are elsewhere.
func (o *Observation) Unfetched(f Finding) bool {
	return o.Layer == LayerWorktree && isLFSPointer(f.Bytes)
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
