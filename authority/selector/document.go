package selector

import (
	"bytes"
	"sort"
)

// Document is the bytes of one authority, with what has been parsed of them so
// far, so that a batch of selectors on one authority parses it once. It is not
// safe for concurrent use.
type Document struct {
	path   string
	data   []byte
	starts []int // offset of the first byte of each line, made on first use

	outline    *outline // of source code, made on first use
	outlineErr error    // why there is none
}

// NewDocument makes a Document of data. path is the slash-separated path under
// which it is known; its extension decides the language. data must not change
// afterwards.
func NewDocument(path string, data []byte) *Document { return &Document{path: path, data: data} }

// Bytes returns the bytes of r.
func (d *Document) Bytes(r Range) []byte { return d.data[r.From:r.To] }

// Len returns the length of the document in bytes.
func (d *Document) Len() int { return len(d.data) }

// lineStarts returns the offset of the first byte of every line. A line ends
// with LF (CRLF is an LF with a CR before it); a last line without one counts,
// an empty rest after the last LF does not.
func (d *Document) lineStarts() []int {
	if d.starts != nil {
		return d.starts
	}
	starts := make([]int, 0, 1+bytes.Count(d.data, []byte{'\n'}))
	for at := 0; at < len(d.data); {
		starts = append(starts, at)
		i := bytes.IndexByte(d.data[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	d.starts = starts
	return starts
}

// Lines returns the first and last line, counted from 1, that r touches. An
// empty range touches the line it stands in.
func (d *Document) Lines(r Range) (first, last int) {
	starts := d.lineStarts()
	lineOf := func(at int) int { return sort.Search(len(starts), func(i int) bool { return starts[i] > at }) }
	first = max(1, lineOf(r.From))
	if r.To <= r.From {
		return first, first
	}
	return first, max(1, lineOf(r.To-1))
}

// lineEnd returns the offset behind the last byte of line n (from 1), before
// its terminator.
func (d *Document) lineEnd(n int) int {
	starts := d.lineStarts()
	end := len(d.data)
	if n < len(starts) {
		end = starts[n]
	}
	start := starts[n-1]
	if end > start && d.data[end-1] == '\n' {
		end--
		if end > start && d.data[end-1] == '\r' {
			end--
		}
	}
	return end
}
