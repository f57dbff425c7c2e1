package documents

import (
	"path"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// Move is a file or folder that stands elsewhere now, both relative to the root.
type Move struct{ Old, New string }

// move accepts, for files that a person says have moved, the new place where the
// stated identity stands.
func (r *round) move() error {
	var items []resolver.Item
	var which []int
	r.arrive()
	for i, e := range r.entries {
		if to, ok := r.moved(i); ok {
			item := e.Item()
			item.Text = to.String()
			items, which = append(items, item), append(which, i)
		}
	}
	records, err := resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{})
	if err != nil {
		return err
	}
	for n, i := range which {
		if records[n].Outcome != resolver.Resolved {
			continue
		}
		if e := r.entries[i]; e.Form == FormPin && !r.scan.scanner.refers(e.Document, records[n].Subject(), e.File) {
			r.block(i, authority.MissingReference, "no reference in "+authority.Quote(e.Document)+" names the new place: correct it there first")
			continue
		}
		r.records[i], r.moving[i] = r.records[i].MovedTo(records[n]), true
	}
	return nil
}

// moved returns the pointer of an entry at the place that its file is said to have
// moved to, also where something else stands at the old one.
func (r *round) moved(i int) (resolver.Pointer, bool) {
	p, from := r.records[i].Subject(), r.entries[i].File
	here := r.entries[i].as(r.entries[i].Text)
	if p.IsZero() || r.written[here] || len(r.placed[here]) > 0 {
		return p, false // it was written by this run: each moves once
	}
	to, ok := elsewhere(p, from, r.options.Moved)
	if !ok || r.records[i].Outcome == resolver.Resolved && (r.options.Scope.followed || !r.displaced(i, to)) {
		return p, false
	}
	return to, true
}

// elsewhere returns a pointer, which stands in the file from, at the place that its
// own is said to be now.
func elsewhere(p resolver.Pointer, from string, moves []Move) (resolver.Pointer, bool) {
	at, ok := p.Path(from)
	if !ok {
		return p, false
	}
	to, ok := relocated(at, moves)
	if !ok || to == at {
		return p, false
	}
	return p.At(to, from)
}

// pinned is what a pin of a document is about.
type pinned struct {
	document string
	about    subject
}

// arrive notes what pins are about, and of those about what is said to be elsewhere now
// also what they would be about there.
func (r *round) arrive() {
	r.standing, r.arriving = map[pinned]int{}, map[pinned]int{}
	if len(r.options.Moved) == 0 {
		return
	}
	note := func(in map[pinned]int, e Entry, p resolver.Pointer, i int) {
		as := pinned{e.Document, subjectOf("", e.File, p)}
		if _, known := in[as]; !known {
			in[as] = i
		}
	}
	for i, e := range r.entries {
		if e.Form != FormPin {
			continue
		}
		note(r.standing, e, e.Target, i)
		if to, ok := elsewhere(e.Target, e.File, r.options.Moved); ok {
			note(r.arriving, e, to, i)
		}
	}
}

// displaced reports whether a pin that holds where it is has to go to the new place all
// the same: its document names both, and another pin of it, of equal bytes, stands or
// comes there. The two would be one line, and a reference be left without.
func (r *round) displaced(i int, to resolver.Pointer) bool {
	for range r.options.Moved { // pins that all hold in a circle stay
		e := r.entries[i]
		if e.Form != FormPin || !r.scan.scanner.refers(e.Document, to, e.File) {
			return false
		}
		here := pinned{e.Document, subjectOf("", e.File, e.Target)}
		if r.standing[here] != i {
			return true
		}
		next, comes := r.arriving[here]
		if !comes || r.records[next].Outcome != resolver.Resolved {
			return comes
		}
		i, to = next, e.Target
	}
	return false
}

// relocated returns where a path is said to stand now, false for one of which nothing
// is said: of several moves that fit, the one that says most.
func relocated(p string, moves []Move) (string, bool) {
	var best *Move
	for n, m := range moves {
		if within(m.Old, p) && (best == nil || within(best.Old, m.Old)) {
			best = &moves[n]
		}
	}
	if best == nil {
		return p, false
	}
	below := strings.TrimPrefix(p, best.Old)
	if best.Old == "." {
		below = p
	}
	return path.Join(best.New, below), true
}
