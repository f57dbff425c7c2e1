package gitref

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
)

const (
	// maxDiffDepth bounds how deep trees may nest (git's core.maxTreeDepth).
	maxDiffDepth = 2048

	// maxDiffEntries bounds the entries one diff looks at: few small trees that
	// name each other can spell out any number of paths.
	maxDiffEntries = 1 << 23
)

var errUnsorted = errors.New("the tree's entries are not in order, or one has a slash in its name")

// Change is one path at which two trees differ. An Entry that is zero says that
// nothing stands there.
type Change struct {
	Path     string // from the top, bytes
	Old, New Entry
}

// DiffTrees calls each for every path at which two trees differ, in the order of
// the paths' bytes, as git diff-tree -r --no-renames --raw lists them: folders
// never, a submodule as its gitlink. The zero OID is a tree with nothing in it.
// With paths, sorted and literal, it tells only of those and what lies below
// them. It ends with the first error of each. Other errors are those of Read;
// Corrupt for a tree out of order, OverLimit for one that nests or repeats
// without bound.
func (r *Repo) DiffTrees(ctx context.Context, old, new OID, paths []string, each func(Change) error) error {
	if err := alive(ctx); err != nil {
		return err
	}
	d := &treeDiff{repo: r, ctx: ctx, each: each}
	if old == new {
		return nil
	}
	return d.trees(old, new, paths, 0)
}

// treeDiff is one diff under way.
type treeDiff struct {
	repo *Repo
	ctx  context.Context
	each func(Change) error
	path []byte // the folder that is compared, with a slash behind it, or empty
	seen int    // entries looked at
}

// trees compares two trees of the folder at hand. paths are those of interest
// in it, from the top; none means all.
func (d *treeDiff) trees(old, new OID, paths []string, depth int) error {
	if err := alive(d.ctx); err != nil {
		return err
	}
	if depth > maxDiffDepth {
		return &Error{Fault: OverLimit, Subject: new.String(), Proof: "the trees nest deeper than the bound"}
	}
	a, err := d.open(old)
	if err != nil {
		return err
	}
	b, err := d.open(new)
	if err != nil {
		return err
	}
	for !a.done || !b.done {
		pair, err := d.next(a, b)
		if err == nil && pair.old != pair.new {
			err = d.differ(pair, paths, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entryPair is what two trees say of one name; a zero Entry says nothing.
type entryPair struct {
	name     []byte
	old, new Entry
}

// next takes the first name of either tree.
func (d *treeDiff) next(a, b *treeCursor) (entryPair, error) {
	if d.seen++; d.seen > maxDiffEntries {
		return entryPair{}, &Error{Fault: OverLimit, Subject: b.tree.String(), Proof: "the trees hold more entries than the bound"}
	}
	order := 0
	switch {
	case a.done:
		order = 1
	case b.done:
		order = -1
	default:
		order = compareNames(a.name, a.entry.Mode, b.name, b.entry.Mode)
	}
	switch {
	case order < 0:
		pair := entryPair{name: a.name, old: a.entry}
		return pair, a.advance()
	case order > 0:
		pair := entryPair{name: b.name, new: b.entry}
		return pair, b.advance()
	}
	pair := entryPair{a.name, a.entry, b.entry}
	if err := a.advance(); err != nil {
		return pair, err
	}
	return pair, b.advance()
}

// differ tells of one name, or goes down where it is a folder.
func (d *treeDiff) differ(p entryPair, paths []string, depth int) error {
	folder := len(d.path)
	d.path = append(d.path, p.name...)
	defer func() { d.path = d.path[:folder] }()
	isTree := p.old.Mode == ModeTree || p.new.Mode == ModeTree
	paths, wanted := narrow(paths, d.path, isTree)
	if !wanted {
		return nil
	}
	if isTree {
		d.path = append(d.path, '/')
		return d.trees(p.old.OID, p.new.OID, paths, depth+1)
	}
	return d.each(Change{Path: string(d.path), Old: p.old, New: p.new})
}

// narrow returns which of the sorted paths matter at or below at, none when all
// of it does; false when nothing does.
func narrow(paths []string, at []byte, isTree bool) ([]string, bool) {
	if len(paths) == 0 {
		return nil, true
	}
	if _, exact := slices.BinarySearch(paths, string(at)); exact {
		return nil, true
	}
	if !isTree {
		return nil, false
	}
	below := string(at) + "/"
	from, _ := slices.BinarySearch(paths, below)
	to := from
	for to < len(paths) && strings.HasPrefix(paths[to], below) {
		to++
	}
	return paths[from:to], to > from
}

// compareNames orders two entries as a tree does: a folder's name as if it ended
// in a slash (base_name_compare in git).
func compareNames(a []byte, aMode Mode, b []byte, bMode Mode) int {
	n := min(len(a), len(b))
	if c := bytes.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return cmp.Compare(byteBehind(a, aMode, n), byteBehind(b, bMode, n))
}

func byteBehind(name []byte, mode Mode, n int) byte {
	switch {
	case n < len(name):
		return name[n]
	case mode == ModeTree:
		return '/'
	}
	return 0
}

// treeCursor goes through the entries of one tree.
type treeCursor struct {
	tree  OID
	rest  []byte
	name  []byte
	entry Entry
	done  bool
}

func (d *treeDiff) open(tree OID) (*treeCursor, error) {
	c := &treeCursor{tree: tree}
	if !tree.IsZero() {
		t, _, err := d.repo.tree(tree)
		if faultIn(err) == WrongType {
			err = &Error{Fault: Corrupt, Subject: tree.String(), Proof: "the object stands where a tree belongs, and is none", Err: err}
		}
		if err != nil {
			return nil, err
		}
		c.rest = t.data
	}
	return c, c.advance()
}

// advance moves to the next entry, which must follow the one before.
func (c *treeCursor) advance() error {
	if len(c.rest) == 0 {
		c.done = true
		return nil
	}
	name, entry, rest, err := cutTreeEntry(c.rest, int(c.tree.size))
	if err == nil && (bytes.IndexByte(name, '/') >= 0 || c.name != nil && compareNames(c.name, c.entry.Mode, name, entry.Mode) >= 0) {
		err = errUnsorted
	}
	if err != nil {
		return malformed(c.tree, TreeObject, err)
	}
	c.name, c.entry, c.rest = name, entry, rest
	return nil
}
