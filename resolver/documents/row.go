package documents

import (
	"slices"
	"sort"
	"strings"
)

// row is entries side by side: first those in documents, by path and place, so
// that what stands in a part of a file, in a file or below a folder is one span of
// it; behind them those in pins files, which no digest of a folder counts.
type row struct {
	cells     []cell
	documents int // how many stand in documents
}

// cell is one entry in a row.
type cell struct {
	key      string // the file's path with its slashes as the lowest byte
	from, to int    // bytes of the file
	entry    int
}

// span is cells[from:to] of a row.
type span struct{ from, to int }

func newRow(entries []Entry, in func(int) bool) *row {
	r := &row{}
	var pinned []cell
	for i, e := range entries {
		if !in(i) {
			continue
		}
		c := cell{rowKey(e.File), e.From, e.To, i}
		if isPinsPath(e.File) {
			pinned = append(pinned, c)
		} else {
			r.cells = append(r.cells, c)
		}
	}
	r.documents = len(r.cells)
	r.cells = append(r.cells, pinned...)
	slices.SortStableFunc(r.cells[:r.documents], compareCells)
	slices.SortStableFunc(r.cells[r.documents:], compareCells)
	return r
}

func rowKey(p string) string { return strings.ReplaceAll(p, "/", "\x00") }

func compareCells(a, b cell) int {
	if c := strings.Compare(a.key, b.key); c != 0 {
		return c
	}
	return a.from - b.from
}

// file is the span of a file.
func (r *row) file(p string) span {
	if isPinsPath(p) {
		return r.find(r.documents, len(r.cells), rowKey(p), rowKey(p)+"\x00")
	}
	return r.find(0, r.documents, rowKey(p), rowKey(p)+"\x00")
}

// below is the span of the documents at and below a folder.
func (r *row) below(folder string) span {
	if folder == "." {
		return span{0, r.documents}
	}
	return r.find(0, r.documents, rowKey(folder), rowKey(folder)+"\x01")
}

// find is the span, within cells[from:to], of keys from first up to before end.
func (r *row) find(from, to int, first, end string) span {
	cells := r.cells[from:to]
	at := func(key string) int {
		return from + sort.Search(len(cells), func(n int) bool { return cells[n].key >= key })
	}
	return span{at(first), at(end)}
}

// inRange is the part of a file's span that overlaps bytes [from, to).
func (r *row) inRange(s span, from, to int) span {
	cells := r.cells[s.from:s.to]
	first := sort.Search(len(cells), func(n int) bool { return cells[n].to > from })
	end := sort.Search(len(cells), func(n int) bool { return cells[n].from >= to })
	return span{s.from + first, s.from + max(first, end)}
}
