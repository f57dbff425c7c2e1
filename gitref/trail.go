package gitref

import "strings"

// trail is the way from the top of a tree to a path, as far as it goes.
type trail struct {
	trees []OID // the tree at the top and those of the folders on the way
	entry Entry // zero where nothing stands
}

// trail looks a path up below a tree. From the first tree on that the trail of
// the same path in another commit has too, both are the same.
func (r *Repo) trail(top OID, path string, other *trail) (trail, error) {
	t := trail{trees: []OID{top}}
	if path == "" {
		t.entry = Entry{Mode: ModeTree, OID: top}
		return t, nil
	}
	rest, more := path, true
	for i := 0; more; i++ {
		if other != nil && i < len(other.trees) && other.trees[i] == t.trees[i] {
			t.trees, t.entry = append(t.trees[:i], other.trees[i:]...), other.entry
			return t, nil
		}
		var name string
		name, rest, more = strings.Cut(rest, "/")
		e, err := r.child(t.trees[i], name, path)
		switch {
		case faultIn(err) == NoPath:
			return t, nil
		case err != nil:
			return t, err
		case !more:
			t.entry = e
		case e.Mode != ModeTree:
			return t, nil
		default:
			t.trees = append(t.trees, e.OID)
		}
	}
	return t, nil
}
