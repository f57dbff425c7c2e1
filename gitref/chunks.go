package gitref

import (
	"encoding/binary"
	"errors"
)

var errChunks = errors.New("the chunk table is malformed")

// span is where a chunk stands in its file.
type span struct{ off, size int64 }

// chunkTable is the table of contents of a chunk-format file
// (gitformat-chunk(5)) by chunk name.
type chunkTable map[string]span

const chunkEntrySize = 12

// parseChunks reads a table of n chunks that starts at off. Chunks follow the
// table and each other, before the file's checksum of hashSize bytes.
func parseChunks(v *view, off int64, n, hashSize int) (chunkTable, error) {
	b, err := v.slice(off, int64(n+1)*chunkEntrySize)
	if err != nil {
		return nil, err
	}
	t := make(chunkTable, n)
	last := off + int64(len(b))
	for i := range n {
		e := b[i*chunkEntrySize:]
		from, to := binary.BigEndian.Uint64(e[4:]), binary.BigEndian.Uint64(e[4+chunkEntrySize:])
		if from < uint64(last) || to < from || to > uint64(v.size-int64(hashSize)) {
			return nil, errChunks
		}
		name := string(e[:4])
		if _, twice := t[name]; twice || name == "\x00\x00\x00\x00" {
			return nil, errChunks
		}
		t[name] = span{int64(from), int64(to - from)}
		last = int64(to)
	}
	if binary.BigEndian.Uint32(b[n*chunkEntrySize:]) != 0 {
		return nil, errChunks
	}
	return t, nil
}

// exact returns the chunk of that name when it has the given size.
func (t chunkTable) exact(name string, size int64) (span, error) {
	c, ok := t[name]
	if !ok || c.size != size {
		return span{}, errChunks
	}
	return c, nil
}
