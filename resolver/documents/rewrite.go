package documents

import (
	"bytes"
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver/pins"
)

// write rewrites the entries that are ready, file by file, and returns how many
// were. What cannot be written is left.
func (r *round) write(ready []int) (written int) {
	files := map[string][]int{}
	for _, i := range ready {
		files[r.entries[i].File] = append(files[r.entries[i].File], i)
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if f := r.rewrite(file, files[file]); f != nil {
			for _, i := range files[file] {
				r.block(i, f.Code, f.Proof)
			}
			continue
		}
		written += len(files[file])
	}
	return written
}

// rewrite replaces pointers in one file by those that are valid now; every other
// byte stays.
func (r *round) rewrite(file string, entries []int) *authority.Fault {
	d, f := r.unchanged(file)
	if f != nil {
		return f
	}
	data, f := r.rewritten(d, entries)
	if f == nil && !r.options.DryRun {
		f = faultOf(r.workspace.Replace(r.ctx, file, r.scan.digests[file], data))
	}
	if f != nil {
		return f
	}
	if r.ordered(file); !r.options.DryRun {
		r.scan.digests[file] = authority.BLAKE3Sum(data)
	}
	return nil
}

// order puts the lines of pins files in order in which nothing else is to be written.
func (r *round) order() {
	for _, file := range r.scan.unordered {
		if f := r.rewrite(file, nil); f != nil {
			r.scan.Broken = append(r.scan.Broken, brokenFile(file, f))
		}
	}
}

// ordered notes a pins file that was put in order, or would be.
func (r *round) ordered(file string) {
	if slices.Contains(r.scan.unordered, file) && !slices.Contains(r.out.Ordered, file) {
		r.out.Ordered = append(r.out.Ordered, file)
	}
}

// unchanged reads a file that is to be rewritten, as the scan saw it.
func (r *round) unchanged(file string) (authority.Document, *authority.Fault) {
	d := r.workspace.ReadDocument(r.ctx, file)
	switch {
	case d.Fault != nil:
		return d, d.Fault
	case authority.BLAKE3Sum(d.Data) != r.scan.digests[file]:
		return d, &authority.Fault{Code: authority.AmbiguousObservation, Proof: authority.Quote(file) + " changed while it was read", Offset: -1}
	case conflicted(d.Data):
		return d, &authority.Fault{Code: authority.MalformedAuthority, Proof: authority.Quote(file) + " holds conflict markers; resolve the conflict first", Offset: -1}
	}
	return d, nil
}

// rewritten returns the bytes of a file with the pointers that are valid now. The
// lines of a pins file are put in order before, as the scan did, and again where that is
// needed.
func (r *round) rewritten(d authority.Document, entries []int) ([]byte, *authority.Fault) {
	if isPinsPath(d.Path) {
		d.Data, _ = pins.InOrder(d.Path, d.Data)
	}
	var out bytes.Buffer
	at := 0
	slices.SortFunc(entries, func(a, b int) int { return r.entries[a].From - r.entries[b].From })
	for _, i := range entries {
		e := r.entries[i]
		from, text := e.From, r.text(i)
		if e.Was != "" { // the line begins with the document's name
			from -= len(pins.Line(d.Path, e.Was, ""))
			text = pins.Line(d.Path, e.Document, text)
		}
		out.Write(d.Data[at:from])
		out.WriteString(text)
		at = e.To
	}
	out.Write(d.Data[at:])
	if !isPinsPath(d.Path) {
		return out.Bytes(), nil
	}
	if f := pins.Parse(d.Path, d.Data); len(f.Bad) > 0 {
		return nil, f.Bad[0].Fault
	}
	return pins.Sort(out.Bytes()), nil
}

// text is the pointer of an entry as it is to be written: what is carried keeps it,
// unless it moves as well.
func (r *round) text(i int) string {
	if r.entries[i].Was != "" && !r.moving[i] {
		return r.entries[i].Text
	}
	return r.records[i].PointerNow
}

// markerSize is how many bytes a conflict marker has at least; the attribute
// conflict-marker-size can ask for more.
const markerSize = 7

// conflicted reports whether a text holds the markers that git and others leave
// around the sides of a conflict: lines that begin with as many <, = and >.
func conflicted(data []byte) bool {
	begun, parted := 0, 0 // the sizes of the markers seen
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		switch size := markerOf(line); {
		case size == 0:
		case line[0] == '<':
			begun, parted = size, 0
		case line[0] == '=' && size == begun:
			parted = size
		case line[0] == '>' && size == parted:
			return true
		}
	}
	return false
}

// markerOf returns the size of the conflict marker that a line is, 0 when it is
// none: equal bytes <, = or >, then the end or a space and a label.
func markerOf(line []byte) int {
	if len(line) < markerSize || bytes.IndexByte([]byte("<=>"), line[0]) < 0 {
		return 0
	}
	size := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	if size < markerSize || size < len(line) && line[size] != ' ' {
		return 0
	}
	return size
}
