package authority

import (
	"context"
	"strings"

	"ctxptr/gitref"
)

var rangeKind = &Kind{
	Name:    "range",
	Summary: "the entries that changed between two commits",
	Example: "origin/main...HEAD//docs//src/main.go",
	Doc: `The locator is BASE...HEAD, from their merge base, or BASE..HEAD, two revisions
as in gitrevisions(7); behind it any number of //PATH, sorted, literal, each
standing for itself and all below it. No path means all. The identity is of the
entries as git diff-tree -r --no-renames --raw lists them, with the commit they
start from, so that the same patch on another base is another range. An empty
range of existing paths is valid. reachable_from is about HEAD.`,
	Tags:      []Tag{BLAKE3, SHA256},
	Rules:     []string{"reachable_from"},
	Default:   BLAKE3,
	Elsewhere: true,
	parse:     parseRange,
}

type rangeTarget struct {
	base, head string
	merged     bool // from the merge base
	paths      []string
}

func parseRange(text string) (target, error) {
	at := indexOutside(text, "..")
	if at < 0 {
		return nil, malformedAt(MalformedLocator, len(text), "a range is BASE...HEAD or BASE..HEAD; there is no '..'")
	}
	t := rangeTarget{base: text[:at]}
	dots := at + len("..")
	if t.merged = strings.HasPrefix(text[dots:], "."); t.merged {
		dots++
	}
	t.head = text[dots:]
	end := indexOutside(t.head, "//")
	if end >= 0 {
		t.head = t.head[:end]
	}
	if err := checkRevision(t.base); err != nil {
		return nil, err
	}
	if err := checkRevision(t.head); err != nil {
		return nil, shifted(err, dots)
	}
	if end < 0 {
		return t, nil
	}
	return t.withPaths(text, dots+end)
}

// withPaths adds the paths that stand behind offset at of the text.
func (t rangeTarget) withPaths(text string, at int) (target, error) {
	for p := range strings.SplitSeq(text[at+len("//"):], "//") {
		at += len("//")
		if err := checkPath(p, at); err != nil {
			return nil, err
		}
		if n := len(t.paths); n > 0 && t.paths[n-1] >= p {
			return nil, malformedAt(MalformedLocator, at, "the paths of a range are sorted by their bytes and stand once each")
		}
		t.paths = append(t.paths, p)
		at += len(p)
	}
	return t, nil
}

// indexOutside is the first place of sep in a revision that no braces enclose,
// or -1.
func indexOutside(text, sep string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		case depth <= 0 && strings.HasPrefix(text[i:], sep):
			return i
		}
	}
	return -1
}

func (t rangeTarget) fixed() bool { return isFullOID(t.base) && isFullOID(t.head) }

func (t rangeTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	base, err := findCommit(ctx, repo, t.base)
	if err != nil {
		return nil, err
	}
	head, err := findCommit(ctx, repo, t.head)
	if err != nil {
		return nil, err
	}
	o := &Observation{
		Layer: LayerCommit, Base: base.id.String(), Commit: head.id.String(), Notes: notApplied(repo),
		noBytes: fault(MissingNotRegular, "a range has no bytes to select; its identity is of its changed entries"),
	}
	if t.merged {
		if base, err = mergeBase(ctx, repo, base.id, head.id); err != nil {
			return nil, err
		}
		o.MergeBase = base.id.String()
	}
	d := &rangeDiff{repo: repo, from: base.id, old: base.tree, new: head.tree, paths: t.paths, seen: o}
	if err := d.checkPaths(ctx); err != nil {
		return nil, err
	}
	o.composite = d
	return o, nil
}

// mergeBase returns the one best common ancestor of two commits.
func mergeBase(ctx context.Context, repo *gitref.Repo, base, head gitref.OID) (foundCommit, error) {
	bases, err := repo.MergeBases(ctx, base, head)
	switch {
	case err != nil:
		return foundCommit{}, gitFault(err)
	case len(bases) == 0:
		return foundCommit{}, fault(MissingMergeBase, "%s and %s have no common ancestor", base, head)
	case len(bases) > 1:
		f := fault(AmbiguousMergeBase, "%s and %s have %d best common ancestors", base, head, len(bases))
		for _, id := range bases {
			f.Candidates = append(f.Candidates, id.String())
		}
		return foundCommit{}, f
	}
	return readCommit(ctx, repo, bases[0])
}

