//go:build cgo && !binding

// This is parsing with one crossing into C a file, which is three times as fast
// as the runtime's Go binding and counts every byte that the runtime allocates.

package grammar

/*
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "leap_linux.h"

// The part of the runtime's tree_sitter/api.h that is used here, which is not on
// the path of this package. The functions are weak because cgo links every
// package by itself first; the runtime's own are there in the end.
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
#define RUNTIME __attribute__((weak)) extern
RUNTIME void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
RUNTIME void *ts_parser_new(void);
RUNTIME void ts_parser_delete(void *);
RUNTIME bool ts_parser_set_language(void *, const void *);
RUNTIME void *ts_parser_parse_string(void *, const void *, const char *, uint32_t);
RUNTIME void ts_tree_delete(void *);
RUNTIME TSNode ts_tree_root_node(const void *);
RUNTIME TSTreeCursor ts_tree_cursor_new(TSNode);
RUNTIME void ts_tree_cursor_delete(TSTreeCursor *);
RUNTIME TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
RUNTIME uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_parent(TSTreeCursor *);
RUNTIME uint16_t ts_node_symbol(TSNode);
RUNTIME uint32_t ts_node_start_byte(TSNode);
RUNTIME uint32_t ts_node_end_byte(TSNode);
RUNTIME bool ts_node_has_error(TSNode);
RUNTIME bool ts_node_is_missing(TSNode);

static int64_t used, limit = INT64_MAX;
static int code;

static void *count(void *p) {
	if (p == NULL) _exit(code);
	used += malloc_usable_size(p);
	if (used > limit) _exit(code);
	return p;
}

static void *count_malloc(size_t n) { return count(malloc(n)); }

static void *count_calloc(size_t n, size_t size) { return count(calloc(n, size)); }

static void *count_realloc(void *p, size_t n) {
	used -= malloc_usable_size(p);
	return count(realloc(p, n));
}

static void count_free(void *p) {
	used -= malloc_usable_size(p);
	free(p);
}

static void limit_memory(int exit_code) {
	code = exit_code;
	ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free);
}

static void allow(int64_t bytes) { limit = bytes; }

// One node, as a tables.Node with numbers for names.
typedef struct {
	uint32_t from, to;
	int32_t parent, first, next;
	uint16_t kind, field;
	uint8_t missing;
} node;

// What parse returns: count nodes; deep when the tree nests too deep to go on.
typedef struct {
	node *nodes;
	int32_t count;
	bool deep;
} copy;

typedef struct {
	copy out;
	int32_t size;
	const uint8_t *opaque; // by kind
	bool broken;           // the tree has an error
} copier;

// add appends the node at the cursor and returns whether to look inside.
static bool add(copier *c, const TSTreeCursor *cursor, int32_t parent, int32_t previous) {
	if (c->out.count == c->size) {
		c->size = c->size ? 2 * c->size : 1024;
		c->out.nodes = count_realloc(c->out.nodes, c->size * sizeof(node));
	}
	TSNode n = ts_tree_cursor_current_node(cursor);
	int32_t id = c->out.count++;
	c->out.nodes[id] = (node){
		.from = ts_node_start_byte(n), .to = ts_node_end_byte(n),
		.parent = parent, .first = -1, .next = -1,
		.kind = ts_node_symbol(n), .field = ts_tree_cursor_current_field_id(cursor),
		.missing = c->broken && ts_node_is_missing(n),
	};
	if (previous >= 0) c->out.nodes[previous].next = id;
	else if (parent >= 0) c->out.nodes[parent].first = id;
	uint16_t kind = c->out.nodes[id].kind;
	return kind == UINT16_MAX || !c->opaque[kind] || (c->broken && ts_node_has_error(n));
}

// walk copies the tree in document order.
static void walk(copier *c, TSTreeCursor *cursor, int max_depth) {
	int32_t parent = -1, previous = -1;
	for (int depth = 0;;) {
		bool inside = add(c, cursor, parent, previous);
		previous = c->out.count - 1;
		if (inside && ts_tree_cursor_goto_first_child(cursor)) {
			if (++depth > max_depth) {
				c->out.deep = true;
				return;
			}
			parent = previous;
			previous = -1;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			if (!ts_tree_cursor_goto_parent(cursor)) return;
			depth--;
			previous = parent;
			parent = c->out.nodes[parent].parent;
		}
	}
}

// parse parses a source. There are no nodes where grammar and runtime do not go
// together.
static copy parse(const void *language, const char *source, uint32_t length, const uint8_t *opaque, int max_depth) {
	copier c = {.opaque = opaque};
	leap_source(source, length);
	void *parser = ts_parser_new();
	void *tree = ts_parser_set_language(parser, language) ? ts_parser_parse_string(parser, NULL, source, length) : NULL;
	if (tree) {
		TSNode root = ts_tree_root_node(tree);
		c.broken = ts_node_has_error(root);
		TSTreeCursor cursor = ts_tree_cursor_new(root);
		walk(&c, &cursor, max_depth);
		ts_tree_cursor_delete(&cursor);
		ts_tree_delete(tree);
	}
	ts_parser_delete(parser);
	return c.out;
}

static void release(copy c) { if (c.nodes) count_free(c.nodes); }
*/
import "C"

