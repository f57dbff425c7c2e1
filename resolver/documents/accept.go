package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// AcceptOptions say which identities are accepted.
type AcceptOptions struct {
	Scope      Scope     // in which documents
	To         *Target   // only pointers to it; nil for all
	Moved      []Move    // files and folders that a person says have moved
	Difference string    // only what differs at most so: eol-only or whitespace-only; "" for anything
	DryRun     bool      // nothing is written
	Again      Reopening // opens a fresh observation of the same root
}

// Reopening opens a further, fresh observation.
type Reopening func(ctx context.Context) (*authority.Workspace, error)

// Move is a file or folder that stands elsewhere now, both relative to the root.
type Move struct{ Old, New string }

// AcceptResult says what became of the pointers and pins of a scope.
type AcceptResult struct {
	Accepted []*resolver.Record // refreshed: written, or would be, with the pointer now
	Left     []*resolver.Record // blocked: nothing was adopted
	Waiting  []*resolver.Record // under DryRun: accepted once others are written
	Fresh    int                // pointers and pins that needed nothing
}

// Accept writes down, in documents and pins files, what a refresh proves, those
// first on which no other's identity depends: a pointer to a text in which pointers
// are rewritten gets its identity when that is done. Pointers that depend on each
// other in a circle are left. Each file is replaced in one step. The error is a
// *authority.Fault, or of opening or resolving.
func Accept(ctx context.Context, w *authority.Workspace, o AcceptOptions) (*AcceptResult, error) {
	out := &AcceptResult{}
	for most := 1; ; {
		r := &round{ctx: ctx, workspace: w, options: o, out: out}
		written, err := r.run()
		if err != nil || written == 0 || o.DryRun {
			return out, err
		}
		// Each round takes at least one pointer off the longest chain.
		if most = max(most, len(r.entries)+1); len(out.Accepted) > most*most {
			return out, &authority.Fault{Code: authority.AmbiguousObservation, Proof: "the documents keep changing while they are written", Offset: -1}
		}
		if w, err = o.Again(ctx); err != nil {
			return nil, err
		}
		defer w.Close()
	}
}

// round writes every pointer of which nothing that is still to be written is a
// part.
type round struct {
	ctx       context.Context
	workspace *authority.Workspace
	options   AcceptOptions
	out       *AcceptResult

	scan    *Scan
	entries []Entry
	records []*resolver.Record // of each entry, as it would be accepted
}

// run returns how many pointers were written, or would be.
func (r *round) run() (int, error) {
	var err error
	if r.scan, err = ScanDocuments(r.ctx, r.workspace, r.options.Scope); err != nil {
		return 0, err
	}
	r.entries = r.scan.Entries
	if err := r.prove(); err != nil {
		return 0, err
	}
	r.refuseCircles()
	ready, waiting := r.ready()
	written := r.write(ready)
	r.report(ready, waiting)
	return written, nil
}

// prove resolves every entry, with the refresh.
func (r *round) prove() error {
	allowed, err := r.allowed()
	if err != nil {
		return err
	}
	items := make([]resolver.Item, len(r.entries))
	for i, e := range r.entries {
		items[i] = e.Item()
	}
	if r.records, err = resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{Refresh: true}); err != nil {
		return err
	}
	for i, e := range r.entries {
		if e.Form == FormPin {
			r.records[i].Form = FormPin
		}
		r.judge(i, allowed)
	}
	return r.move()
}

// allowed tells, for each entry, whether what differs is little enough; nil when
// anything is.
func (r *round) allowed() ([]bool, error) {
	if r.options.Difference == "" {
		return nil, nil
	}
	items := make([]resolver.Item, len(r.entries))
	for i, e := range r.entries {
		items[i] = e.Item()
	}
	records, err := resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{})
	if err != nil {
		return nil, err
	}
	allowed := make([]bool, len(records))
	for i, record := range records {
		allowed[i] = record.Difference == "eol-only" || record.Difference == r.options.Difference
	}
	return allowed, nil
}

// judge blocks what a refresh proved and is not to be accepted.
func (r *round) judge(i int, allowed []bool) {
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
	case allowed != nil && !allowed[i]:
		r.block(i, authority.StaleIdentity, "the difference is not known to be "+r.options.Difference+" at most")
	}
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
	p := r.records[i].Subject()
	return !p.IsZero() && r.options.To.Holds(p, r.entries[i].File)
}

// candidate reports whether an entry would be rewritten.
func (r *round) candidate(i int) bool {
	return r.records[i].Outcome == resolver.Refreshed && r.concerned(i)
}

// report sorts what the last round leaves into the result.
func (r *round) report(ready, waiting []int) {
	for _, i := range ready {
		if r.records[i].Outcome == resolver.Refreshed {
			r.out.Accepted = append(r.out.Accepted, r.records[i])
		}
	}
	r.out.Left, r.out.Waiting, r.out.Fresh = nil, nil, 0
	for _, b := range r.scan.Broken {
		r.out.Left = append(r.out.Left, b.record())
	}
	for i, record := range r.records {
		switch {
		case record.Outcome == resolver.Resolved:
			r.out.Fresh++
		case record.Outcome == resolver.Blocked && r.concerned(i):
			r.out.Left = append(r.out.Left, record)
		}
	}
	for _, i := range waiting {
		r.out.Waiting = append(r.out.Waiting, r.records[i])
	}
	if !r.options.DryRun {
		r.out.Fresh = max(0, r.out.Fresh-len(r.out.Accepted)) // those of earlier rounds are fresh now
	}
	number(r.out.Left)
	number(r.out.Accepted)
	number(r.out.Waiting)
}

// move accepts, for files that a person says have moved, the new place where the
// stated identity stands.
func (r *round) move() error {
	var items []resolver.Item
	var which []int
	for i, e := range r.entries {
		if to, ok := r.moved(i); ok {
			item := e.Item()
			item.Text = to.String()
			items, which = append(items, item), append(which, i)
		}
	}
	records, err := resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{})
	if err != nil {
		return err
	}
	for n, i := range which {
		if records[n].Outcome == resolver.Resolved {
			r.records[i] = r.records[i].MovedTo(records[n])
		}
	}
	return nil
}

// moved returns the pointer of an entry at the place that its file is said to have
// moved to.
func (r *round) moved(i int) (resolver.Pointer, bool) {
	p, from := r.records[i].Subject(), r.entries[i].File
	if p.IsZero() || r.records[i].Outcome != resolver.Blocked {
		return p, false
	}
	at, ok := p.Path(from)
	for _, m := range r.options.Moved {
		if ok && within(m.Old, at) {
			to := m.New + strings.TrimPrefix(at, m.Old)
			return p.At(to, from)
		}
	}
	return p, false
}

// circle names the places of pointers that depend on each other.
func (r *round) circle(entries []int) string {
	names := make([]string, len(entries))
	for n, i := range entries {
		names[n] = fmt.Sprintf("%s:%d", r.entries[i].At.Path, r.entries[i].At.Line)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
