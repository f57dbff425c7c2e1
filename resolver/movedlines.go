package resolver

import (
	"context"
	"slices"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

const (
	// searchLimit is how many bytes the search for moved lines may hash.
	searchLimit = 1 << 30

	// maxLineDigests is how many digests of lines the pointers at one authority keep,
	// of some 100 bytes each.
	maxLineDigests = 1 << 18
)

// lineFinder finds lines that moved in the documents of one authority. Asked a second
// time for as many lines of one document it digests all of them once more and keeps
// that: each pointer would else cost as much as the document.
type lineFinder struct {
	known map[lineQuestion]*lineDigests // nil where it was asked once
	kept  int
}

// lineQuestion is what searches have in common of which one can serve the other.
type lineQuestion struct {
	doc   *selector.Document
	count int
	tag   authority.Tag
	size  int // of an identity, in hexadecimal digits
}

// lineDigests are the digests of every run of as many lines.
type lineDigests struct {
	last   map[authority.Identity]int32 // the last line that begins a run, by its digest
	before []int32                      // by the line that begins a run: the one before it with the same digest, 0 for none
}

// find returns every place in doc, line-aligned, where as many lines as the pointer
// selects have its stated identity. It reports false when the bound on hashed bytes
// cut the search.
func (f *lineFinder) find(ctx context.Context, doc *selector.Document, p Pointer) (places [][2]int, done bool) {
	count, ok := p.selector.LineCount()
	if doc == nil || !ok || p.identity.Whole() {
		return nil, true
	}
	if digests := f.digests(ctx, doc, p.identity, count); digests != nil {
		return digests.places(p.identity, count), true
	}
	done = eachLines(ctx, doc, p.identity, count, func(line int, id authority.Identity) bool {
		if id == p.identity {
			places = append(places, [2]int{line, line + count - 1})
		}
		return true
	})
	return places, done
}

// digests returns what is kept for a question, nil where it is asked for the first
// time, or where what is to be kept or hashed would exceed its bound.
func (f *lineFinder) digests(ctx context.Context, doc *selector.Document, like authority.Identity, count int) *lineDigests {
	q := lineQuestion{doc, count, like.Tag(), len(like.Hex())}
	switch kept, asked := f.known[q]; {
	case ctx.Err() != nil:
		return nil
	case asked && (kept != nil || f.kept >= maxLineDigests):
		return kept
	case f.known == nil:
		f.known = map[lineQuestion]*lineDigests{q: nil}
		return nil
	case !asked:
		f.known[q] = nil
		return nil
	}
	d := &lineDigests{last: map[authority.Identity]int32{}, before: []int32{0}}
	whole := eachLines(ctx, doc, like, count, func(line int, id authority.Identity) bool {
		d.before = append(d.before, d.last[id])
		d.last[id] = int32(line)
		f.kept++
		return f.kept < maxLineDigests
	})
	if !whole {
		f.kept = maxLineDigests
		return nil
	}
	f.known[q] = d
	return d
}

// places are the runs of count lines with an identity.
func (d *lineDigests) places(id authority.Identity, count int) (places [][2]int) {
	for line := int(d.last[id]); line > 0; line = int(d.before[line]) {
		places = append(places, [2]int{line, line + count - 1})
	}
	slices.Reverse(places)
	return places
}

// eachLines calls each for every run of count lines, with its first line and its
// digest, until that returns false. It reports whether it came to the end.
func eachLines(ctx context.Context, doc *selector.Document, like authority.Identity, count int, each func(line int, id authority.Identity) bool) bool {
	hashed := 0
	for line := 1; ; line++ {
		r, ok := doc.LineRange(line, line+count-1)
		if !ok {
			return true
		}
		if hashed += r.To - r.From; hashed > searchLimit || ctx.Err() != nil {
			return false
		}
		if !each(line, authority.Digest(like, doc.Bytes(r))) {
			return false
		}
	}
}
