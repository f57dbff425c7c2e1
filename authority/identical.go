package authority

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Search says which bytes are looked for in the tracked tree, and how far.
type Search struct {
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

// Identical lists where in the tracked tree of the locator's repository the very
// same bytes stand, by path bytes and then offset. It reports false when a
// bound, the context or something unreadable left a part unsearched.
func (l Locator) Identical(ctx context.Context, w *Workspace, s Search) (places []Identical, complete bool) {
	t, ok := l.target.(tracking)
	if !ok || !s.Identity.ofBytes() || !s.Whole && len(s.Bytes) == 0 {
		return nil, true
	}
	tree, err := t.tracked(ctx, w)
	if err != nil || tree.repo == nil {
		return nil, err == nil
	}
	h := &hunt{Search: s, tree: tree, kind: l.kind, left: s.MaxBytes}
	complete = h.run(ctx)
	return h.places, complete
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

// hunt is one search under way.
type hunt struct {
	Search
	tree   trackedTree
	kind   *Kind
	left   int64 // how many bytes may still be hashed or searched
	places []Identical
}

// errCut ends a hunt at one of its bounds.
var errCut = errors.New("the search was cut")

// run goes through the index and reports whether it saw everything.
func (h *hunt) run(ctx context.Context) bool {
	complete, last := true, ""
	for e, err := range h.tree.repo.Tracked(ctx) {
		if err != nil || ctx.Err() != nil {
			return false
		}
		p, inside := strings.CutPrefix(e.Path, h.tree.prefix)
		if !inside || e.Path == last || !h.counts(e) {
			continue
		}
		last = e.Path
		switch err := h.visit(ctx, p); {
		case errors.Is(err, errCut):
			return false
		case err != nil && !standsNot(err):
			complete = false
		}
	}
	return complete
}

// counts reports whether the bytes can stand at an entry. That git states the id
// of a blob spares reading all others.
func (h *hunt) counts(e gitref.IndexEntry) bool {
	switch {
	case !isBlob(e.Mode), e.Mode == gitref.ModeSymlink && !h.tree.links:
		return false
	case h.Whole && h.Bytes == nil && h.Identity.tag == GitBlob:
		return e.OID.String() == h.Identity.Hex()
	}
	return true
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

// visit looks into one file.
func (h *hunt) visit(ctx context.Context, p string) error {
	if h.Whole && p == h.Own {
		return nil
	}
	locator, err := ParseLocator(h.kind, h.tree.locator+p)
	if err != nil {
		return err
	}
	o, err := h.observe(ctx, locator)
	if err != nil {
		return err
	}
	size, err := o.size(ctx)
	if err != nil || !h.fits(size) {
		return err
	}
	if err := h.take(size); err != nil {
		return err
	}
	if h.Whole {
		return h.whole(ctx, o, locator)
	}
	return h.parts(ctx, o, locator)
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
func (h *hunt) fits(size int64) bool {
	n := int64(len(h.Bytes))
	return size >= n && (!h.Whole || h.Bytes == nil || size <= 2*n)
}

// take counts bytes that are about to be looked at.
func (h *hunt) take(n int64) error {
	if h.left < n {
		return errCut
	}
	h.left -= n
	return nil
}

func (h *hunt) add(found Identical) error {
	if len(h.places) == h.MaxPlaces {
		return errCut
	}
	h.places = append(h.places, found)
	return nil
}

// whole compares a file's digest.
func (h *hunt) whole(ctx context.Context, o *Observation, l Locator) error {
	// What git states of a blob is proven by its bytes.
	if _, err := o.rawForm(ctx); err != nil {
		return err
	}
	found, err := o.Match(ctx, h.Identity, selector.Selector{})
	if err != nil || found.Identity != h.Identity {
		return err
	}
	return h.add(Identical{Locator: l, Path: o.Path, Whole: true})
}

// parts searches a file for the bytes: as it lies there, else as git add would
// store it.
func (h *hunt) parts(ctx context.Context, o *Observation, l Locator) error {
	raw, err := o.rawForm(ctx)
	if err != nil {
		return err
	}
	found, err := h.inForm(raw, o.Path, l)
	if err != nil || found {
		return err
	}
	stored, err := o.storedForm(ctx)
	if err != nil || stored == raw {
		return err
	}
	if err := h.take(int64(len(stored.data))); err != nil {
		return err
	}
	_, err = h.inForm(stored, o.Path, l)
	return err
}

// inForm lists where the bytes stand in one form of a file, overlapping places
// too. Each place counts against the bound on bytes: comparing them anew is what
// it costs to find the next.
func (h *hunt) inForm(f *form, p string, l Locator) (found bool, err error) {
	for from := 0; ; {
		i := bytes.Index(f.data[from:], h.Bytes)
		if i < 0 {
			return found, nil
		}
		found = true
		r := selector.Range{From: from + i, To: from + i + len(h.Bytes)}
		if p != h.Own || r != h.OwnRange {
			if err := h.add(part(f, r, p, l)); err != nil {
				return true, err
			}
		}
		if err := h.take(int64(len(h.Bytes))); err != nil {
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
