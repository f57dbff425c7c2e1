//go:build cgo

// Package grammar is where C comes in: the tree-sitter runtime and the grammars
// of the languages. Nothing but the companion imports it.
package grammar

import (
	"sync"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Grammar is one grammar, ready to parse one source at a time.
type Grammar struct {
	language *sitter.Language
	kinds    []kind   // by number
	fields   []string // by number
	scratch           // what parsing one source leaves to the next
}

// kind is what is asked of every node, by the number of its kind.
type kind struct {
	name   string
	named  bool
	opaque bool
}

// errorKind is the number of the kind of an ERROR node.
const errorKind = 1<<16 - 1

// load makes the Grammar of a language whose table has opaque kinds.
func load(pointer unsafe.Pointer, opaque []string) *Grammar {
	g := &Grammar{language: sitter.NewLanguage(pointer)}
	skip := make(map[string]bool, len(opaque))
	for _, k := range opaque {
		skip[k] = true
	}
	for id := range uint16(g.language.NodeKindCount()) {
		name := g.language.NodeKindForId(id)
		g.kinds = append(g.kinds, kind{name: name, named: g.language.NodeKindIsNamed(id), opaque: skip[name]})
	}
	for id := range uint16(g.language.FieldCount() + 1) {
		g.fields = append(g.fields, g.language.FieldNameForId(id))
	}
	return g
}

// grammars has those that were asked for.
var grammars struct {
	sync.Mutex
	loaded map[string]*Grammar
}

// Of returns the grammar of a language whose table has opaque kinds, nil where this
// build has none. A language always has the same ones.
func Of(language string, opaque []string) *Grammar {
	grammars.Lock()
	defer grammars.Unlock()
	if g := grammars.loaded[language]; g != nil {
		return g
	}
	pointer := pointerOf(language)
	if pointer == nil {
		return nil
	}
	if grammars.loaded == nil {
		grammars.loaded = make(map[string]*Grammar)
	}
	g := load(quick(language, pointer), opaque)
	grammars.loaded[language] = g
	return g
}

// kindOf returns what is known of the kind with a number.
func (g *Grammar) kindOf(number uint16) kind {
	if number == errorKind {
		return kind{name: "ERROR", named: true}
	}
	return g.kinds[number]
}
