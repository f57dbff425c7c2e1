package reference

import "bytes"

// position counts lines up to places that come in order. A line ends with LF.
type position struct {
	data      []byte
	at        int
	lines     int // LFs before at
	lineStart int // of the line in which at stands
}

// move goes on to a place that is not before the last one.
func (p *position) move(to int) {
	passed := p.data[p.at:to]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		p.lines += n
		p.lineStart = p.at + bytes.LastIndexByte(passed, '\n') + 1
	}
	p.at = to
}

// place fills in text, line and column of a reference that has its range.
func (p *position) place(r *Reference) {
	p.move(r.From)
	r.Text = string(p.data[r.From:r.To])
	r.Line, r.Column = p.lines+1, r.From-p.lineStart+1
}

// eachLine calls f with each line of data[from:to], without its terminator (LF
// or CRLF).
func eachLine(data []byte, from, to int, f func(from, to int)) {
	for from < to {
		next := to
		end := to
		if i := bytes.IndexByte(data[from:to], '\n'); i >= 0 {
			end, next = from+i, from+i+1
		}
		if end > from && data[end-1] == '\r' {
			end--
		}
		f(from, end)
		from = next
	}
}
