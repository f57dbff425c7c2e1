package reference

import (
	"bytes"

	"ctxptr/resolver"
)

// Pointers returns the pointers alone, in canonical spelling or not, wherever
// they stand: in samples and strings too, and in binary data.
func Pointers(data []byte) []Reference {
	var found []Reference
	at := position{data: data}
	for from := 0; ; {
		i := nextScheme(data[from:])
		if i < 0 {
			return found
		}
		from += i
		start, end := lineAround(data, at.at, from)
		for _, p := range resolver.FindInLine(string(data[start:end])) {
			r := Reference{Form: Pointer, From: start + p.Column - 1}
			r.To = r.From + len(p.Text)
			at.place(&r)
			found = append(found, r)
		}
		from = end
		at.move(end)
	}
}

// nextScheme is bytes.Index for the scheme. It looks for the rarest letter of it first:
// text is full of the first one.
func nextScheme(data []byte) int {
	const before = len("ct")
	head, rest := []byte(resolver.Scheme[:before]), []byte(resolver.Scheme[before:])
	for from := 0; ; from++ {
		i := bytes.Index(data[from:], rest)
		if i < 0 {
			return -1
		}
		from += i
		if bytes.HasSuffix(data[:from], head) {
			return from - before
		}
	}
}

// lineAround returns the line of data in which at stands; it does not begin
// before floor.
func lineAround(data []byte, floor, at int) (from, to int) {
	from = floor + bytes.LastIndexByte(data[floor:at], '\n') + 1
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return from, at + i
	}
	return from, len(data)
}
