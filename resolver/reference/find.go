package reference

import (
	"fmt"
	"slices"

	"ctxptr/authority"
	"ctxptr/gitref"
)

// Most is how many references that are no pointers are looked for in a document,
// those skipped included: each takes a hundred times the bytes of the shortest.
const Most = 1 << 16

// Find returns what stands in a document, in order of place. path, relative to
// the root, tells by its name how the bytes are read: Markdown, source code,
// YAML, JSON, TOML or plain text. References never overlap. In binary data, which
// is what has a NUL where git looks for one, only pointers count. The error is a
// *authority.Fault, missing:limit for a document that holds more than Most.
func Find(path string, data []byte) ([]Reference, error) {
	f := finder{data: data, pointers: Pointers(data)}
	if !gitref.IsBinary(data) {
		f.read(path)
	}
	if len(f.found) > Most {
		return nil, &authority.Fault{
			Code: authority.MissingLimit, Offset: -1,
			Proof: fmt.Sprintf("%s holds more than %d references", authority.Quote(path), Most),
		}
	}
	return f.finish(), nil
}

// read reads the document as its name says.
func (f *finder) read(path string) {
	if read := syntaxOf(path, f.data); read != nil {
		read(f)
	} else {
		f.readText(0, len(f.data))
	}
}

// finder collects the references of one document.
type finder struct {
	data     []byte
	pointers []Reference
	found    []Reference
	scope    scope
	sample   bool // what is read now is a sample
	prose    bool // what is read now is a paragraph of Markdown or the like
	strict   bool // in data a path without an extension is none: org/image:12
}

// add keeps a reference that stands at data[from:to] unless a pointer is there.
func (f *finder) add(r Reference, from, to int) {
	if from >= to || len(f.found) > Most || f.holdsPointer(from, to) {
		return
	}
	if f.sample && r.Skip == "" {
		r.Skip = Sample
	}
	r.From, r.To = from, to
	f.found = append(f.found, r)
}

// holdsPointer reports whether a pointer stands in data[from:to].
func (f *finder) holdsPointer(from, to int) bool {
	i := f.pointerFrom(from)
	return i < len(f.pointers) && f.pointers[i].From < to
}

// pointerFrom returns the index of the first pointer that ends behind at.
func (f *finder) pointerFrom(at int) int {
	i, _ := slices.BinarySearchFunc(f.pointers, at, func(r Reference, at int) int {
		if r.To <= at {
			return -1
		}
		return 1
	})
	return i
}

// finish puts all in order, gives each its place and drops what overlaps.
func (f *finder) finish() []Reference {
	plain := f.found
	if !slices.IsSortedFunc(plain, byPlace) { // they nearly always are, and are large
		slices.SortStableFunc(plain, byPlace)
	}
	at := position{data: f.data}
	kept := plain[:0]
	end := 0
	for _, r := range plain {
		if r.From < end {
			continue
		}
		end = r.To
		at.place(&r)
		kept = append(kept, r)
	}
	return merge(kept, f.pointers)
}

// byPlace orders by beginning, the longer of two first.
func byPlace(a, b Reference) int {
	if a.From != b.From {
		return a.From - b.From
	}
	return b.To - a.To
}

// merge merges two lists in order of place.
func merge(a, b []Reference) []Reference {
	if len(b) == 0 {
		return a
	}
	all := make([]Reference, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].From < b[0].From {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}
