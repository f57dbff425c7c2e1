package gitref

import (
	"context"
	"sync"
)

// Root is what a revision leads to where paths are looked up below it.
type Root struct {
	Revision
	Tree   OID
	Commit OID // the commit of that tree, zero where the revision names a bare tree
}

// Root finds the tree a revision leads to, as for the part of "rev:path" before
// the colon. A batch asks for the same few over and over, and they stay what
// they were. Errors are those of Resolve; where the revision names an object
// that leads to no tree, it stands in the Root beside a WrongType.
func (r *Repo) Root(ctx context.Context, rev string) (Root, error) {
	if err := alive(ctx); err != nil {
		return Root{}, err
	}
	if root, ok := r.roots.get(rev); ok {
		return root, nil
	}
	v, err := r.resolve(ctx, rev, treeLike)
	if err != nil {
		return Root{}, err
	}
	root := Root{Revision: v}
	if root.Tree, err = r.peel(v.OID, TreeObject); err != nil {
		return root, err
	}
	if commit, err := r.peel(v.OID, CommitObject); err == nil {
		root.Commit = commit
	}
	r.roots.put(rev, root)
	return root, nil
}

// rootCache remembers the roots of revisions.
type rootCache struct {
	mu    sync.Mutex
	roots map[string]Root
}

const maxRoots = 1 << 12

func (c *rootCache) get(rev string) (Root, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	root, ok := c.roots[rev]
	return root, ok
}

func (c *rootCache) put(rev string, root Root) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.roots == nil || len(c.roots) >= maxRoots {
		c.roots = map[string]Root{}
	}
	c.roots[rev] = root
}
