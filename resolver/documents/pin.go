package documents

import (
	"context"
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
)

// PinOptions say what is pinned.
type PinOptions struct {
	Scope  Scope   // which documents
	Only   *Target // only references to it; nil for all
	DryRun bool    // nothing is written
}

// PinResult says what became of plain references.
type PinResult struct {
	Records []*resolver.Record // resolved: pinned, with the pointer; blocked: left
	Pinned  int                // references that had a pin before
	Foreign int                // permalinks of repositories that are not here
	Around  int                // references to what holds their own document, left without Only
}

// Pin writes pins for the plain references of documents that name exactly one
// thing, into the nearest pins file at or above each document, or a new one at the
// root. The documents stay as they are. The error is a *authority.Fault or a
// *resolver.InternalError.
func Pin(ctx context.Context, w *authority.Workspace, o PinOptions) (*PinResult, error) {
	o.Scope.Plain = true
	scan, err := ScanDocuments(ctx, w, o.Scope)
	if err != nil {
		return nil, err
	}
	p := &pinning{ctx: ctx, workspace: w, options: o, out: &PinResult{}, byFile: map[string][]Entry{}}
	for _, b := range scan.Broken {
		p.out.Records = append(p.out.Records, b.record())
	}
	for _, e := range scan.Entries {
		switch e.Form {
		case FormPointer:
		case FormPin:
			if e.Orphan == "" && (o.Only == nil || o.Only.holds(e.Target, e.File)) {
				p.out.Pinned++
			}
		default:
			name := p.governing(e.Document)
			p.byFile[name] = append(p.byFile[name], e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.byFile)) {
		if err := p.pinIn(name, p.byFile[name]); err != nil {
			return nil, err
		}
	}
	number(p.out.Records)
	return p.out, nil
}

// pinning is one Pin under way.
type pinning struct {
	ctx       context.Context
	workspace *authority.Workspace
	options   PinOptions
	out       *PinResult
	byFile    map[string][]Entry // by the pins file that governs them
}

// governing returns the pins file of a document: the nearest that stands there,
// although it may not be readable.
func (p *pinning) governing(document string) string {
	for _, name := range pins.Above(document) {
		if stands(p.workspace.ReadDocument(p.ctx, name)) {
			return name
		}
	}
	return pins.Name
}

// stands reports whether something stands where a document was read.
func stands(d authority.Document) bool {
	return d.Fault == nil || d.Fault.Code != authority.MissingAuthority
}

// pinIn pins references whose documents one pins file governs.
func (p *pinning) pinIn(name string, entries []Entry) error {
	refs := make([]resolver.Plain, len(entries))
	for i, e := range entries {
		refs[i] = e.Plain
	}
	records, err := resolver.ProvePlain(p.ctx, p.workspace, refs, resolver.PlainOptions{Identify: true, StandIn: name})
	if err != nil {
		return err
	}
	edit, fault := openPins(p.ctx, p.workspace, name)
	var taken []int // references to pin
	for i, r := range records {
		switch {
		case refs[i].Web != "" && r.Code == authority.MissingRepository:
			p.out.Foreign++
		case r.Outcome != resolver.Resolved && p.options.Only == nil:
			p.out.Records = append(p.out.Records, r)
		case r.Outcome == resolver.Resolved && p.options.Only == nil && around(r.Subject(), name, entries[i].Document):
			p.out.Around++
		case r.Outcome == resolver.Resolved && p.wanted(r, name):
			taken = append(taken, i)
		}
	}
	if fault == nil {
		for _, i := range taken {
			edit.add(entries[i].Document, records[i].Subject())
		}
		fault = p.write(edit)
	}
	for _, i := range taken {
		r := records[i]
		if fault != nil {
			r = resolver.Unproven(resolver.Item{Text: refs[i].Text, At: refs[i].At}, refs[i].Form, fault)
		}
		p.out.Records = append(p.out.Records, r)
	}
	return nil
}

// around reports whether a pointer, which stands in the file from, names the whole of a
// document or a folder in which it lies.
func around(p resolver.Pointer, from, document string) bool {
	at, ok := p.Path(from)
	return ok && p.Selector().IsZero() && within(at, document)
}

func (p *pinning) write(edit *pinsEdit) *authority.Fault {
	if p.options.DryRun {
		return nil
	}
	return faultOf(edit.write(p.ctx, p.workspace))
}

// wanted reports whether --only lets a reference be pinned.
func (p *pinning) wanted(r *resolver.Record, from string) bool {
	return p.options.Only == nil || p.options.Only.holds(r.Subject(), from)
}

// pinsEdit is a pins file that is being changed.
type pinsEdit struct {
	file   *pins.File
	before authority.Identity // of its bytes, zero when it is new
	text   []byte
}

// openPins reads a pins file, an empty one where none stands. A file with lines
// that are no pins must not be written.
func openPins(ctx context.Context, w *authority.Workspace, name string) (*pinsEdit, *authority.Fault) {
	d := w.ReadDocument(ctx, name)
	switch {
	case d.Fault != nil && d.Fault.Code == authority.MissingAuthority:
		return &pinsEdit{file: pins.Parse(name, nil)}, nil
	case d.Fault != nil:
		return nil, d.Fault
	}
	e := &pinsEdit{file: pins.Parse(name, d.Data), before: authority.BLAKE3Sum(d.Data), text: d.Data}
	if len(e.file.Bad) > 0 {
		f := *e.file.Bad[0].Fault
		f.Proof = "the pins file " + authority.Quote(name) + " has lines that are no pins; nothing was written to it: " + f.Proof
		return nil, &f
	}
	return e, nil
}

func (e *pinsEdit) add(document string, p resolver.Pointer) {
	e.file.Pins = append(e.file.Pins, pins.Pin{Document: document, Pointer: p})
}

// write writes the file when its bytes change.
func (e *pinsEdit) write(ctx context.Context, w *authority.Workspace) error {
	data := e.file.Format()
	if string(data) == string(e.text) {
		return nil
	}
	return w.Replace(ctx, e.file.Path, e.before, data)
}

// record is the blocked record of something that could not be read.
func (b Broken) record() *resolver.Record {
	at := b.At
	return resolver.Unproven(resolver.Item{Text: b.Text, At: &at}, formDocument, b.Fault)
}

// number sorts records by their place and numbers them.
func number(records []*resolver.Record) {
	slices.SortStableFunc(records, func(a, b *resolver.Record) int { return a.At.Compare(*b.At) })
	for i, r := range records {
		r.Index = i
	}
}
