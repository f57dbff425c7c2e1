//go:build cgo && !binding

// The scanner of the Kotlin grammar reads on to the next "$" or """ whenever
// the parser asks for any token at all, which it does each time one of its
// guesses does not work out: mostly to the end of the file, so that a file took
// time by the square of its length. Here it is put near that place at once. It
// comes to the same tokens: nothing on the way means anything to it.

#include "leap_linux.h"

#include <stdbool.h>
#include <stdlib.h>

// What is used of tree_sitter/parser.h at version 14, which is not on the path
// of this package.
enum { VERSION = 14, EXTERNAL_TOKENS = 11, MULTILINE_STRING_CONTENT = 6 };

// A place in the text, as the runtime has it.
typedef struct { uint32_t byte, row, column; } place;

// The lexer that a scanner is given, and what the runtime has right behind it.
typedef struct lexer lexer;
struct lexer {
	int32_t lookahead;
	uint16_t result;
	void (*advance)(lexer *, bool);
	void (*others[5])(void);
	place at; // of lookahead
};

typedef bool scanner(void *payload, lexer *, const bool *valid);

typedef struct {
	uint32_t version, symbols, aliases, tokens, external_tokens, numbers[4];
	uint16_t alias_length;
	const void *tables[15];
	uint16_t keyword;
	struct {
		const void *states, *symbols;
		void *(*create)(void);
		void (*destroy)(void *);
		scanner *scan;
		unsigned (*serialize)(void *, char *);
		void (*deserialize)(void *, const char *, unsigned);
	} external;
	const uint16_t *primary_states;
} grammar;

__attribute__((weak)) extern scanner tree_sitter_kotlin_external_scanner_scan;

static const char *text;
static uint32_t length;

// The last leap: from anywhere between the two it goes to the second.
static uint32_t leap_from;
static place leap_to;

void leap_source(const char *t, uint32_t n) {
	text = t;
	length = n;
	leap_from = UINT32_MAX;
}

static uint32_t size_of(unsigned char first) {
	return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// may_stop returns whether a scanner of multiline strings may stop at a byte: it
// takes only some letters behind "$", and which are letters is the system's to say.
static bool may_stop(uint32_t i) {
	unsigned char next = i + 1 < length ? text[i + 1] : 0;
	if (text[i] == '$') return next == '{' || next >= 0x80 || (next | 0x20) >= 'a' && (next | 0x20) <= 'z';
	return text[i] == '"' && next == '"' && i + 2 < length && text[i + 2] == '"';
}

// find sets the leap from a place: to the last character before a stop.
static void find(place from) {
	leap_from = from.byte;
	leap_to = from;
	uint32_t row = from.row, line = from.byte - from.column;
	for (uint32_t i = from.byte; i < length && !may_stop(i); i++) {
		if ((text[i] & 0xc0) != 0x80) leap_to = (place){i, row, i - line};
		if (text[i] == '\n') {
			row++;
			line = i + 1;
		}
	}
}

// leap moves a lexer near to where the scanner will stop. What is one character
// away is not leapt over, so that the scanner sees that it moved.
static void leap(lexer *l) {
	if (l->at.byte >= length) return;
	unsigned char here = text[l->at.byte];
	if (here < 0x80 ? l->lookahead != here : l->lookahead < 0x80) return; // not where it says
	if (l->at.byte < leap_from || l->at.byte > leap_to.byte) find(l->at);
	while (l->lookahead == '\n' && l->at.byte < leap_to.byte) l->advance(l, false);
	if (l->at.byte >= leap_to.byte) return;
	// The next advance adds the character that is there now.
	uint32_t size = size_of(text[l->at.byte]);
	l->at = (place){leap_to.byte - size, leap_to.row, leap_to.column - size};
	l->advance(l, false);
}

static bool scan_kotlin(void *payload, lexer *l, const bool *valid) {
	if (valid[MULTILINE_STRING_CONTENT]) leap(l);
	return tree_sitter_kotlin_external_scanner_scan(payload, l, valid);
}

const void *leap_kotlin(const void *given) {
	const grammar *g = given;
	if (g->version != VERSION || g->external_tokens != EXTERNAL_TOKENS) return given;
	if (g->external.scan != tree_sitter_kotlin_external_scanner_scan) return given;
	grammar *copy = malloc(sizeof *copy);
	if (copy == NULL) return given;
	*copy = *g;
	copy->external.scan = scan_kotlin;
	return copy;
}
