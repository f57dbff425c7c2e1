package documents

import (
	"context"
	"errors"
	"slices"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// AcceptOptions say which identities are accepted.
type AcceptOptions struct {
	Scope      Scope     // in which documents
	To         *Target   // only pointers to it; nil for all
	Moved      []Move    // files and folders that a person says have moved; pins go with their documents
	Difference string    // only what differs at most so: selector.EOLOnly or WhitespaceOnly; "" for anything
	DryRun     bool      // nothing is written
	Again      Reopening // opens a fresh observation of the same root
}

// Reopening opens a further, fresh observation.
type Reopening func(ctx context.Context) (*authority.Workspace, error)

// AcceptResult says what became of the pointers and pins of a scope.
type AcceptResult struct {
	Accepted []*resolver.Record // refreshed: written, or would be, with the pointer now
	Left     []*resolver.Record // blocked: nothing was adopted
	Waiting  []*resolver.Record // under DryRun: accepted once others are written
	Carried  []*resolver.Record // of pins that were fresh: written, or would be, for the document that is theirs now
	Ordered  []string           // pins files whose lines were put in order, or would be
	Fresh    int                // pointers and pins that needed nothing, of those that To lets be accepted
}

// Accept writes down, in documents and pins files, what a refresh proves, those
// first on which no other's identity depends: a pointer to a text in which pointers
// are rewritten gets its identity when that is done. Pointers that depend on each
// other in a circle are left. Before all of that, pins are written for the documents
// that are theirs now; pins files are put in order last. Each file is replaced in one
// step. The error is a *authority.Fault, or of opening or resolving; the result then
// says what was written before.
func Accept(ctx context.Context, w *authority.Workspace, o AcceptOptions) (*AcceptResult, error) {
	out := &AcceptResult{}
	o.Scope.Moved, o.Scope.ordering = o.Moved, true
	written, placed := map[writing]bool{}, map[writing][]*resolver.Record{}
	carried := map[writing]bool{}
	for now := w; ; {
		r := &round{
			ctx: ctx, workspace: now, options: o, out: out, written: written, placed: placed, carried: carried,
			moving: map[int]bool{}, inFile: map[string][]int{}, lists: map[string][]*resolver.Record{}, returns: map[string][]int{},
		}
		count, err := r.run()
		o.Scope.followed = true // the first round wrote it down
		if now != w {
			err = errors.Join(err, now.Close())
		}
		// Each round but the last writes a pointer that none before it wrote.
		if err != nil || count == 0 || o.DryRun {
			return out, err
		}
		if now, err = o.Again(ctx); err != nil {
			return out, err
		}
	}
}

// writing is a pointer of a document that was written into a file.
type writing struct{ file, document, text string }

// as is an entry with a text.
func (e Entry) as(text string) writing { return writing{e.File, e.Document, text} }

// round looks at everything and writes what that proves, in the order in which
// pointers depend on each other. The last one finds nothing to write: it proves that
// all of it holds together.
type round struct {
	ctx       context.Context
	workspace *authority.Workspace
	options   AcceptOptions
	out       *AcceptResult
	written   map[writing]bool               // in this round and those before
	placed    map[writing][]*resolver.Record // the same, with another path
	carried   map[writing]bool               // pins that were written for the document that is theirs now, and as they were

	scan     *Scan
	entries  []Entry
	records  []*resolver.Record            // of each entry, as it would be accepted
	inFile   map[string][]int              // the entries that stand in a file
	moving   map[int]bool                  // entries that get another path
	standing map[pinned]int                // the first pin about something
	arriving map[pinned]int                // the same, by what they are about where that is said to be now
	lists    map[string][]*resolver.Record // the members of lists of inputs
	returns  map[string][]int              // removed, of each file
}

// prove resolves entries, with the refresh.
func (r *round) prove(entries []int) error {
	items := make([]resolver.Item, len(entries))
	for n, i := range entries {
		items[n] = r.entries[i].Item()
	}
	allowed, err := r.allowed(items)
	if err != nil {
		return err
	}
	records, err := resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{Refresh: true})
	if err != nil {
		return err
	}
	for n, i := range entries {
		if r.records[i] = records[n]; r.entries[i].Form == FormPin {
			r.records[i].Form = FormPin
		}
		r.judge(i, allowed == nil || allowed[n])
	}
	return nil
}

