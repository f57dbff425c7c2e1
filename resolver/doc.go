// Package resolver turns Context Pointers into resolved identities or exact
// blocked records. It reads a pointer, looks at its authority once, proves its
// freshness rules, performs at most one bounded refresh when asked to, and
// never picks a near match.
//
// Start with pointer.go for the grammar, then record.go for what comes out.
package resolver
