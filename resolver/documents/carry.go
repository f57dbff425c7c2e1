package documents

import (
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
)

// follow gives a pin the document that its own is said to be now, when that holds the
// reference and the other no longer does, and returns the name that the line has; ""
// for a pin that stays. Only a document of the same pins file can follow.
func (s *scanner) follow(f *pins.File, pin *pins.Pin) string {
	to, ok := relocated(pin.Document, s.scope.Moved)
	if !ok || !s.governs(f, to) {
		return ""
	}
	about := []resolver.Pointer{pin.Pointer}
	if at, ok := pin.Pointer.Path(f.Path); ok {
		if at, ok = relocated(at, s.scope.Moved); ok {
			if p, ok := pin.Pointer.At(at, f.Path); ok {
				about = append(about, p)
			}
		}
	}
	refers := func(document string) bool {
		return slices.ContainsFunc(about, func(p resolver.Pointer) bool { return s.refers(document, p, f.Path) })
	}
	if refers(pin.Document) || !refers(to) {
		return ""
	}
	was := pin.Document
	pin.Document = to
	return was
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

// carry writes down in the pins files that documents have other names now. Nothing
// else of a line changes: what it states is as fresh or stale as before.
func (r *round) carry() {
	files := map[string][]int{}
	for i, e := range r.entries {
		if e.Was != "" && r.concerned(i) {
			files[e.File] = append(files[e.File], i)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if f := r.rename(file, files[file]); f != nil {
			for _, i := range files[file] {
				r.block(i, f.Code, f.Proof)
			}
		}
	}
}

// carried reports whether of an entry nothing but its document's name is written.
func (r *round) carried(i int) bool {
	e := r.entries[i]
	as := writing{e.File, e.Text}
	return e.Was != "" && r.records[i].Outcome == resolver.Resolved && !r.written[as] && len(r.placed[as]) == 0
}

// rename replaces the documents' names in one pins file.
func (r *round) rename(file string, entries []int) *authority.Fault {
	d, f := r.unchanged(file)
	if f != nil {
		return f
	}
	lines := pins.Parse(file, d.Data)
	if len(lines.Bad) > 0 {
		return lines.Bad[0].Fault
	}
	for _, i := range entries {
		n := slices.IndexFunc(lines.Pins, func(pin pins.Pin) bool { return pin.Offset == r.entries[i].From })
		lines.Pins[n].Document = r.entries[i].Document
	}
	if r.options.DryRun {
		return nil
	}
	return faultOf(r.workspace.Replace(r.ctx, file, r.scan.digests[file], lines.Format()))
}
