package reference

import "strings"

// spokenLines reads "a.go line 12" and "`a.go` (lines 12-34)" at the word line or
// lines in data[from:to] and returns where it ends, 0 when no file with a known
// extension or name stands right before it.
func (f *finder) spokenLines(p *piece, from, to int) int {
	word := string(f.data[from:to])
	if word != "line" && word != "lines" || to+1 >= p.to || f.data[to] != ' ' {
		return 0
	}
	lines, end, ok := f.lineNumbers(to+1, p.to)
	if !ok || !f.endsNumber(end, p.to) {
		return 0
	}
	const mostBetween = 3
	before := from
	for before > p.floor && from-before < mostBetween && strings.IndexByte(" ,(`", f.data[before-1]) >= 0 {
		before--
	}
	start := f.pathStart(p.floor, before)
	if start == before || before == from || !knownFile(string(f.data[start:before])) {
		return 0
	}
	r, start, ok := f.pathReference(PathLine, start, before)
	if !ok {
		return 0
	}
	r.Target.Lines = lines
	f.add(r, start, end)
	f.named(r, end)
	return f.furtherLines(p, r, end)
}
