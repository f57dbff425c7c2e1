package selector

// Listed is one part of a document that a selector names: what a listing shows
// and what the selector resolves to are the same range.
type Listed struct {
	Selector string // decoded text, as Parse takes it
	Range
	Kind string // what the part is, such as "heading" or "object"
}
