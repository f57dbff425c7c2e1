package authority

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"ctxptr/gitref"
)

// Entries says what an authority without bytes of its own is made of: by path,
// of a folder the type and the digest of each entry, else the mode and the object
// id. Paths are relative to the folder or tree; those of a working tree to the top
// of the repository.
type Entries map[string]string

// EntryChange is a path at which two states of an authority differ. Old and New
// are as in Entries, empty for nothing.
type EntryChange struct{ Path, Old, New string }

// Changes returns the paths at which the entries differ from those now, sorted.
func (e Entries) Changes(now Entries) []EntryChange {
	var changes []EntryChange
	for p, old := range e {
		if now[p] != old {
			changes = append(changes, EntryChange{p, old, now[p]})
		}
	}
	for p, new := range now {
		if _, both := e[p]; !both {
			changes = append(changes, EntryChange{p, "", new})
		}
	}
	slices.SortFunc(changes, func(a, b EntryChange) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// Entries returns what was observed, once an identity was found; nil for what is
// not made of entries. The error is a *Fault.
func (o *Observation) Entries(ctx context.Context) (Entries, error) {
	switch e := o.composite.(type) {
	case *dirEntries:
		return e.list(), nil
	case *worktreeEntries:
		return e.list(), nil
	}
	if o.entries == nil {
		return nil, nil
	}
	return o.entries(ctx)
}

func (d *dirEntries) list() Entries {
	if d.found == nil {
		return nil
	}
	list := Entries{}
	for f := range d.found.Files() {
		content := hex.EncodeToString(f.Digest[:])
		if f.Mode == gitref.ModeGitlink {
			content = f.OID.String()
		}
		if !f.Absent {
			list[f.Path[d.prefix:]] = dirType(f.Mode) + " " + content
		}
	}
	return list
}

func (e *worktreeEntries) list() Entries {
	if e.taken.found == nil {
		return nil
	}
	list := Entries{}
	for f := range e.taken.found.Files() {
		if entry, ok := stands(f); ok {
			list[f.Path] = entryText(entry) + e.taken.dirty[f.Path]
		}
	}
	return list
}

func entryText(e gitref.Entry) string { return modeText(e.Mode) + " " + e.OID.String() }

// listTree lists the files of a tree.
func listTree(ctx context.Context, repo *gitref.Repo, tree gitref.OID) (Entries, error) {
	list := Entries{}
	for f, err := range repo.TreeFiles(ctx, tree, "") {
		if err != nil {
			return nil, gitFault(err)
		}
		list[f.Path] = entryText(f.Entry)
	}
	return list, nil
}

// dirEntriesOf lists what the identity of a folder in history is made of.
func dirEntriesOf(ctx context.Context, s *lineageSearch, _ string, e gitref.Entry) (Entries, error) {
	list := Entries{}
	for f, err := range s.counted(ctx, "", e) {
		if err != nil {
			return nil, gitFault(err)
		}
		digest, err := s.digest(ctx, f.Entry)
		if err != nil {
			return nil, err
		}
		list[f.Path] = dirType(f.Mode) + " " + digest
	}
	return list, nil
}

// treeEntriesOf lists what the identity of a working tree in history is made of.
func treeEntriesOf(ctx context.Context, s *lineageSearch, at string, e gitref.Entry) (Entries, error) {
	list := Entries{}
	for f, err := range s.counted(ctx, at, e) {
		if err != nil {
			return nil, gitFault(err)
		}
		list[f.Path] = entryText(f.Entry)
	}
	return list, nil
}
