package tables

import (
	"sort"

	"ctxptr/authority/selector/symbols"
)

// finish records every syntax error and gap in the outline, and marks the
// definitions that they leave unproven: an error before its end, inside it, or
// directly in a node around it.
func (w *walker) finish() {
	w.out.Errors = append(w.out.Errors, w.gaps...)
	var around []symbols.Span
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if !n.Missing && n.Kind != "ERROR" {
			continue
		}
		w.out.Errors = append(w.out.Errors, n.Span)
		if n.Parent > 0 {
			around = append(around, w.Nodes[n.Parent].Span)
		}
	}
	if w.Nodes[0].Kind == "ERROR" {
		around = append(around, symbols.Span{From: 0, To: len(w.Source)})
	}
	if len(w.out.Errors) == 0 {
		return
	}
	sort.Slice(w.out.Errors, func(i, j int) bool { return w.out.Errors[i].From < w.out.Errors[j].From })
	first := w.out.Errors[0].From
	around = outermost(around)
	for i := range w.out.Defs {
		def := &w.out.Defs[i]
		switch {
		case first < def.To:
			def.Broken = first
		case covered(around, def.Span):
			def.Broken = first
		}
	}
}

// outermost returns the spans that no other one covers, in order. Of two nodes
// one covers the other or they are apart.
func outermost(spans []symbols.Span) []symbols.Span {
	sort.Slice(spans, func(i, j int) bool {
		a, b := spans[i], spans[j]
		return a.From < b.From || a.From == b.From && a.To > b.To
	})
	var out []symbols.Span
	for _, s := range spans {
		if len(out) == 0 || s.From >= out[len(out)-1].To {
			out = append(out, s)
		}
	}
	return out
}

func covered(spans []symbols.Span, s symbols.Span) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].To >= s.To })
	return i < len(spans) && spans[i].From <= s.From
}
