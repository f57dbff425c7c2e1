package documents

import (
	"context"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
	"ctxptr/resolver/reference"
)

// AcceptanceSchema names the format of an Acceptance.
const AcceptanceSchema = "ctxptr.acceptance/v1"

// Acceptance says that a change made a pointer or pin state another identity of
// the same authority than the base did.
type Acceptance struct {
	Schema  string         `json:"schema"`
	At      resolver.Place `json:"at"` // where the pointer, or a pin's reference, stands
	Pin     bool           `json:"pin,omitempty"`
	Was     string         `json:"was"` // the identity that the base states
	Pointer string         `json:"pointer"`
	Added   *int           `json:"added,omitempty"`   // lines of what is pointed at; absent where the base's bytes are not known
	Removed *int           `json:"removed,omitempty"` // the same

	target resolver.Pointer
}

// Name is how text output names what was accepted.
func (a Acceptance) Name() string { return a.target.Short() }

// subject is what stays the same when an identity is accepted.
type subject struct{ document, kind, locator, selector string }

// accepted lists the identities in changed documents and pins files that the base
// states otherwise.
func accepted(ctx context.Context, w *authority.Workspace, scan *Scan, c *authority.Changes) []Acceptance {
	b := &baseline{ctx: ctx, workspace: w, commit: c.Base, files: map[string]map[subject][]authority.Identity{}}
	var list []Acceptance
	for _, e := range scan.Entries {
		if !c.Paths[e.File] || e.Form != FormPin && e.Form != string(reference.Pointer) {
			continue
		}
		p, err := resolver.ParseInText(e.Text)
		if err != nil {
			continue // its record says so
		}
		was := b.stated(e, p)
		if len(was) == 0 || slices.Contains(was, p.Identity()) {
			continue
		}
		a := Acceptance{Schema: AcceptanceSchema, At: e.At, Pin: e.Form == FormPin, Was: was[0].String(), Pointer: e.Text, target: p}
		b.count(&a, was[0], e.File)
		list = append(list, a)
	}
	return list
}

// baseline is what the base of a change holds.
type baseline struct {
	ctx       context.Context
	workspace *authority.Workspace
	commit    string // "" for nothing
	files     map[string]map[subject][]authority.Identity
}

func subjectOf(document string, p resolver.Pointer) subject {
	return subject{document, p.Kind().Name, p.Locator().String(), p.Selector().String()}
}

// stated lists the identities that the base states of what a pointer is about, in
// the same document, sorted.
func (b *baseline) stated(e Entry, p resolver.Pointer) []authority.Identity {
	known, ok := b.files[e.File]
	if !ok {
		known = b.read(e.File)
		b.files[e.File] = known
	}
	return known[subjectOf(e.Document, p)]
}

// read collects the pointers of a file as the base has it.
func (b *baseline) read(file string) map[subject][]authority.Identity {
	found := map[subject][]authority.Identity{}
	add := func(document string, p resolver.Pointer) {
		key := subjectOf(document, p)
		found[key] = append(found[key], p.Identity())
		slices.SortFunc(found[key], func(a, b authority.Identity) int { return strings.Compare(a.String(), b.String()) })
	}
	doc := b.document(file)
	if doc == nil {
		return found
	}
	data := doc.Bytes(selector.Range{To: doc.Len()})
	if isPinsPath(file) {
		for _, pin := range pins.Parse(file, data).Pins {
			add(pin.Document, pin.Pointer)
		}
		return found
	}
	for _, r := range reference.Pointers(data) {
		if p, err := resolver.ParseInText(r.Text); err == nil {
			add(file, p)
		}
	}
	return found
}

// document reads a file of the base, nil when it has none.
func (b *baseline) document(p string) *selector.Document {
	kind, err := authority.LookupKind("git")
	if err != nil || b.commit == "" {
		return nil
	}
	locator, err := authority.ParseLocator(kind, b.commit+":"+b.workspace.GitPath(p))
	if err != nil {
		return nil
	}
	o, err := locator.Observe(b.ctx, b.workspace, "")
	if err != nil {
		return nil
	}
	doc, err := o.Document(b.ctx)
	if err != nil {
		return nil
	}
	return doc
}

// count counts the lines that were added and removed in what is pointed at, when
// the base and the working tree hold the bytes of both identities.
func (b *baseline) count(a *Acceptance, was authority.Identity, from string) {
	p := a.target
	at, ok := p.Path(from)
	if !ok || p.Kind().Name != "file" || was.Whole() != p.Identity().Whole() {
		return
	}
	old, ok := covered(b.ctx, b.document(at), p, was)
	if !ok {
		return
	}
	now, ok := covered(b.ctx, b.now(p, from), p, p.Identity())
	if !ok {
		return
	}
	added, removed := resolver.LineChanges(old, now)
	a.Added, a.Removed = &added, &removed
}

func (b *baseline) now(p resolver.Pointer, from string) *selector.Document {
	o, err := p.Locator().Observe(b.ctx, b.workspace, from)
	if err != nil {
		return nil
	}
	doc, err := o.Document(b.ctx)
	if err != nil {
		return nil
	}
	return doc
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
