// Package selector finds the part of a document that a selector names: a byte
// range, proven to be the only one. It reads nothing but the bytes it is given.
//
// One implementation per type both lists and selects, so what is listed
// resolves and what resolves is listed. A new type is one file and one line in
// the table of table.go.
//
// Start with selector.go for what a selector is, and lines.go for the smallest type.
// Three readers stand behind the others: outline.go knows a Markdown document,
// at_tree.go one of data, symbol_definitions.go one of source code, which Go apart a
// companion process parses (symbol_session.go).
package selector
