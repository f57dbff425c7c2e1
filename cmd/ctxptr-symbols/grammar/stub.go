//go:build !cgo

// Package grammar has no grammars in a build without cgo: the companion then
// answers that it can parse no language.
package grammar

import "ctxptr/cmd/ctxptr-symbols/tables"

// Grammar is one grammar; this build has none.
type Grammar struct{}

// Languages returns the languages of this build.
func Languages() []string { return nil }

// Of returns nil: this build has no grammar.
func Of(string, []string) *Grammar { return nil }

// Parse returns nil: there is no Grammar to call it on.
func (*Grammar) Parse([]byte) *tables.Tree { return nil }

// LimitMemory has nothing to limit.
func LimitMemory(int) {}

// Allow has nothing to limit.
func Allow(int64) {}
