package tables

import "sort"

// finish records every syntax error and gap in the outline, and marks the
// definitions that they leave unproven. A parser that reads from left to right
// has read a definition rightly, and the way to it, where everything up to its
// end made sense; what follows cannot change that.
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
		if def := &w.out.Defs[i]; first < def.To || w.Nodes[0].Kind == "ERROR" {
			def.Broken = first
		}
	}
}
