package authority

import (
	"context"

	"ctxptr/authority/selector"
)

// The layers in which something can be observed.
const (
	LayerWorktree = "worktree"
	LayerIndex    = "index"
	LayerCommit   = "commit"
	LayerRefs     = "refs"
	LayerRemote   = "remote"
)

// Observation is what stands at a locator, seen once. Bytes are read when an
// identity needs them. It is not safe for concurrent use.
type Observation struct {
	Layer  string
	Path   string // path in the layer, bytes
	Commit string // the commit that was looked into or that a ref names, full id; a range's head
	Object string // the object at the path, or an annotated tag's own id
	Mode   string // git's mode, six octal digits
	Symref string // the full ref name that a symbolic ref names

	Base         string // of a range: the commit of its base, full id
	MergeBase    string // of a range from the merge base: that commit, full id
	ChangedPaths *int   // of a range: how many paths differ, nil before they were counted
	Objects      int    // of a commit proven whole: how many trees and blobs it is made of

	Index Identity // of a working tree: what it had if the index's content stood there, zero for none or not composed
	Notes []string // what the repository records and no answer applies: grafts, replace-refs

	home      *Workspace                             // where it was made, when that is another repository
	inputs    *inputSet                              // the authority, when it is a list of pointers
	composite composite                              // the authority, when its identity is composed of its entries'
	cleanable cleanable                              // the same, when index and HEAD can equal it as a whole
	composed  Identity                               // the last that was composed
	entries   func(context.Context) (Entries, error) // of a tree: what it is made of

	known   []Identity // identities that git states without reading bytes
	prove   func(ctx context.Context) error
	noBytes *Fault // why no bytes stand here, nil when they do
	load    func(ctx context.Context) ([]byte, error)
	stream  func(ctx context.Context, like Identity) (Identity, error) // digests what load would read, nil where that is short
	size    func(ctx context.Context) (int64, error)                   // of what load returns, before it does
	convert func(ctx context.Context, raw []byte) (stored []byte, conversion string, err error)
	idSize  func(ctx context.Context) (uint8, error) // of git's ids where it stands, nil where known tells or no repository is

	raw    *form
	stored *form
}

// form is the bytes of an authority in one form: as they lie there, or as git
// would store them.
type form struct {
	doc        *selector.Document
	data       []byte
	conversion string
	all        Identity // of all of it, as it was asked for last
}

// Finding is an identity with what it covers.
type Finding struct {
	Identity   Identity
	Selected   bool // a selector chose Range, on Lines first to last
	Range      selector.Range
	Lines      [2]int
	Conversion string // "eol" when the bytes are those git add would store
	Bytes      []byte // the selection, nil where no bytes stand
	Doc        *selector.Document
}

// Match returns what is observed now in the form in which it has the identity
// stated, or else in the form that mint would write: the bytes as they lie
// there first, then as git add would store them. The error is a *Fault.
func (o *Observation) Match(ctx context.Context, stated Identity, sel selector.Selector) (Finding, error) {
	if f, ok := o.fromGit(ctx, stated, sel); ok {
		return f.Finding, f.err
	}
	raw, err := o.rawForm(ctx)
	if err != nil {
		return Finding{}, err
	}
	found, rawErr := raw.identify(ctx, stated, sel)
	if rawErr == nil && found.Identity == stated {
		return found, nil
	}
	stored, err := o.storedForm(ctx)
	if err != nil {
		return Finding{}, err
	}
	if stored == raw {
		return found, rawErr
	}
	return stored.identify(ctx, stated, sel)
}

// Current returns the identity that mint writes: of the form git add would
// store, computed as like states (tag, length, coverage). A git id of no length
// yet takes that of the repository's. The error is a *Fault.
func (o *Observation) Current(ctx context.Context, like Identity, sel selector.Selector) (Finding, error) {
	like, err := o.sized(ctx, like)
	if err != nil {
		return Finding{}, err
	}
	if f, ok := o.fromGit(ctx, like, sel); ok {
		return f.Finding, f.err
	}
	stored, err := o.storedForm(ctx)
	if err != nil {
		return Finding{}, err
	}
	return stored.identify(ctx, like, sel)
}

// sized gives a git id that has no length yet that of the repository's ids.
func (o *Observation) sized(ctx context.Context, like Identity) (Identity, error) {
	if like.tag != GitBlob || like.size != 0 {
		return like, nil
	}
	for _, id := range o.known {
		if id.tag == GitBlob {
			like.size = id.size
		}
	}
	if like.size != 0 || o.idSize == nil {
		return like, nil
	}
	var err error
	like.size, err = o.idSize(ctx)
	return like, err
}

// answer is a Finding or the reason there is none.
type answer struct {
	Finding
	err error
}

