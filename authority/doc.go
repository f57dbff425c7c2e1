// Package authority knows the kinds of authority a Context Pointer can name:
// how each is located, what is observed there, and how its identity is
// computed. A new kind is one file, one line in the table of kind.go, and
// vectors under testdata/vectors.
//
// A Locator or Identity exists only if it came through its parser. Everything
// that cannot be proven is a *Fault with one code of the closed set in code.go.
//
// Start with kind.go for what a kind and a locator are, then observation.go for one
// look at an authority, and file.go for the plainest kind. workspace.go is where all
// of them look; composite.go composes the identities of those without bytes of their
// own.
//
// Beside observing, a Workspace reads documents (documents.go), says what differs
// between two states (changes.go), searches history for where an identity stood last
// (lineage.go), and replaces a file in one step (replace.go), which is all that it
// ever writes.
package authority
