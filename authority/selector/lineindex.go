package selector

import "bytes"

const (
	// stride is how many lines lie between two offsets that a lineIndex keeps, so
	// that a file of line feeds costs no more memory than it has bytes.
	stride = 64
	// blockSize is how many bytes lie between two offsets whose line it keeps, so
	// that a place far into a long line is not searched from where the line begins.
	blockSize = 4 << 10
)

// lineIndex knows where lines begin. A line ends with LF (CRLF is an LF with a
// CR before it); a last line without one counts, an empty rest after the last
// LF does not.
type lineIndex struct {
	made   bool
	marks  []int // offsets of the first bytes of lines 1, 1+stride, 1+2*stride, …
	blocks []int // how many lines end before offset 0, blockSize, 2*blockSize, …
	count  int   // number of lines
}

func (d *Document) lines() *lineIndex {
	if x := &d.index; !x.made {
		x.made = true
		for at := 0; at < len(d.data); at = d.nextLine(at) {
			if x.count%stride == 0 {
				x.marks = append(x.marks, at)
			}
			x.count++
		}
		ended := 0
		for at := 0; at < len(d.data); at += blockSize {
			x.blocks = append(x.blocks, ended)
			ended += lineFeeds(d.data[at:min(at+blockSize, len(d.data))])
		}
	}
	return &d.index
}

func lineFeeds(data []byte) int { return bytes.Count(data, []byte{'\n'}) }

// nextLine returns where the line behind the one that holds at begins, or the
// length of the document.
func (d *Document) nextLine(at int) int {
	i := bytes.IndexByte(d.data[at:], '\n')
	if i < 0 {
		return len(d.data)
	}
	return at + i + 1
}

// lineCount returns how many lines the document has.
func (d *Document) lineCount() int { return d.lines().count }

// lineStart returns the offset of the first byte of line n, from 1 to the
// number of lines.
func (d *Document) lineStart(n int) int {
	at := d.lines().marks[(n-1)/stride]
	for range (n - 1) % stride {
		at = d.nextLine(at)
	}
	return at
}

// lineEnd returns the offset behind the last byte of line n, before its
// terminator.
func (d *Document) lineEnd(n int) int {
	start := d.lineStart(n)
	end := d.nextLine(start)
	if end > start && d.data[end-1] == '\n' {
		end--
		if end > start && d.data[end-1] == '\r' {
			end--
		}
	}
	return end
}

// lineOf returns the number of the line that holds the byte at, 0 in an empty
// document.
func (d *Document) lineOf(at int) int {
	x := d.lines()
	if x.count == 0 {
		return 0
	}
	block := min(at/blockSize, len(x.blocks)-1)
	return min(x.blocks[block]+lineFeeds(d.data[block*blockSize:at])+1, x.count)
}

// Lines returns the first and last line, counted from 1, that r touches. An
// empty range touches the line it stands in.
func (d *Document) Lines(r Range) (first, last int) {
	first = max(1, d.lineOf(r.From))
	if r.To <= r.From {
		return first, first
	}
	return first, max(1, d.lineOf(r.To-1))
}

// LineRange returns the range of the lines from first to last, counted from 1,
// without the last one's terminator; false when the document has no such lines.
func (d *Document) LineRange(first, last int) (Range, bool) {
	if first < 1 || last < first || last > d.lineCount() {
		return Range{}, false
	}
	return Range{d.lineStart(first), d.lineEnd(last)}, true
}
