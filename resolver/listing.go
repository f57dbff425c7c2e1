package resolver

import (
	"context"
	"errors"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// ListingSchema names the schema of a Part.
const ListingSchema = "ctxptr.listing/v1"

// Part is one part of an authority that a selector names: a line of a listing.
type Part struct {
	Schema   string `json:"schema"`   // ListingSchema
	Selector string `json:"selector"` // decoded text, as mint --select takes it
	Kind     string `json:"kind"`     // heading, anchor, item, function, object, …
	Bytes    [2]int `json:"bytes"`    // [from, to)
	Lines    [2]int `json:"lines"`    // [first, last] from 1
}

// Lister lists the parts of a document: selector.Symbols, Sections or Keys.
type Lister func(context.Context, *selector.Document) ([]selector.Listed, error)

// List lists the parts of the authority that a mint target without a fragment
// names; what is listed resolves to exactly its range. The error is a
// *authority.Fault or a *TargetError.
func List(ctx context.Context, w *authority.Workspace, folder, target string, list Lister) ([]Part, error) {
	want, err := ParseTarget(ctx, w, folder, target)
	if err != nil {
		return nil, err
	}
	observation, err := want.Locator.Observe(ctx, w, "")
	if err != nil {
		return nil, err
	}
	doc, err := observation.Document(ctx)
	if err != nil {
		return nil, err
	}
	listed, err := list(ctx, doc)
	if _, ok := errors.AsType[*selector.Error](err); ok {
		return nil, authority.SelectorFault(err)
	}
	if err != nil {
		return nil, err
	}
	parts := make([]Part, len(listed))
	for i, l := range listed {
		first, last := doc.Lines(l.Range)
		parts[i] = Part{ListingSchema, l.Selector, l.Kind, [2]int{l.From, l.To}, [2]int{first, last}}
	}
	return parts, nil
}
