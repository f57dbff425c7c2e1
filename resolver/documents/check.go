package documents

import (
	"context"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// CheckOptions say how a scan is proven.
type CheckOptions struct {
	Resolve resolver.Options
	Changes *authority.Changes // only what these can have changed is proven; nil for everything
}

// Result is what was proven of a scan.
type Result struct {
	Records  []*resolver.Record // in the order of places
	Files    int                // documents that were read
	Sparse   int                // tracked files that sparse-checkout leaves out, which were not
	Pointers int                // entries by what they are, those skipped included
	Pins     int
	Plain    int
	Skipped  int          // entries that no change touches
	Foreign  int          // permalinks of repositories that are not here
	Accepted []Acceptance // identities that the changes accepted
}

// Found is how many pointers, pins and plain references stand in the scope, and
// how many things could not be read.
func (r *Result) Found() int {
	found := r.Pointers + r.Pins + r.Plain
	for _, record := range r.Records {
		if record.Form == formDocument {
			found++
		}
	}
	return found
}

// formDocument is the form of a record about a document or a line of a pins file
// that could not be read.
const formDocument = "document"

// Check proves everything that a scan found as one batch. The error is a
// *resolver.InternalError, or of closing what was opened.
func Check(ctx context.Context, w *authority.Workspace, scan *Scan, o CheckOptions) (*Result, error) {
	c := &checker{ctx: ctx, workspace: w, options: o, staging: newStaging(ctx, w, o.Changes), out: &Result{Files: scan.Files, Sparse: scan.Sparse}}
	for _, e := range scan.Entries {
		c.take(e)
	}
	if err := c.prove(); err != nil {
		return nil, err
	}
	broken := scan.Broken
	if o.Changes != nil {
		var unknown []Broken
		c.out.Accepted, unknown = accepted(ctx, w, scan, o.Changes)
		broken = slices.Concat(broken, unknown, c.staging.hidden(scan, o.Changes))
	}
	for _, b := range broken {
		c.out.Records = append(c.out.Records, b.record())
	}
	number(c.out.Records)
	return c.out, nil
}

// checker is one check under way.
type checker struct {
	ctx       context.Context
	workspace *authority.Workspace
	options   CheckOptions
	staging   *staging // nil unless the check is of what is staged
	out       *Result

	items   []resolver.Item // pointers and pins
	forms   []string        // of each item, "" for a pointer
	plain   []resolver.Plain
	records []*resolver.Record // of what needs no proof to be blocked
}

// take counts an entry and puts it where it will be proven, unless nothing that
// changed touches it.
func (c *checker) take(e Entry) {
	switch e.Form {
	case FormPointer:
		c.out.Pointers++
	case FormPin:
		c.out.Pins++
	default:
		c.out.Plain++
	}
	if c.options.Changes != nil && !touched(e, c.options.Changes) {
		c.out.Skipped++
		return
	}
	if f := c.staging.hides(e); f != nil {
		c.block(e, f)
		return
	}
	switch {
	case e.Orphan != "":
		c.block(e, &authority.Fault{Code: authority.MissingReference, Proof: e.Orphan, Offset: -1})
	case e.Form == FormPin:
		c.items, c.forms = append(c.items, e.Item()), append(c.forms, FormPin)
	case e.Form == FormPointer:
		c.items, c.forms = append(c.items, e.Item()), append(c.forms, "")
	default:
		c.plain = append(c.plain, e.Plain)
	}
}

// block keeps the blocked record of an entry.
func (c *checker) block(e Entry, f *authority.Fault) {
	form := e.Form
	if form == FormPointer {
		form = ""
	}
	c.records = append(c.records, resolver.Unproven(e.Item(), form, f))
}

// Item is the entry as the resolver takes it.
func (e Entry) Item() resolver.Item {
	at := e.At
	return resolver.Item{Text: e.Text, InText: true, At: &at, From: e.File}
}

func (c *checker) prove() error {
	records, err := resolver.Resolve(c.ctx, c.workspace, c.items, c.options.Resolve)
	if err != nil {
		return err
	}
	for i, r := range records {
		r.Form = c.forms[i]
	}
	plain, err := resolver.ProvePlain(c.ctx, c.workspace, c.plain, resolver.PlainOptions{})
	if err != nil {
		return err
	}
	for i, r := range plain {
		if c.plain[i].Web != "" && r.Code == authority.MissingRepository {
			c.out.Foreign++
			continue
		}
		records = append(records, r)
	}
	records = append(records, c.records...)
	c.out.Records = records
	return nil
}
