package authority

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Search says which bytes are looked for in the tracked tree of a locator's repository,
// and how far.
type Search struct {
	Locator  Locator
	Identity Identity // of the bytes, covering nothing else
	Bytes    []byte   // the bytes, nil where they are not known
	Whole    bool     // they are a whole file; else they must be known, and not empty

	// Own is the path that is not reported, of a part only at OwnRange: where the
	// pointer itself has the bytes. Empty for none.
	Own      string
	OwnRange selector.Range

	MaxBytes  int64 // how many bytes may be hashed or searched
	MaxPlaces int   // how many places may be found
}

// Identical is one place in the tracked tree at which the bytes stand.
type Identical struct {
	Locator Locator // of that file, of the kind that was asked
	Path    string
	Whole   bool           // the whole file is it
	Range   selector.Range // of a part
	Lines   [2]int         // of a part: those that Range touches, from 1
	Aligned bool           // Range is these lines, without the last one's terminator
}

// tracking is a target of a kind whose authorities stand in a tracked tree too.
type tracking interface {
	// tracked returns the tracked tree, the zero one where there is none. Errors
	// are *Fault.
	tracked(ctx context.Context, w *Workspace) (trackedTree, error)
}

// trackedTree is the files of an index: its blobs, or what stands in the working
// tree in their place.
type trackedTree struct {
	workspace *Workspace
	repo      *gitref.Repo
	prefix    string // a path counts that begins so, without it
	locator   string // stands before a path in the text of its locator
	links     bool   // a symbolic link's own bytes count
}

// Found is what came of a Search.
type Found struct {
	Places   []Identical // by path bytes and then offset
	Complete bool        // false when a bound, the context or something unreadable left a part unsearched
}

// FindIdentical lists for each search where the very same bytes stand. Each file of a
// tracked tree is read once for all searches in that tree.
func FindIdentical(ctx context.Context, w *Workspace, searches []Search) []Found {
	found := make([]Found, len(searches))
	var hunts []*hunt
	for i, s := range searches {
		t, ok := s.Locator.target.(tracking)
		found[i].Complete = true
		if !ok || !s.Identity.ofBytes() || !s.Whole && len(s.Bytes) == 0 {
			continue
		}
		tree, err := t.tracked(ctx, w)
		if err != nil || tree.repo == nil {
			found[i].Complete = err == nil
			continue
		}
		at := slices.IndexFunc(hunts, func(h *hunt) bool { return h.tree == tree && h.kind == s.Locator.kind })
		if at < 0 {
			at, hunts = len(hunts), append(hunts, &hunt{tree: tree, kind: s.Locator.kind})
		}
		hunts[at].quarries = append(hunts[at].quarries, newQuarry(s, &found[i]))
	}
	for _, h := range hunts {
		h.run(ctx)
	}
	return found
}

func (fileTarget) tracked(ctx context.Context, w *Workspace) (trackedTree, error) {
	if w.fault != nil {
		return trackedTree{}, w.fault
	}
	repo, err := w.worktree(ctx)
	return trackedTree{workspace: w, repo: repo, prefix: w.prefix}, err
}

func (gitTarget) tracked(ctx context.Context, w *Workspace) (trackedTree, error) {
	repo, err := w.repository(ctx)
	return trackedTree{workspace: w, repo: repo, locator: ":", links: true}, err
}

func (t elsewhere) tracked(ctx context.Context, w *Workspace) (trackedTree, error) {
	inner, ok := t.target.(tracking)
	if !ok {
		return trackedTree{}, nil
	}
	other, err := w.other(ctx, t.name)
	if err != nil {
		return trackedTree{}, err
	}
	tree, err := inner.tracked(ctx, other)
	tree.locator = "//" + t.name + "//" + tree.locator
	return tree, err
}

// hunt is the searches in one tracked tree.
type hunt struct {
	tree     trackedTree
	kind     *Kind
	quarries []*quarry // that are still searched for
}

// quarry is one search under way.
type quarry struct {
	Search
	blob  gitref.OID // the one blob that counts, zero where others do
	last  string     // the path that was looked at last
	left  int64      // how many bytes may still be hashed or searched
	found *Found
}

// newQuarry begins a search. That git states the id of a blob spares reading all
// others.
func newQuarry(s Search, found *Found) *quarry {
	q := &quarry{Search: s, left: s.MaxBytes, found: found}
	if s.Whole && s.Bytes == nil && s.Identity.tag == GitBlob {
		q.blob, _ = gitref.ParseOID(s.Identity.Hex())
	}
	return q
}

// errCut ends a search at one of its bounds.
var errCut = errors.New("the search was cut")

// run goes through the index.
func (h *hunt) run(ctx context.Context) {
	for e, err := range h.tree.repo.Tracked(ctx) {
		if err != nil || ctx.Err() != nil {
			h.leaveUnseen(h.quarries)
			return
		}
		p, inside := strings.CutPrefix(e.Path, h.tree.prefix)
		if !inside || !isBlob(e.Mode) || e.Mode == gitref.ModeSymlink && !h.tree.links {
			continue
		}
		if here := h.countAt(p, e.OID); len(here) > 0 {
			h.visit(ctx, p, here)
		}
	}
}

