package tables

import (
	"sort"

	"ctxptr/authority/selector/symbols"
)

// heredoc is a here document: the place that begins it and its text, which
// stands behind the line of that place.
type heredoc struct{ begin, text symbols.Span }

// findHeredocs pairs the places with the texts: texts stand in the order of
// the places. Where that does not come out even, the texts are gaps.
func (w *walker) findHeredocs() {
	if !w.lang.heredocs {
		return
	}
	var begins, texts []symbols.Span
	for i := range w.Nodes {
		switch w.Nodes[i].Kind {
		case "heredoc_beginning":
			begins = append(begins, w.Nodes[i].Span)
		case "heredoc_body":
			texts = append(texts, w.Nodes[i].Span)
		}
	}
	if len(begins) != len(texts) {
		w.gaps = append(append(w.gaps, begins...), texts...)
		return
	}
	for i, b := range begins {
		if texts[i].From < b.To {
			w.gaps = append(w.gaps, b)
			continue
		}
		w.heredocs = append(w.heredocs, heredoc{b, texts[i]})
	}
}

// withHeredocs moves the end of a definition behind the texts of the here
// documents that begin in it. Where something else follows on its line, which
// would then be in the middle of it, the definition is a gap.
func (w *walker) withHeredocs(at symbols.Span) symbols.Span {
	to := at.To
	for i := sort.Search(len(w.heredocs), func(i int) bool { return w.heredocs[i].begin.From >= at.From }); i < len(w.heredocs) && w.heredocs[i].begin.From < at.To; i++ {
		to = max(to, w.heredocs[i].text.To)
	}
	if to == at.To {
		return at
	}
	if _, line := w.skipBlank(at.To); !line {
		w.gaps = append(w.gaps, at)
		return at
	}
	at.To = w.trimEnd(at.From, to)
	return at
}
