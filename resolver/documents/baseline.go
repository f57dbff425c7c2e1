package documents

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
	"ctxptr/resolver/reference"
)

// subject is what stays the same when an identity is accepted. The document is ""
// where it may be any that is gone.
type subject struct{ document, kind, locator, selector string }

// subjectOf is what a pointer is about that belongs to a document and stands in a
// file.
func subjectOf(document, file string, p resolver.Pointer) subject {
	locator, inTree := p.Path(file)
	if !inTree {
		locator = p.Locator().String()
	}
	return subject{document, p.Kind().Name, locator, p.Selector().String()}
}

// spelled is the subject of a pointer in a folder that may have moved with what it
// names: its locator as it is written.
func spelled(p resolver.Pointer) subject {
	return subject{"", p.Kind().Name, p.Locator().String(), p.Selector().String()}
}

// baseline is what the base of a change holds.
type baseline struct {
	ctx       context.Context
	workspace *authority.Workspace
	changes   *authority.Changes
	files     map[string]bool                  // that were read
	known     map[subject][]authority.Identity // what they state, in order
	gone      map[subject][]authority.Identity // what documents state that are gone; nil before it is asked
	broken    []Broken                         // files that cannot be read there
}

func newBaseline(ctx context.Context, w *authority.Workspace, c *authority.Changes) *baseline {
	b := &baseline{ctx: ctx, workspace: w, changes: c, files: map[string]bool{}, known: map[subject][]authority.Identity{}}
	for _, p := range slices.Sorted(maps.Keys(c.Paths)) {
		if isPinsPath(p) { // a pin can have stood in another file
			b.read(p)
		}
	}
	return b
}

// stated lists the identities that the base states of a subject, in order: in the
// same document or, where the base does not have that, in documents that are gone.
func (b *baseline) stated(s subject, a Acceptance) []authority.Identity {
	if b.changes.Paths[s.document] {
		b.read(s.document)
	}
	if list := b.known[s]; len(list) > 0 {
		return list
	}
	if doc, f := b.document(s.document); doc != nil || f != nil {
		return nil
	}
	if b.gone == nil {
		b.readGone()
	}
	s.document = ""
	if list := b.gone[s]; len(list) > 0 {
		return list
	}
	return b.gone[spelled(a.target)]
}

// read collects the pointers of a file as the base has it, once.
func (b *baseline) read(file string) {
	if b.files[file] {
		return
	}
	b.files[file] = true
	doc, f := b.document(file)
	if f != nil {
		b.broken = append(b.broken, brokenFile(file, unknownBefore(f)))
	}
	b.each(file, doc, func(document string, p resolver.Pointer) {
		s := subjectOf(document, file, p)
		b.known[s] = append(b.known[s], p.Identity())
	})
}

// unknownBefore is the fault of a document whose version of the base is not known.
func unknownBefore(f *authority.Fault) *authority.Fault {
	about := *f
	about.Proof = "what it stated before the changes is not known: " + f.Proof
	return &about
}

// readGone collects the pointers and pins of changed documents that stand no more.
func (b *baseline) readGone() {
	b.gone = map[subject][]authority.Identity{}
	for _, file := range slices.Sorted(maps.Keys(b.changes.Paths)) {
		if !isPinsPath(file) && b.workspace.Stands(file) {
			continue
		}
		doc, _ := b.document(file)
		b.each(file, doc, func(document string, p resolver.Pointer) {
			if b.workspace.Stands(document) {
				return
			}
			at := subjectOf("", file, p)
			b.gone[at] = append(b.gone[at], p.Identity())
			if as := spelled(p); as != at {
				b.gone[as] = append(b.gone[as], p.Identity())
			}
		})
	}
}

// each calls visit for every pointer and pin in a file of the base, with the
// document that it belongs to.
func (b *baseline) each(file string, doc *selector.Document, visit func(document string, p resolver.Pointer)) {
	if doc == nil {
		return
	}
	data := doc.Bytes(selector.Range{To: doc.Len()})
	if isPinsPath(file) {
		for _, pin := range pins.Parse(file, data).Pins {
			visit(pin.Document, pin.Pointer)
		}
		return
	}
	for _, r := range reference.Pointers(data) {
		if p, err := resolver.ParseInText(r.Text); err == nil {
			visit(file, p)
		}
	}
}

// document reads a file of the base, nil when it has none.
func (b *baseline) document(p string) (*selector.Document, *authority.Fault) {
	if b.changes.Base == "" {
		return nil, nil
	}
	locator, err := authority.LocatorOf("git", b.changes.Base+":"+b.workspace.GitPath(p))
	if err != nil {
		return nil, nil
	}
	doc, err := b.observed(locator, "")
	switch f, _ := errors.AsType[*authority.Fault](err); {
	case f == nil:
		return doc, nil
	case f.Code == authority.MissingAuthority || f.Code == authority.MissingNotRegular || strings.HasPrefix(string(f.Code), "malformed"):
		return nil, nil // nothing that states anything
	default:
		return nil, f
	}
}

// count counts the lines that were added and removed in what is pointed at, when
// the base and the working tree hold the bytes of both identities.
func (b *baseline) count(a *Acceptance) {
	p, was, from := a.target, a.was, a.file
	at, ok := p.Path(from)
	if !ok || p.Kind().Name != "file" || was.Whole() != p.Identity().Whole() {
		return
	}
	before, _ := b.document(at)
	old, ok := covered(b.ctx, before, p, was)
	if !ok {
		return
	}
	after, _ := b.observed(p.Locator(), from) // nil with an error
	now, ok := covered(b.ctx, after, p, p.Identity())
	if !ok {
		return
	}
	added, removed := resolver.LineChanges(old, now)
	a.Added, a.Removed = &added, &removed
}

// observed returns what stands at a locator in the file from.
func (b *baseline) observed(l authority.Locator, from string) (*selector.Document, error) {
	o, err := l.Observe(b.ctx, b.workspace, from)
	if err != nil {
		return nil, err
	}
	return o.Document(b.ctx)
}

// covered returns what an identity is about in a document, false when it has
// another identity there.
func covered(ctx context.Context, doc *selector.Document, p resolver.Pointer, id authority.Identity) ([]byte, bool) {
	if doc == nil {
		return nil, false
	}
	data := doc.Bytes(selector.Range{To: doc.Len()})
	if !p.Selector().IsZero() && !id.Whole() {
		r, err := p.Selector().Select(ctx, doc)
		if err != nil {
			return nil, false
		}
		data = doc.Bytes(r)
	}
	return data, authority.Digest(id, data) == id
}
