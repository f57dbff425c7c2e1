package envelope

import (
	"cmp"
	"slices"
)

// Finding is one thing that is wrong with an envelope, at one place of it.
type Finding struct {
	Pointer string `json:"pointer"`          // JSON Pointer (RFC 6901) into the document, "" for all of it; cut beyond 1000 bytes
	Code    string `json:"code"`             // one of Codes
	Message string `json:"message"`          // one sentence; it repeats no more of the document than a key
	Line    int    `json:"line"`             // in the file, from 1
	Column  int    `json:"column"`           // in bytes, from 1
	Advice  bool   `json:"advice,omitempty"` // reported without failing
}

// sortFindings puts findings in order of place and takes repeated ones out.
func sortFindings(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(list)
}

// failed reports whether any finding fails the envelope.
func failed(list []Finding) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return !f.Advice })
}