// countAt returns the quarries whose bytes can stand at an entry, each once a path: an
// unmerged one has several entries.
func (h *hunt) countAt(p string, id gitref.OID) (here []*quarry) {
	for _, q := range h.quarries {
		if (q.blob.IsZero() || q.blob == id) && !(q.Whole && p == q.Own) && p != q.last {
			q.last = p
			here = append(here, q)
		}
	}
	return here
}

// leaveUnseen notes that a part was not searched for these.
func (h *hunt) leaveUnseen(these []*quarry) {
	for _, q := range these {
		q.found.Complete = false
	}
}

// standsNot reports whether a fault says that no file stands at a tracked path.
func standsNot(err error) bool {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		return false
	}
	switch f.Code {
	case MissingAuthority, MissingNotRegular, MissingOutsideSparseCheckout, MissingSubmoduleUninitialised:
		return true
	}
	return false
}

// visit looks into one file for what can stand there. A search that meets a bound is
// over.
func (h *hunt) visit(ctx context.Context, p string, here []*quarry) {
	locator, o, size, err := h.open(ctx, p)
	if err != nil {
		if !standsNot(err) {
			h.leaveUnseen(here)
		}
		return
	}
	for _, q := range here {
		switch err := q.visit(ctx, o, size, locator); {
		case errors.Is(err, errCut):
			h.leaveUnseen([]*quarry{q})
			h.quarries = slices.DeleteFunc(h.quarries, func(other *quarry) bool { return other == q })
		case err != nil && !standsNot(err):
			h.leaveUnseen([]*quarry{q})
		}
	}
}

// open looks at a file of the tree.
func (h *hunt) open(ctx context.Context, p string) (l Locator, o *Observation, size int64, err error) {
	if l, err = ParseLocator(h.kind, h.tree.locator+p); err != nil {
		return l, nil, 0, err
	}
	if o, err = h.observe(ctx, l); err != nil {
		return l, nil, 0, err
	}
	size, err = o.size(ctx)
	return l, o, size, err
}

// visit looks into one file of that size.
func (q *quarry) visit(ctx context.Context, o *Observation, size int64, l Locator) error {
	if !q.fits(size) {
		return nil
	}
	if err := q.take(size); err != nil {
		return err
	}
	if q.Whole {
		return q.whole(ctx, o, l)
	}
	return q.parts(ctx, o, l)
}

// observe looks at a file of the tree, in the repository that is open already.
func (h *hunt) observe(ctx context.Context, l Locator) (*Observation, error) {
	t := l.target
	if other, is := t.(elsewhere); is {
		t = other.target
	}
	return t.observe(ctx, h.tree.workspace, "")
}

// fits reports whether the bytes can stand in a file of that size. As git add
// would store it a file is shorter by at most a CR for each of its line feeds.
func (q *quarry) fits(size int64) bool {
	n := int64(len(q.Bytes))
	return size >= n && (!q.Whole || q.Bytes == nil || size <= 2*n)
}

// take counts bytes that are about to be looked at.
func (q *quarry) take(n int64) error {
	if q.left < n {
		return errCut
	}
	q.left -= n
	return nil
}

func (q *quarry) add(found Identical) error {
	if len(q.found.Places) == q.MaxPlaces {
		return errCut
	}
	q.found.Places = append(q.found.Places, found)
	return nil
}

// whole compares a file's digest.
func (q *quarry) whole(ctx context.Context, o *Observation, l Locator) error {
	// What git states of a blob is proven by its bytes.
	if _, err := o.rawForm(ctx); err != nil {
		return err
	}
	found, err := o.Match(ctx, q.Identity, selector.Selector{})
	if err != nil || found.Identity != q.Identity {
		return err
	}
	return q.add(Identical{Locator: l, Path: o.Path, Whole: true})
}

// parts searches a file for the bytes: as it lies there, else as git add would
// store it.
func (q *quarry) parts(ctx context.Context, o *Observation, l Locator) error {
	raw, err := o.rawForm(ctx)
	if err != nil {
		return err
	}
	found, err := q.inForm(raw, o.Path, l)
	if err != nil || found {
		return err
	}
	stored, err := o.storedForm(ctx)
	if err != nil || stored == raw {
		return err
	}
	if err := q.take(int64(len(stored.data))); err != nil {
		return err
	}
	_, err = q.inForm(stored, o.Path, l)
	return err
}

// inForm lists where the bytes stand in one form of a file, overlapping places
// too. Each place counts against the bound on bytes: comparing them anew is what
// it costs to find the next.
func (q *quarry) inForm(f *form, p string, l Locator) (found bool, err error) {
	for from := 0; ; {
		i := bytes.Index(f.data[from:], q.Bytes)
		if i < 0 {
			return found, nil
		}
		found = true
		r := selector.Range{From: from + i, To: from + i + len(q.Bytes)}
		if p != q.Own || r != q.OwnRange {
			if err := q.add(part(f, r, p, l)); err != nil {
				return true, err
			}
		}
		if err := q.take(int64(len(q.Bytes))); err != nil {
			return true, err
		}
		from = r.From + 1
	}
}

func part(f *form, r selector.Range, p string, l Locator) Identical {
	first, last := f.doc.Lines(r)
	return Identical{
		Locator: l, Path: p, Range: r, Lines: [2]int{first, last}, Aligned: f.doc.LinesName(r) != "",
		Whole: r.From == 0 && r.To == len(f.data),
	}
}

var (
	_ tracking = fileTarget{}
	_ tracking = gitTarget{}
	_ tracking = elsewhere{}
)
