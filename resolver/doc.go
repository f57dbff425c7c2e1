// Package resolver turns Context Pointers into resolved identities or exact
// blocked records. It reads a pointer, looks at its authority once, proves its
// freshness rules, performs at most one bounded refresh when asked to, and
// never picks a near match.
//
// Start with pointer.go for the grammar, then record.go for what comes out. Beside
// that plain.go proves references that state no identity, and diff.go says what
// changed since a stated one. Of the packages below, reference finds what stands in
// a document, pins reads and writes pins files, documents works on both, envelope
// checks what pointers travel in, and report renders records for others.
package resolver
