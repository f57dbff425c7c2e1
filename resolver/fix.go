package resolver

import (
	"slices"
	"unicode/utf8"
)

// fixBy notes the command that would supply the proof. One that JSON cannot spell is
// left out: what would be run is another one.
func (r *Record) fixBy(argv []string) {
	if !slices.ContainsFunc(argv, func(word string) bool { return !utf8.ValidString(word) }) {
		r.Fix = argv
	}
}

// askedWith is the command, run at the root, that resolves the pointer with flags.
func (t task) askedWith(flags []string) []string {
	argv := append([]string{"ctxptr", "resolve"}, flags...)
	if from := t.key().from; from != "" {
		argv = append(argv, "--from", from)
	}
	return append(argv, t.pointer.String())
}
