package documents

import (
	"bytes"
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
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
	d := r.workspace.ReadDocument(r.ctx, file)
	stated := r.scan.digests[file]
	switch {
	case d.Fault != nil:
		return d.Fault
	case authority.BLAKE3Sum(d.Data) != stated:
		return &authority.Fault{Code: authority.AmbiguousObservation, Proof: authority.Quote(file) + " changed while it was read", Offset: -1}
	case conflicted(d.Data):
		return &authority.Fault{Code: authority.MalformedAuthority, Proof: authority.Quote(file) + " holds conflict markers; resolve the conflict first", Offset: -1}
	}
	data, f := r.rewritten(d, entries)
	if f != nil || r.options.DryRun {
		return f
	}
	return faultOf(r.workspace.Replace(r.ctx, file, stated, data))
}

// rewritten returns the bytes of a file with the pointers that are valid now.
func (r *round) rewritten(d authority.Document, entries []int) ([]byte, *authority.Fault) {
	if isPinsPath(d.Path) {
		return r.repinned(d, entries)
	}
	var out bytes.Buffer
	at := 0
	slices.SortFunc(entries, func(a, b int) int { return r.entries[a].From - r.entries[b].From })
	for _, i := range entries {
		e := r.entries[i]
		out.Write(d.Data[at:e.From])
		out.WriteString(r.records[i].PointerNow)
		at = e.To
	}
	out.Write(d.Data[at:])
	return out.Bytes(), nil
}

// repinned returns a pins file in which pins are replaced, its lines in order
// again.
func (r *round) repinned(d authority.Document, entries []int) ([]byte, *authority.Fault) {
	f := pins.Parse(d.Path, d.Data)
	if len(f.Bad) > 0 {
		return nil, f.Bad[0].Fault
	}
	for _, i := range entries {
		now, err := resolver.ParseInText(r.records[i].PointerNow)
		if fault := faultOf(err); fault != nil {
			return nil, fault
		}
		for n := range f.Pins {
			if f.Pins[n].Offset == r.entries[i].From {
				f.Pins[n].Pointer = now
			}
		}
	}
	return f.Format(), nil
}

// conflicted reports whether a text holds the markers that git leaves in a file
// with conflicts: lines of seven <, of seven = and of seven >.
func conflicted(data []byte) bool {
	open, middle := false, false
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			open, middle = true, false
		case open && bytes.Equal(line, []byte("=======")):
			middle = true
		case middle && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			return true
		}
	}
	return false
}