// allowed tells, for each item, whether what differs is little enough; nil when
// anything is.
func (r *round) allowed(items []resolver.Item) ([]bool, error) {
	if r.options.Difference == "" {
		return nil, nil
	}
	records, err := resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{})
	if err != nil {
		return nil, err
	}
	allowed := make([]bool, len(records))
	for i, record := range records {
		allowed[i] = record.Difference == selector.EOLOnly || record.Difference == r.options.Difference
	}
	return allowed, nil
}

// judge blocks what a refresh proved and is not to be accepted.
func (r *round) judge(i int, allowed bool) {
	e, record := r.entries[i], r.records[i]
	if e.Orphan != "" {
		r.block(i, authority.MissingReference, e.Orphan)
		return
	}
	if record.Outcome != resolver.Refreshed {
		return
	}
	now, err := resolver.ParseInText(record.PointerNow)
	switch {
	case err != nil:
		r.block(i, authority.MalformedSyntax, "the pointer that is valid now cannot be written down")
	case e.Form == FormPin && now.Selector().String() != e.Target.Selector().String():
		r.block(i, authority.StaleIdentity, "the lines moved, and a pin follows its document: correct the reference there, then pin it anew")
	case !allowed:
		r.block(i, authority.StaleIdentity, r.tooDifferent())
	case r.written[e.as(e.Text)]:
		r.block(i, authority.MalformedAuthority, "it changed again after it was accepted: it depends on itself")
	}
}

func (r *round) tooDifferent() string {
	return "the difference is not known to be " + r.options.Difference + " at most"
}

// block makes a record one that is left.
func (r *round) block(i int, code authority.Code, proof string) {
	f := &authority.Fault{Code: code, Proof: proof, Offset: -1}
	r.records[i] = resolver.Unproven(r.entries[i].Item(), r.records[i].Form, f)
}

// concerned reports whether the options let an entry be accepted.
func (r *round) concerned(i int) bool {
	if r.options.To == nil {
		return true
	}
	from := r.entries[i].File
	return slices.ContainsFunc([]resolver.Pointer{r.records[i].Subject(), r.now(i)}, func(p resolver.Pointer) bool {
		return !p.IsZero() && r.options.To.holds(p, from)
	})
}

// report sorts what the last round leaves into the result.
func (r *round) report(p *plan) {
	r.out.Left, r.out.Waiting, r.out.Carried, r.out.Fresh = nil, nil, nil, -len(r.out.Accepted) // what was written before is fresh now
	if r.options.DryRun {
		r.out.Fresh = 0
	}
	for _, b := range r.scan.Broken {
		r.out.Left = append(r.out.Left, b.record())
	}
	for i, record := range r.records {
		switch {
		case !r.concerned(i):
		case record.Outcome == resolver.Blocked:
			r.out.Left = append(r.out.Left, record)
		case r.onlyCarried(i) && !slices.Contains(p.waiting, i):
			r.out.Carried = append(r.out.Carried, record)
		case record.Outcome == resolver.Resolved:
			r.out.Fresh++
		}
	}
	for _, i := range p.waiting {
		r.out.Waiting = append(r.out.Waiting, r.records[i])
		if r.records[i].Outcome == resolver.Resolved {
			r.out.Fresh--
		}
	}
	r.out.Fresh = max(0, r.out.Fresh)
	number(r.out.Left)
	number(r.out.Accepted)
	number(r.out.Waiting)
	number(r.out.Carried)
}

// accepted notes an entry that was written. One that had got another path before
// is one acceptance.
func (r *round) accepted(i int) {
	e, record := r.entries[i], r.records[i]
	as, was := e.as(record.PointerNow), e.as(record.Pointer)
	before := r.placed[was]
	switch {
	case r.moving[i]:
		r.placed[as] = append(r.placed[as], record)
	case len(before) > 0:
		r.written[as] = true
		*before[0], r.placed[was] = *before[0].Then(record), before[1:]
		return
	default:
		r.written[as] = true
	}
	r.out.Accepted = append(r.out.Accepted, record)
}
