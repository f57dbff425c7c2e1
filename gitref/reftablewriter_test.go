package gitref

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// tableShape is how a table of refs is laid out: in more ways than git does.
type tableShape struct {
	hashSize int
	limit    int  // of the bytes of a block
	aligned  bool // zeros fill each block up to the limit
	restarts int  // records from one with its whole name to the next
	top      int  // blocks that need no index above them
	oneIndex bool // the index is one block of any length
}

// tableRecord is a record of a ref or of an index.
type tableRecord struct {
	name  string
	flag  uint64
	value []byte
}

type tableWriter struct {
	tableShape
	out []byte
}

// writeTable lays out records, which are in the order of their names.
func writeTable(s tableShape, refs []tableRecord) []byte {
	header := []byte("REFT\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02")
	if s.aligned {
		binary.BigEndian.PutUint16(header[6:], uint16(s.limit))
	}
	if s.hashSize == 32 {
		header[4] = 2
		header = append(header, "s256"...)
	}
	w := &tableWriter{tableShape: s, out: append([]byte(nil), header...)}
	root := 0
	limit := s.limit
	if s.oneIndex {
		limit = 1 << 20
	}
	for level := w.section(refBlock, refs, s.limit); len(level) > s.top; {
		root = len(w.out)
		level = w.section(indexBlock, level, limit)
	}
	return closeTable(append(w.out, "g\x00\x00\x00 logs"...), len(header), uint64(root))
}

// closeTable puts the footer behind a header and blocks.
func closeTable(b []byte, header int, index uint64) []byte {
	footer := binary.BigEndian.AppendUint64(append([]byte(nil), b[:header]...), index)
	footer = append(footer, make([]byte, 32)...)
	return append(append(b[:len(b):len(b)], footer...), binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(footer))...)
}

// section writes records in blocks of one kind and returns the records of an
// index above them.
func (w *tableWriter) section(kind byte, records []tableRecord, limit int) (index []tableRecord) {
	for len(records) > 0 {
		at := len(w.out)
		if at == 24 || at == 28 {
			at = 0
		}
		n := w.block(kind, records, at, limit)
		index = append(index, tableRecord{name: records[n-1].name, value: putVarint(nil, uint64(at))})
		records = records[n:]
	}
	return index
}

// block writes as many records as fit into a block that starts at an offset, but
// of refs at least one and of an index two, so that there is an end to its levels.
func (w *tableWriter) block(kind byte, records []tableRecord, at, limit int) int {
	head := len(w.out)
	w.out = append(w.out, kind, 0, 0, 0)
	var restarts []byte
	count, n, before, least := 0, 0, "", 1
	if kind == indexBlock {
		least = 2
	}
	for ; n < len(records); n++ {
		r, last := records[n], before
		if n%w.restarts == 0 {
			last = ""
		}
		b := putRecord(last, r)
		if n >= least && len(w.out)-at+len(b)+len(restarts)+5 > limit {
			break
		}
		if last == "" {
			restarts = append(restarts, 0, byte((len(w.out)-at)>>8), byte(len(w.out)-at))
			count++
		}
		w.out, before = append(w.out, b...), r.name
	}
	w.out = binary.BigEndian.AppendUint16(append(w.out, restarts...), uint16(count))
	size := len(w.out) - at
	w.out[head+1], w.out[head+2], w.out[head+3] = byte(size>>16), byte(size>>8), byte(size)
	if w.aligned && size < w.limit {
		w.out = append(w.out, make([]byte, w.limit-size)...)
	}
	return n
}

func putRecord(before string, r tableRecord) []byte {
	shared := 0
	for shared < min(len(before), len(r.name)) && before[shared] == r.name[shared] {
		shared++
	}
	b := putVarint(nil, uint64(shared))
	b = putVarint(b, uint64(len(r.name)-shared)<<3|r.flag)
	return append(append(b, r.name[shared:]...), r.value...)
}

// putVarint is the inverse of offsetVarint.
func putVarint(b []byte, v uint64) []byte {
	digits := []byte{byte(v & 0x7f)}
	for v >>= 7; v > 0; v >>= 7 {
		v--
		digits = append([]byte{0x80 | byte(v&0x7f)}, digits...)
	}
	return append(b, digits...)
}

// refRecord is the record of a ref: deleted where both id and target are empty.
func refRecord(name string, id OID, target string, tagged bool) tableRecord {
	r := tableRecord{name: name, value: putVarint(nil, 300)}
	switch {
	case target != "":
		r.flag = refSymbolic
		r.value = append(putVarint(r.value, uint64(len(target))), target...)
	case id.size == 0:
	case tagged:
		r.flag = refPeeled
		r.value = append(append(r.value, id.Bytes()...), []byte(strings.Repeat("p", int(id.size)))...)
	default:
		r.flag = refValue
		r.value = append(r.value, id.Bytes()...)
	}
	return r
}
