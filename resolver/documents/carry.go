package documents

import (
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
)

// follow gives a pin the document that its own is said to be now, when that holds the
// reference and the other has let it go, and returns the name that the line has; ""
// for a pin that stays. Only a document of the same pins file can follow.
func (s *scanner) follow(f *pins.File, pin *pins.Pin) string {
	if s.scope.followed || !s.leaves(f, *pin, map[string]pins.Pin{}) {
		return ""
	}
	was := pin.Document
	pin.Document, _ = relocated(was, s.scope.Moved)
	return was
}

// leaves reports whether a pin goes to where its document is said to be now. From one
// that holds the reference it goes only where another document took that one's place
// and brings a pin of its own for it. passed are the pins that were asked before, by
// their lines: in a circle all go, unless all of them hold as they are.
func (s *scanner) leaves(f *pins.File, pin pins.Pin, passed map[string]pins.Pin) bool {
	to, ok := relocated(pin.Document, s.scope.Moved)
	if !ok || to == pin.Document || !s.governs(f, to) {
		return false
	}
	about := s.nameable(f, pin)
	refers := func(document string) bool {
		return slices.ContainsFunc(about, func(p resolver.Pointer) bool { return s.refers(document, p, f.Path) })
	}
	if !refers(to) {
		return false
	}
	if !s.governs(f, pin.Document) || !refers(pin.Document) {
		return true
	}
	line := pins.Line(f.Path, pin.Document, pin.Pointer.String())
	if _, again := passed[line]; again {
		return !s.hold(f, passed)
	}
	passed[line] = pin
	return slices.ContainsFunc(s.coming(f)[pin.Document], func(other pins.Pin) bool {
		same := func(p resolver.Pointer) bool { return subjectOf("", f.Path, p) == subjectOf("", f.Path, pin.Pointer) }
		return slices.ContainsFunc(s.nameable(f, other), same) && s.leaves(f, other, passed)
	})
}

// hold reports whether pins of a file are all fresh, and named by their documents, as
// they are.
func (s *scanner) hold(f *pins.File, list map[string]pins.Pin) bool {
	var items []resolver.Item
	for _, line := range slices.Sorted(maps.Keys(list)) {
		pin := list[line]
		if !s.refers(pin.Document, pin.Pointer, f.Path) {
			return false
		}
		items = append(items, resolver.Item{Text: pin.Pointer.String(), InText: true, From: f.Path})
	}
	records, err := resolver.Resolve(s.ctx, s.workspace, items, resolver.Options{})
	return err == nil && !slices.ContainsFunc(records, func(r *resolver.Record) bool { return r.Outcome != resolver.Resolved })
}

// nameable lists what the reference of a pin can name now: the same as before, and where
// that is said to be.
func (s *scanner) nameable(f *pins.File, pin pins.Pin) []resolver.Pointer {
	list := []resolver.Pointer{pin.Pointer}
	if p, ok := elsewhere(pin.Pointer, f.Path, s.scope.Moved); ok {
		list = append(list, p)
	}
	return list
}

// coming lists the pins of a file by the document that theirs is said to be now,
// without those of which nothing is said.
func (s *scanner) coming(f *pins.File) map[string][]pins.Pin {
	if by, known := s.arrivals[f.Path]; known {
		return by
	}
	by := map[string][]pins.Pin{}
	for _, pin := range f.Pins {
		if to, ok := relocated(pin.Document, s.scope.Moved); ok && to != pin.Document {
			by[to] = append(by[to], pin)
		}
	}
	s.arrivals[f.Path] = by
	return by
}

// governs reports whether a pins file is the one for a document.
func (s *scanner) governs(f *pins.File, document string) bool {
	return slices.Contains(pins.Above(document), f.Path) && s.misplaced(f, pins.Pin{Document: document}) == ""
}

// stayed says why a pin did not go with its document, which is said to be another now.
func (s *scanner) stayed(f *pins.File, pin pins.Pin, now string) string {
	said := authority.Quote(pin.Document) + " is said to be " + authority.Quote(now) + " now, "
	if !s.governs(f, now) {
		return said + "which another pins file governs: unpin the one, and pin the other anew"
	}
	return said + "and no reference there names what the pin is about: correct it there first"
}

// carry writes pins down for the documents that are theirs now, and with the places
// that those have which move: at once, since two lines can be the same in between.
// Else nothing of a line changes: what it states is as fresh or stale as before. It
// returns how many lines were written, or would be.
func (r *round) carry() (written int) {
	files := map[string][]int{}
	any := false
	for i, e := range r.entries {
		if (e.Was != "" || r.moving[i]) && r.concerned(i) {
			any = any || e.Was != ""
			files[e.File] = append(files[e.File], i)
		}
	}
	if !any {
		return 0
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		f := r.rewrite(file, files[file])
		for _, i := range files[file] {
			switch {
			case f != nil:
				r.block(i, f.Code, f.Proof)
			case r.moving[i]:
				if !r.options.DryRun { // else it is accepted with all others
					r.accepted(i)
				}
			default:
				r.carried[r.entries[i].as(r.entries[i].Text)] = true
			}
		}
		if f == nil {
			written += len(files[file])
		}
	}
	return written
}

// onlyCarried reports whether of an entry nothing but its document's name is written.
func (r *round) onlyCarried(i int) bool {
	e := r.entries[i]
	return r.records[i].Outcome == resolver.Resolved && r.carried[e.as(e.Text)]
}
