package gitref

import (
	"context"
	"strings"
)

// Lookup returns the entry of a slash-separated path below a tree; "" is the
// tree itself. Errors: NoPath, InSubmodule when a gitlink lies on the way, and
// those of Read.
func (r *Repo) Lookup(ctx context.Context, tree OID, path string) (Entry, error) {
	if err := alive(ctx); err != nil {
		return Entry{}, err
	}
	at := Entry{Mode: ModeTree, OID: tree}
	if path == "" {
		t, _, err := r.objects.stat(tree)
		if err == nil && t != TreeObject {
			err = wrongType(tree, t, TreeObject)
		}
		return at, err
	}
	rest := path
	for more := true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		e, err := r.child(at.OID, name, path)
		if err != nil {
			return Entry{}, err
		}
		if more && e.Mode == ModeGitlink {
			return Entry{}, &Error{Fault: InSubmodule, Subject: path, Proof: "the path lies inside a submodule, whose own repository holds it"}
		}
		if more && e.Mode != ModeTree {
			return Entry{}, noPath(path)
		}
		at = e
	}
	return at, nil
}

func noPath(path string) *Error {
	return &Error{Fault: NoPath, Subject: path, Proof: "the tree has no entry of this path"}
}

func (r *Repo) child(tree OID, name, path string) (Entry, error) {
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return Entry{}, noPath(path)
	}
	t, again, err := r.tree(tree)
	if err != nil {
		return Entry{}, err
	}
	e, found, err := t.find(name, int(tree.size), again)
	if err != nil {
		return Entry{}, malformed(tree, TreeObject, err)
	}
	if !found {
		return Entry{}, noPath(path)
	}
	return e, nil
}
