package documents

import (
	"errors"
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
	"ctxptr/resolver/reference"
)

// readPins adds the pins of the documents looked at, and the plain references
// that no pin belongs to where these are wanted.
func (s *scanner) readPins() {
	s.readAbove()
	used := map[string]map[int]bool{} // by document: the plain references that have pins
	for _, name := range slices.Sorted(maps.Keys(s.pinned)) {
		f := s.pinned[name]
		if f == nil {
			continue
		}
		s.keepBad(f)
		for _, pin := range f.Pins {
			was := s.follow(f, &pin)
			if s.concerns(f, pin) {
				s.keepPin(f, pin, was, used)
			}
		}
	}
	if s.scope.Plain {
		s.keepPlain(used)
	}
}

// readAbove reads the pins files above the scope's documents, which can govern what
// stands there.
func (s *scanner) readAbove() {
	paths := s.scope.Paths
	for _, d := range s.scope.Given {
		if d.Path != Unplaced {
			paths = append(slices.Clip(paths), d.Path)
		}
	}
	// The walk of everything met the file at the root, but for a folder in its place.
	if len(s.scope.Paths)+len(s.scope.Given) == 0 && s.workspace.IsFolder(pins.Name) && !s.exclude.Match(pins.Name) {
		s.readPinsFile(pins.Name)
	}
	for _, p := range paths {
		for _, name := range pins.Above(p) {
			s.readPinsFile(name)
		}
	}
}

// readPinsFile reads a pins file, unless that was done.
func (s *scanner) readPinsFile(name string) {
	if _, known := s.pinned[name]; known {
		return
	}
	s.pinned[name] = nil
	switch d := s.workspace.ReadDocument(s.ctx, name); {
	case d.Fault == nil:
		s.keepPins(d)
		s.out.digests[name] = authority.BLAKE3Sum(d.Data)
	case stands(d):
		s.seal(d)
	}
}

// keepPins keeps a pins file, in order where that is all that is wrong with it and the
// scope says so.
func (s *scanner) keepPins(d authority.Document) {
	if s.scope.ordering {
		var wrong bool
		if d.Data, wrong = pins.InOrder(d.Path, d.Data); wrong {
			s.out.unordered = append(s.out.unordered, d.Path)
		}
	}
	s.pinned[d.Path] = pins.Parse(d.Path, d.Data)
}

// seal keeps a pins file that cannot be read: it governs all the same, and what it
// says is not known.
func (s *scanner) seal(d authority.Document) {
	s.pinned[d.Path], s.sealed[d.Path] = nil, true
	s.breaks(d)
}

// keepBad keeps the lines of a pins file that are no pins: whose they are cannot
// be told, so every scope that the file can govern has them.
func (s *scanner) keepBad(f *pins.File) {
	for _, bad := range f.Bad {
		at := resolver.Place{Path: f.Path, Line: bad.Line, Column: max(bad.Fault.Offset, 0) + 1}
		s.out.Broken = append(s.out.Broken, Broken{at, bad.Text, bad.Fault})
	}
}

// concerns reports whether a pin is of the scope: its document or its pins file is
// looked at, wherever that is said to stand now, and the document is not left out.
func (s *scanner) concerns(f *pins.File, pin pins.Pin) bool {
	now, _ := relocated(pin.Document, s.scope.Moved)
	if s.named[pin.Document] || s.named[now] {
		return true
	}
	return (s.seen[pin.Document] || s.seen[now] || s.seen[f.Path]) && !s.leftOut(pin.Document)
}

// leftOut reports whether --exclude or -ctxptr leaves a document out that the scope
// does not name. One of which that is not known is in.
func (s *scanner) leftOut(p string) bool {
	if s.exclude.Match(p) {
		return true
	}
	unchecked, err := s.workspace.Unchecked(s.ctx, p)
	return err == nil && unchecked
}

