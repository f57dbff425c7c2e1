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
	here := writing{from, r.entries[i].Text}
	if p.IsZero() || r.records[i].Outcome == resolver.Resolved || r.written[here] || len(r.placed[here]) > 0 {
		return p, false // it holds, or was written by this run: each moves once
	}
	at, ok := p.Path(from)
	if ok {
		at, ok = relocated(at, r.options.Moved)
	}
	if !ok {
		return p, false
	}
	return p.At(at, from)
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