import (
	"unsafe"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/tables"
)

// LimitMemory ends the process with an exit code when the runtime has more
// memory than Allow granted.
func LimitMemory(exitCode int) { C.limit_memory(C.int(exitCode)) }

// Allow sets how many bytes the runtime may have from now on.
func Allow(bytes int64) { C.allow(C.int64_t(bytes)) }

// quick returns the grammar of a language, or one that makes the same trees in
// less time.
func quick(language string, grammar unsafe.Pointer) unsafe.Pointer {
	if language == symbols.Kotlin {
		return unsafe.Pointer(C.leap_kotlin(grammar))
	}
	return grammar
}

type scratch struct {
	opaque []byte        // a byte for each kind that is 1 where it is opaque, and one more
	nodes  []tables.Node // of the last tree
}

// Parse parses source and copies the tree, without what is inside opaque nodes
// that have no error. It returns nil where the grammar and the runtime do not
// go together. The tree lasts until g parses the next source.
func (g *Grammar) Parse(source []byte) *tables.Tree {
	if g.opaque == nil {
		g.opaque = opaqueOf(g.kinds)
	}
	text := append(source[:len(source):len(source)], 0) // so that there is a first byte
	c := C.parse(unsafe.Pointer(g.language.Inner), (*C.char)(unsafe.Pointer(&text[0])), C.uint32_t(len(source)), (*C.uint8_t)(&g.opaque[0]), tables.MaxDepth)
	defer C.release(c)
	if c.nodes == nil {
		return nil
	}
	out := &tables.Tree{Source: source, Deep: bool(c.deep), Nodes: g.space(int(c.count))}
	nodes := unsafe.Slice(c.nodes, int(c.count))
	for i := range nodes {
		n := &nodes[i]
		k := g.kindOf(uint16(n.kind))
		out.Nodes[i] = tables.Node{
			Span: symbols.Span{From: int(n.from), To: int(n.to)}, Kind: k.name, Field: g.fields[n.field],
			Parent: tables.ID(n.parent), First: tables.ID(n.first), Next: tables.ID(n.next),
			Named: k.named, Missing: n.missing != 0,
		}
	}
	out.MarkBroken()
	return out
}

// opaqueOf returns which kinds are opaque, for C.
func opaqueOf(kinds []kind) []byte {
	opaque := make([]byte, len(kinds)+1)
	for i, k := range kinds {
		if k.opaque {
			opaque[i] = 1
		}
	}
	return opaque
}

// space returns room for n nodes, the same as before where they are few: what is new
// comes from the system page by page.
func (g *Grammar) space(n int) []tables.Node {
	const few = 1 << 14
	if n > few {
		return make([]tables.Node, n)
	}
	if n > len(g.nodes) {
		g.nodes = make([]tables.Node, min(2*n, few))
	}
	return g.nodes[:n:n]
}
