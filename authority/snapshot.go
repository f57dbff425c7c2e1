package authority

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"ctxptr/gitref"
)

// snapshot is what git add -A would store of a part of a working tree, seen once.
type snapshot struct {
	workspace *Workspace
	repo      *gitref.Repo
	scope     string // path from the top, "" for all
	tag       Tag    // how dirty submodules are digested

	found *gitref.WorkTree

	mu     sync.Mutex
	dirty  map[string]string // submodules with changes of their own: their digests
	hidden map[string]bool   // skip-worktree entries from which the files there differ
}

// take looks at the working tree. Errors are *Fault; unmerged entries are
// stale:unstaged, because what git add would store is not decided yet.
func (s *snapshot) take(ctx context.Context) error {
	found, err := gitref.Walk(ctx, gitref.WalkOptions{
		Top: s.repo.Top(), Scope: s.scope, Repo: s.repo, Except: PinsFile,
		MaxEntries: maxEntries, Getenv: s.workspace.config.Getenv, Visit: s.visit,
	})
	if err != nil {
		return walkFault(err)
	}
	if f := found.Unmerged(); f != nil {
		return fault(StaleUnstaged, "%s is unmerged", Quote(f.Path))
	}
	s.found = found
	return nil
}

// visit finds the id under which a file would be stored.
func (s *snapshot) visit(ctx context.Context, f *gitref.WorkFile) (err error) {
	switch {
	case f.Unmerged:
		return nil
	case f.Kept:
		return s.keep(ctx, f)
	case f.Mode == gitref.ModeGitlink:
		return s.link(ctx, f)
	case f.Mode == 0 && f.Tracked:
		return fault(MissingNotRegular, "%s is tracked, and a pipe, socket or device stands there", Quote(f.Path))
	case f.Mode == 0:
		return nil // git sees nothing there
	}
	f.OID, err = s.stored(ctx, f)
	return err
}

func (s *snapshot) stored(ctx context.Context, f *gitref.WorkFile) (gitref.OID, error) {
	limit := s.workspace.config.MaxBytes
	oid, err := s.repo.StoredOID(ctx, f, limit)
	switch {
	case isFault(err, gitref.OverLimit) && f.Size() > limit:
		return oid, tooLarge(f, limit)
	case isFault(err, gitref.UnknownConversion):
		return oid, fault(MissingConversionUnknown, "%s is stored through a conversion that is not computed here (%v), and stat data do not prove it unchanged", Quote(f.Path), err)
	case err != nil:
		return oid, gitFault(err)
	}
	return oid, nil
}

// keep notes whether the file that stands at a skip-worktree entry differs from
// it; git add would keep the entry either way.
func (s *snapshot) keep(ctx context.Context, f *gitref.WorkFile) error {
	same := f.Mode == f.Index.Mode
	if same && f.Mode != gitref.ModeGitlink {
		oid, err := s.stored(ctx, f)
		same = err == nil && oid == f.Index.OID
	}
	if !same {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.hidden == nil {
			s.hidden = map[string]bool{}
		}
		s.hidden[f.Path] = true
	}
	return nil
}

// link finds the commit that a nested repository stands at, and whether it has
// changes of its own. One that is not checked out keeps its entry.
func (s *snapshot) link(ctx context.Context, f *gitref.WorkFile) error {
	if !f.Nested {
		f.OID = f.Index.OID
		return nil
	}
	repo, err := s.workspace.openNested(ctx, f.Folder(), f.Path)
	if err != nil {
		return err
	}
	defer repo.Close()
	if f.OID, err = nestedHead(ctx, repo, f.Path); err != nil || repo.Top() == "" {
		return err
	}
	if repo.Top() != f.Folder() {
		return fault(MissingUnsupportedRepository, "the nested repository %s keeps its working tree elsewhere", Quote(f.Path))
	}
	inner := &snapshot{workspace: s.workspace, repo: repo, tag: s.tag}
	if err := inner.take(ctx); err != nil {
		return inNested(err, f.Path)
	}
	dirty, err := inner.differs(ctx, f.OID)
	if err != nil || !dirty {
		return inNested(err, f.Path)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirty == nil {
		s.dirty = map[string]string{}
	}
	s.dirty[f.Path] = inner.compose(inner.found.Files()).identity().Hex()
	return nil
}

// stands returns the mode and id under which git add -A would store the file,
// false when it would store nothing there.
func stands(f *gitref.WorkFile) (gitref.Entry, bool) {
	switch {
	case f.Kept:
		return f.Index, true
	case f.Absent, f.Mode == 0:
		return gitref.Entry{}, false
	}
	return gitref.Entry{Mode: f.Mode, OID: f.OID}, true
}

// compose composes the digest of the files of the snapshot.
func (s *snapshot) compose(files iter.Seq[*gitref.WorkFile]) *composer {
	c := newComposer(s.tag, "ctxptr-worktree-v1\n")
	for f := range files {
		if entry, ok := stands(f); ok {
			c.frameStored(f.Path, entry, s.dirty[f.Path])
		}
	}
	return c
}

// indexed is the identity that the snapshot had, instead of now, if what stands there
// were what the index holds; zero when the index holds nothing there.
func (s *snapshot) indexed(now Identity) Identity {
	if s.isStaged() {
		return now
	}
	c := newComposer(s.tag, "ctxptr-worktree-v1\n")
	for f := range s.found.Files() {
		if inIndex(f) {
			c.frameStored(f.Path, f.Index, "")
		}
	}
	if c.count == 0 {
		return Identity{}
	}
	return c.identity()
}

// isStaged reports whether what git add -A would store is what the index holds.
func (s *snapshot) isStaged() bool {
	for f := range s.found.Files() {
		entry, ok := stands(f)
		if ok != inIndex(f) || ok && entry != f.Index {
			return false
		}
	}
	return len(s.dirty) == 0
}

// inIndex reports whether the index holds something for the file.
func inIndex(f *gitref.WorkFile) bool { return f.Tracked && !f.IntentToAdd }

// frameStored adds an entry: its path, mode and object id, behind which stands the
// digest of a submodule's own changes, if it has any.
func (c *composer) frameStored(path string, entry gitref.Entry, own string) {
	c.count++
	c.frame(path)
	c.frame(modeText(entry.Mode))
	var room [2*64 + 1]byte
	id := entry.OID.AppendHex(room[:0])
	if own != "" {
		id = append(append(id, '+'), own...)
	}
	c.frameBytes(id)
}

// modeText is a mode as git writes it, six octal digits; all zeros for none.
func modeText(m gitref.Mode) string {
	switch m {
	case 0:
		return "000000"
	case gitref.ModeFile:
		return "100644"
	case gitref.ModeExecutable:
		return "100755"
	case gitref.ModeSymlink:
		return "120000"
	case gitref.ModeGitlink:
		return "160000"
	}
	return fmt.Sprintf("%06o", uint32(m))
}