func (t rangeTarget) pin(ctx context.Context, w *Workspace) (string, error) {
	dots := ".."
	if t.merged {
		dots = "..."
	}
	base, err := commitTarget{t.base}.pin(ctx, w)
	if err != nil {
		return "", err
	}
	head, err := commitTarget{t.head}.pin(ctx, w)
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{base + dots + head}, t.paths...), "//"), nil
}

// rangeDiff is the composite of a range.
type rangeDiff struct {
	repo     *gitref.Repo
	from     gitref.OID // the commit that the range starts from
	old, new gitref.OID // trees
	paths    []string
	seen     *Observation // where the number of changed paths is noted
}

// checkPaths proves that something stands at every path in one of the trees.
func (d *rangeDiff) checkPaths(ctx context.Context) error {
	for _, p := range d.paths {
		there, err := d.stands(ctx, p)
		if err != nil {
			return err
		}
		if !there {
			return fault(MissingAuthority, "neither end of the range has anything at %s", Quote(p))
		}
	}
	return nil
}

func (d *rangeDiff) stands(ctx context.Context, p string) (bool, error) {
	for _, tree := range []gitref.OID{d.new, d.old} {
		_, err := d.repo.Lookup(ctx, tree, p)
		switch {
		case err == nil:
			return true, nil
		case !isFault(err, gitref.NoPath) && !isFault(err, gitref.InSubmodule):
			return false, d.fault(err)
		}
	}
	return false, nil
}

// identify digests the changed entries as they come, holding none of them:
// the commit that the range starts from, then of each path, old mode, new mode,
// old id and new id.
func (d *rangeDiff) identify(ctx context.Context, tag Tag) (Identity, error) {
	r := newRangeComposer(tag, d.from)
	err := d.repo.DiffTrees(ctx, d.old, d.new, d.paths, r.add)
	if err != nil {
		return Identity{}, d.fault(err)
	}
	count := r.count // records keep it, and must not keep the composer
	d.seen.ChangedPaths = &count
	return r.identity(), nil
}

// rangeComposer composes the identity of a range.
type rangeComposer struct {
	*composer
	nothing string // the id where nothing stands: zeros
	count   int
}

func newRangeComposer(tag Tag, from gitref.OID) *rangeComposer {
	r := &rangeComposer{composer: newComposer(tag, "ctxptr-range-v1\n"), nothing: strings.Repeat("0", len(from.String()))}
	r.frame(from.String())
	return r
}

func (r *rangeComposer) add(c gitref.Change) error {
	r.count++
	r.frame(c.Path)
	r.frame(modeText(c.Old.Mode))
	r.frame(modeText(c.New.Mode))
	r.frame(r.hex(c.Old.OID))
	r.frame(r.hex(c.New.OID))
	return nil
}

func (r *rangeComposer) hex(id gitref.OID) string {
	if id.IsZero() {
		return r.nothing
	}
	return id.String()
}

// RangePaths lists the paths of a range's changed entries, in their order. The
// error is a *Fault; of another kind than range nothing can be listed.
func (o *Observation) RangePaths(ctx context.Context) ([]string, error) {
	d, ok := o.composite.(*rangeDiff)
	if !ok {
		return nil, fault(MissingNotRegular, "only a range lists changed paths")
	}
	var paths []string
	err := d.repo.DiffTrees(ctx, d.old, d.new, d.paths, func(c gitref.Change) error {
		paths = append(paths, c.Path)
		return nil
	})
	if err != nil {
		return nil, d.fault(err)
	}
	return paths, nil
}

// fault turns an error of reading the trees into a Fault.
func (d *rangeDiff) fault(err error) *Fault {
	f := gitFault(err)
	if f.Code == MissingObjectNotLocal {
		f.Fix = fetchTrees(d.from.String(), d.seen.Commit)
	}
	return f
}
