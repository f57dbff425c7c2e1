package selector

// Listed is one part of a document that a selector names: what is listed
// resolves to this very range.
type Listed struct {
	Selector string // the selector's text
	Range
	Kind string // what the part is, such as "function" or "heading"
}
