package tables

import (
	"bytes"
	"sort"

	"ctxptr/authority/selector/symbols"
)

// finish records every syntax error and gap in the outline, and marks the
// definitions that they leave unproven. A parser that reads from left to right
// has read a definition rightly, and the way to it, where everything up to its
// end made sense and the end is one: what follows cannot change that.
func (w *walker) finish() {
	w.out.Errors = append(w.out.Errors, w.gaps...)
	for i := range w.Nodes {
		if n := &w.Nodes[i]; n.Missing || n.Kind == "ERROR" {
			w.out.Errors = append(w.out.Errors, n.Span)
		}
	}
	if len(w.out.Errors) == 0 {
		return
	}
	sort.Slice(w.out.Errors, func(i, j int) bool {
		a, b := w.out.Errors[i], w.out.Errors[j]
		return a.From < b.From || a.From == b.From && a.To < b.To
	})
	first := w.out.Errors[0].From
	for i := range w.out.Defs {
		if def := &w.out.Defs[i]; first < def.To || w.Nodes[0].Kind == "ERROR" || w.cutOff(def, first) {
			def.Broken = first
		}
	}
}

// cutOff reports whether an error stands directly behind a definition that
// nothing closes, so that the error may be the rest of it.
func (w *walker) cutOff(def *symbols.Def, first int) bool {
	next, line := w.skipBlank(def.To)
	if next < first || w.lang.lines && line {
		return false
	}
	text := w.Source[def.From:def.To]
	switch {
	case bytes.HasSuffix(text, []byte(";")):
		return false
	case bytes.HasSuffix(text, []byte("}")), w.lang.end && bytes.HasSuffix(text, []byte("end")):
		return isValue(def.Kind)
	}
	return true
}

// isValue reports whether a definition of a kind ends with an expression, which
// a bracket at its end does not close.
func isValue(kind string) bool {
	switch kind {
	case "variable", "property", "value", "constant", "field", "export", "type", "static":
		return true
	}
	return false
}

// skipBlank returns where the next token after at begins that is no comment,
// and whether a line ends before it.
func (w *walker) skipBlank(at int) (next int, line bool) {
	for at < len(w.Source) {
		i := sort.Search(len(w.comments), func(i int) bool { return w.comments[i].From >= at })
		switch {
		case symbols.IsSpace(w.Source[at]):
			line = line || w.Source[at] == '\n'
			at++
		case i < len(w.comments) && w.comments[i].From == at && w.comments[i].To > at:
			at = w.comments[i].To
		default:
			return at, line
		}
	}
	return at, line
}