// keepPin keeps a pin where its reference stands, or in its file without one.
func (s *scanner) keepPin(f *pins.File, pin pins.Pin, was string, used map[string]map[int]bool) {
	e := Entry{
		Form: FormPin, Text: pin.Pointer.String(), Document: pin.Document, File: f.Path, Target: pin.Pointer, Was: was,
		From: pin.Offset, To: pin.Offset + len(pin.Pointer.String()),
		At: resolver.Place{Path: f.Path, Line: pin.Line, Column: pin.Column},
	}
	if e.Orphan = s.misplaced(f, pin); e.Orphan == "" {
		e.Orphan = s.place(&e, pin, used)
	}
	if now, moved := relocated(pin.Document, s.scope.Moved); moved && e.Orphan != "" {
		e.Orphan = s.stayed(f, pin, now)
	}
	s.out.Entries = append(s.out.Entries, e)
}

// place puts a pin where the first reference stands that it belongs to, and notes
// all of these. It says why there is none.
func (s *scanner) place(e *Entry, pin pins.Pin, used map[string]map[int]bool) string {
	refs := s.references(pin.Document)
	named := s.about(pin.Document)[pin.Pointer.Sense(e.File)]
	switch {
	case len(named) == 0 && !s.named[pin.Document] && !s.workspace.Stands(pin.Document):
		return "no file stands at " + authority.Quote(pin.Document) + ", whose pin it is: accept --moved takes it along where that was renamed, else unpin takes it away"
	case len(named) == 0:
		return "no reference in " + authority.Quote(pin.Document) + " names what the pin is about"
	}
	if used[pin.Document] == nil {
		used[pin.Document] = map[int]bool{}
	}
	for n, i := range named {
		used[pin.Document][i] = true
		if plain := refs[i].Plain(pin.Document); n > 0 {
			e.Others = append(e.Others, *plain.At)
		} else {
			e.Plain, e.At = plain, *plain.At
		}
	}
	return ""
}

// about lists by what they can be about the plain references of a document, by their
// places among them: held against each reference, pins would cost the square of their number.
func (s *scanner) about(document string) map[resolver.Sense][]int {
	if known, ok := s.senses[document]; ok {
		return known
	}
	list := map[resolver.Sense][]int{}
	for i, r := range s.references(document) {
		for _, sense := range r.Plain(document).Senses() {
			if places := list[sense]; len(places) == 0 || places[len(places)-1] != i {
				list[sense] = append(places, i)
			}
		}
	}
	s.senses[document] = list
	return list
}

// refers reports whether a plain reference of a document can have a pin with that
// pointer in the pins file.
func (s *scanner) refers(document string, p resolver.Pointer, file string) bool {
	return len(s.about(document)[p.Sense(file)]) > 0
}

// misplaced says why a pin cannot count where it stands, "" when it can.
func (s *scanner) misplaced(f *pins.File, pin pins.Pin) string {
	for _, name := range pins.Above(pin.Document) {
		if name == f.Path {
			break
		}
		if s.hasPins(name) {
			return "the nearer pins file " + authority.Quote(name) + " governs " + authority.Quote(pin.Document)
		}
	}
	return ""
}

// hasPins reports whether a pins file stands there, although nothing else may be
// asked of it.
func (s *scanner) hasPins(name string) bool {
	s.readPinsFile(name)
	return s.pinned[name] != nil || s.sealed[name]
}

// references returns the plain references of a document.
func (s *scanner) references(document string) []reference.Reference {
	if refs, known := s.plain[document]; known || s.scope.Plain && s.seen[document] {
		return refs
	}
	var refs []reference.Reference
	if d := s.workspace.ReadDocument(s.ctx, document); d.Fault == nil {
		found, _ := reference.Find(d.Path, d.Data) // a document of too many has none that is known
		for _, r := range found {
			if r.Form != reference.Pointer && r.Skip == "" {
				refs = append(refs, r)
			}
		}
	}
	s.plain[document] = refs
	return refs
}

// keepPlain keeps the plain references to which no pin belongs.
func (s *scanner) keepPlain(used map[string]map[int]bool) {
	for _, document := range slices.Sorted(maps.Keys(s.plain)) {
		if !s.seen[document] {
			continue
		}
		for i, r := range s.plain[document] {
			if !used[document][i] {
				e := entryAt(document, r)
				e.Plain = r.Plain(document)
				s.out.Entries = append(s.out.Entries, e)
			}
		}
	}
}

func faultOf(err error) *authority.Fault {
	f, _ := errors.AsType[*authority.Fault](err)
	return f
}