// fromGit answers from what git states, where no bytes are needed.
func (o *Observation) fromGit(ctx context.Context, like Identity, sel selector.Selector) (answer, bool) {
	if sel.IsZero() && o.composite != nil {
		id, err := o.compose(ctx, like.tag)
		return answer{Finding{Identity: id}, err}, true
	}
	if sel.IsZero() {
		for _, id := range o.known {
			// Of what has no bytes, the ids of the other object format are other identities.
			if id.tag == like.tag && (id.size == like.size || like.size == 0 || o.noBytes != nil) {
				if err := o.proven(ctx); err != nil {
					return answer{err: err}, true
				}
				return answer{Finding: Finding{Identity: id}}, true
			}
		}
	}
	if o.noBytes != nil {
		return answer{err: o.noBytes}, true
	}
	return answer{}, false
}

// compose returns the composed identity of a tag.
func (o *Observation) compose(ctx context.Context, tag Tag) (Identity, error) {
	if o.composed.tag != tag {
		id, err := o.composite.identify(ctx, tag)
		if err != nil {
			return Identity{}, err
		}
		o.composed = id
	}
	return o.composed, nil
}

// proven checks that the object whose id git states is really there.
func (o *Observation) proven(ctx context.Context) error {
	if o.prove == nil {
		return nil
	}
	return o.prove(ctx)
}

// Read returns the bytes that a finding is about, which it lacks where git
// states an identity without them; nil where no bytes stand. The error is a
// *Fault.
func (o *Observation) Read(ctx context.Context, f Finding) ([]byte, error) {
	if f.Bytes != nil || o.noBytes != nil {
		return f.Bytes, nil
	}
	raw, err := o.rawForm(ctx)
	if err != nil {
		return nil, err
	}
	return append([]byte{}, raw.data...), nil
}

func (o *Observation) rawForm(ctx context.Context) (*form, error) {
	if o.raw == nil {
		data, err := o.load(ctx)
		if err != nil {
			return nil, err
		}
		o.raw = &form{doc: selector.NewDocument(o.Path, data), data: data}
	}
	return o.raw, nil
}

// storedForm returns the form that git add would store, which is the raw form
// itself where nothing is converted.
func (o *Observation) storedForm(ctx context.Context) (*form, error) {
	if o.stored != nil {
		return o.stored, nil
	}
	raw, err := o.rawForm(ctx)
	if err != nil || o.convert == nil {
		return raw, err
	}
	data, conversion, err := o.convert(ctx, raw.data)
	if err != nil {
		return nil, err
	}
	o.stored = raw
	if conversion != "" {
		o.stored = &form{doc: selector.NewDocument(o.Path, data), data: data, conversion: conversion}
	}
	return o.stored, nil
}

// identify selects in the form and computes the identity as like states it.
func (f *form) identify(ctx context.Context, like Identity, sel selector.Selector) (Finding, error) {
	found := Finding{Conversion: f.conversion, Doc: f.doc, Bytes: f.data}
	if !sel.IsZero() {
		r, err := sel.Select(ctx, f.doc)
		if err != nil {
			return Finding{Conversion: f.conversion, Doc: f.doc}, SelectorFault(err)
		}
		found.Selected, found.Range, found.Bytes = true, r, f.doc.Bytes(r)
		found.Lines[0], found.Lines[1] = sel.LinesOf(f.doc, r)
	}
	var ok bool
	if sel.IsZero() || like.whole {
		found.Identity, ok = f.digestAll(like)
	} else {
		found.Identity, ok = digest(like, found.Bytes)
	}
	if !ok {
		return Finding{}, fault(MissingNotRegular, "bytes stand there, and a %s is stated", like.tag)
	}
	return found, nil
}

// digestAll digests the whole form, once for all pointers that ask alike.
func (f *form) digestAll(like Identity) (Identity, bool) {
	if f.all.tag == like.tag && f.all.whole == like.whole && f.all.size == sizeFor(like) && !f.all.IsZero() {
		return f.all, true
	}
	id, ok := digest(like, f.data)
	if ok {
		f.all = id
	}
	return id, ok
}

// Default returns how mint computes the identity of the whole authority: as
// like says, or as git states it where no bytes stand to digest.
func (o *Observation) Default(like Identity) Identity {
	if o.noBytes != nil && len(o.known) > 0 {
		return Identity{tag: o.known[0].tag}
	}
	return like
}

// Document returns the bytes that a selector of a new pointer selects in: the
// form git add would store. The error is a *Fault.
func (o *Observation) Document(ctx context.Context) (*selector.Document, error) {
	if o.noBytes != nil {
		return nil, o.noBytes
	}
	f, err := o.storedForm(ctx)
	if err != nil {
		return nil, err
	}
	return f.doc, nil
}

// Covered returns the bytes that the identity of a finding is about, nil where no
// bytes stand. The error is a *Fault.
func (o *Observation) Covered(ctx context.Context, f Finding) ([]byte, error) {
	if f.Identity.whole && f.Doc != nil {
		return f.Doc.Bytes(selector.Range{To: f.Doc.Len()}), nil
	}
	return o.Read(ctx, f)
}

// Converts reports whether git add would store other bytes than those that lie
// there. What cannot be read converts nothing.
func (o *Observation) Converts(ctx context.Context) bool {
	if o.convert == nil {
		return false
	}
	stored, err := o.storedForm(ctx)
	return err == nil && stored != o.raw
}
