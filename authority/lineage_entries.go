package authority

import (
	"context"
	"iter"
	"path"

	"ctxptr/gitref"
)

// descent of a folder is the history of the tree at its path. A tree of tracked
// files alone has an identity in history: what was untracked and counted is gone.
func (t dirTarget) descent(ctx context.Context, w *Workspace, from string) (*descent, error) {
	p, err := t.path.inRoot(from)
	if err != nil {
		return nil, err
	}
	at, err := w.history(ctx, p, "the folder")
	if err != nil {
		return nil, err
	}
	d := &descent{repo: at.repo, path: at.path, close: at.close, inner: at.inner, identify: identifyDir, entries: dirEntriesOf}
	return d, d.begin(ctx, false)
}

// descent of a part of a working tree is the history of what is committed there.
func (t worktreeTarget) descent(ctx context.Context, w *Workspace, _ string) (*descent, error) {
	repo, err := w.ownWorktree(ctx)
	if err != nil {
		return nil, err
	}
	d := &descent{repo: repo, path: w.scope(t.path), identify: identifyWorktree, entries: treeEntriesOf}
	return d, d.begin(ctx, false)
}

// entryBytes is about how many bytes an entry adds to what is hashed, beside its
// path.
const entryBytes = 64

// counted yields the files at and below an entry that count for the identity of a
// folder or working tree; their paths begin with prefix.
func (s *lineageSearch) counted(ctx context.Context, prefix string, e gitref.Entry) iter.Seq2[gitref.TreeFile, error] {
	return func(yield func(gitref.TreeFile, error) bool) {
		if e.Mode != gitref.ModeTree {
			yield(gitref.TreeFile{Path: prefix, Entry: e}, nil)
			return
		}
		if prefix != "" {
			prefix += "/"
		}
		for f, err := range s.repo.TreeFiles(ctx, e.OID, "") {
			f.Path = prefix + f.Path
			if err == nil && path.Base(f.Path) == PinsFile && f.Mode != gitref.ModeGitlink {
				continue
			}
			s.spend(len(f.Path) + entryBytes)
			if !yield(f, err) {
				return
			}
		}
	}
}

// identifyDir computes the identity that a folder with nothing but the files of a
// tree has.
func identifyDir(ctx context.Context, s *lineageSearch, _ string, e gitref.Entry) (Identity, bool, error) {
	if e.Mode != gitref.ModeTree {
		return Identity{}, false, nil
	}
	c := newComposer(s.options.Identity.tag, "ctxptr-dir-v1\n")
	for f, err := range s.counted(ctx, "", e) {
		if err != nil {
			return Identity{}, false, gitFault(err)
		}
		digest, err := s.digest(ctx, f.Entry)
		if err != nil || s.overSize {
			return Identity{}, false, err
		}
		c.count++
		c.frame(f.Path)
		c.frame(dirType(f.Mode))
		c.frame(digest)
	}
	return c.identity(), c.count > 0, nil
}

// digest is what stands for the content of a file in the identity of a folder.
func (s *lineageSearch) digest(ctx context.Context, e gitref.Entry) (string, error) {
	if e.Mode == gitref.ModeGitlink {
		return e.OID.String(), nil
	}
	if known := s.digests[e.OID]; known != "" {
		return known, nil
	}
	data, err := s.read(ctx, e.OID)
	if err != nil {
		return "", err
	}
	if s.digests == nil {
		s.digests = map[gitref.OID]string{}
	}
	d := Digest(Identity{tag: s.options.Identity.tag}, data).Hex()
	s.digests[e.OID] = d
	return d, nil
}

// identifyWorktree computes the identity of a working tree in which nothing but
// an entry of a commit stands.
func identifyWorktree(ctx context.Context, s *lineageSearch, at string, e gitref.Entry) (Identity, bool, error) {
	c := newComposer(s.options.Identity.tag, "ctxptr-worktree-v1\n")
	for f, err := range s.counted(ctx, at, e) {
		if err != nil {
			return Identity{}, false, gitFault(err)
		}
		if s.overSize {
			return Identity{}, false, nil
		}
		c.count++
		c.frame(f.Path)
		c.frame(modeText(f.Mode))
		c.frame(f.OID.String())
	}
	return c.identity(), c.count > 0, nil
}
