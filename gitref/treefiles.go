package gitref

import (
	"context"
	"iter"
)

// TreeFile is a path that a tree holds, no folder.
type TreeFile struct {
	Path string
	Entry
}

// TreeFiles yields every path at and below a path of a tree that is no folder, in
// the order of the paths' bytes; none when nothing is there. After an error
// nothing follows. Errors are those of Lookup without NoPath.
func (r *Repo) TreeFiles(ctx context.Context, tree OID, path string) iter.Seq2[TreeFile, error] {
	return func(yield func(TreeFile, error) bool) {
		e, err := r.Lookup(ctx, tree, path)
		switch {
		case faultIn(err) == NoPath || faultIn(err) == InSubmodule:
		case err != nil:
			yield(TreeFile{}, err)
		case e.Mode != ModeTree:
			yield(TreeFile{path, e}, nil)
		case path == "":
			r.eachFile(ctx, e.OID, "", yield)
		default:
			r.eachFile(ctx, e.OID, path+"/", yield)
		}
	}
}

// eachFile yields the files below a tree, false when it was ended.
func (r *Repo) eachFile(ctx context.Context, tree OID, prefix string, yield func(TreeFile, error) bool) bool {
	err := alive(ctx)
	if err == nil && len(prefix) > maxWorkPath {
		err = &Error{Fault: OverLimit, Subject: prefix[:maxWorkPath], Proof: "the path is longer than the bound on paths"}
	}
	var t *cachedTree
	if err == nil {
		t, _, err = r.tree(tree)
	}
	if err != nil {
		yield(TreeFile{}, err)
		return false
	}
	more := true
	err = eachTreeEntry(t.data, int(tree.size), func(name []byte, e Entry) bool {
		path := prefix + string(name)
		if e.Mode == ModeTree {
			more = r.eachFile(ctx, e.OID, path+"/", yield)
		} else {
			more = yield(TreeFile{path, e}, nil)
		}
		return more
	})
	if err != nil && more {
		yield(TreeFile{}, malformed(tree, TreeObject, err))
		return false
	}
	return more
}
