package gitref

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
)

var errMidx = errors.New("the multi-pack-index is malformed")

// midx is a multi-pack-index (gitformat-pack(5)): the object ids of several
// packs, each with the pack and offset of one copy. A chain of incremental
// ones is not read; the packs' own indexes say the same.
type midx struct {
	name     string
	view     *view
	hashSize int
	stems    []string // the packs, in the order their numbers count
	count    int
	chunks   chunkTable

	verifyOnce sync.Once
	verifyErr  error
}

// The chunks of a multi-pack-index that look-ups need.
const (
	chunkPackNames    = "PNAM"
	chunkFanout       = "OIDF"
	chunkIDs          = "OIDL"
	chunkOffsets      = "OOFF"
	chunkLargeOffsets = "LOFF"
)

const midxName = "multi-pack-index"

func openMidx(name string, hashSize int) (*midx, error) {
	v, err := openView(name)
	if err != nil {
		return nil, err
	}
	m, err := parseMidx(v, hashSize)
	if err != nil {
		v.close()
		return nil, err
	}
	m.name = name
	return m, nil
}

func (m *midx) close() { m.view.close() }

const midxHeaderSize = 12

func parseMidx(v *view, hashSize int) (*midx, error) {
	head, err := v.slice(0, midxHeaderSize)
	if err != nil {
		return nil, err
	}
	// Signature, version 1, hash function, chunks, no base files, packs.
	if !bytes.HasPrefix(head, []byte("MIDX\x01")) || head[5] != hashVersion(hashSize) || head[7] != 0 {
		return nil, errMidx
	}
	m := &midx{view: v, hashSize: hashSize}
	if m.chunks, err = parseChunks(v, midxHeaderSize, int(head[6]), hashSize); err != nil {
		return nil, err
	}
	fanout, err := m.chunks.exact(chunkFanout, fanoutSize)
	if err != nil {
		return nil, err
	}
	table, err := v.slice(fanout.off, fanoutSize)
	if err != nil {
		return nil, err
	}
	if m.count, err = fanoutCount(table); err != nil {
		return nil, err
	}
	if _, err := m.chunks.exact(chunkIDs, int64(m.count)*int64(hashSize)); err != nil {
		return nil, err
	}
	if _, err := m.chunks.exact(chunkOffsets, int64(m.count)*8); err != nil {
		return nil, err
	}
	return m, m.parseNames(int64(binary.BigEndian.Uint32(head[8:])))
}

// parseNames reads the names of n packs: sorted, NUL-terminated, ending in
// ".idx", zero-padded at the end.
func (m *midx) parseNames(n int64) error {
	c, ok := m.chunks[chunkPackNames]
	if !ok || n > c.size {
		return errMidx
	}
	b, err := m.view.slice(c.off, c.size)
	if err != nil {
		return err
	}
	for range n {
		end := bytes.IndexByte(b, 0)
		if end < 0 {
			return errMidx
		}
		stem, isIdx := strings.CutSuffix(string(b[:end]), ".idx")
		if !isIdx || strings.ContainsAny(stem, `/\`) {
			return errMidx
		}
		if k := len(m.stems); k > 0 && m.stems[k-1] >= stem {
			return errMidx
		}
		m.stems = append(m.stems, stem)
		b = b[end+1:]
	}
	return nil
}

// names reports whether the pack of that stem is among those covered.
func (m *midx) names(stem string) bool {
	if m == nil {
		return false
	}
	_, ok := slices.BinarySearch(m.stems, stem)
	return ok
}

func (m *midx) bucket(b byte) (lo, hi int, err error) {
	return fanoutBucket(m.view, m.chunks[chunkFanout].off, b, m.count)
}

func (m *midx) id(i int) ([]byte, error) {
	n := int64(m.hashSize)
	return m.view.slice(m.chunks[chunkIDs].off+int64(i)*n, n)
}

// find returns the number of a pack that holds id and the offset in it.
func (m *midx) find(id OID) (pack int, off int64, ok bool, err error) {
	lo, hi, err := m.bucket(id.sum[0])
	if err != nil {
		return 0, 0, false, err
	}
	pos, ok, err := searchBucket(m.view, m.chunks[chunkIDs].off, int64(m.hashSize), lo, hi, id.sum[:m.hashSize])
	if err != nil || !ok {
		return 0, 0, false, err
	}
	b, err := m.view.slice(m.chunks[chunkOffsets].off+8*int64(pos), 8)
	if err != nil {
		return 0, 0, false, err
	}
	n := binary.BigEndian.Uint32(b)
	if int64(n) >= int64(len(m.stems)) {
		return 0, 0, false, errMidx
	}
	off, err = m.offset(binary.BigEndian.Uint32(b[4:]))
	return int(n), off, err == nil, err
}

// offset decodes a 32-bit offset, which may point into the table of 64-bit ones
// when the file has that.
func (m *midx) offset(off uint32) (int64, error) {
	large, ok := m.chunks[chunkLargeOffsets]
	if !ok || off&(1<<31) == 0 {
		return int64(off), nil
	}
	n := int64(off &^ (1 << 31))
	if n >= large.size/8 {
		return 0, errMidx
	}
	return wideOffset(m.view, large.off+8*n)
}

func (m *midx) expand(p idPrefix, f func(raw []byte)) error {
	lo, hi, err := m.bucket(p.low.sum[0])
	if err != nil {
		return err
	}
	return expandIDs(m.id, p, lo, hi, f)
}

// verify recomputes the file's checksum, once.
func (m *midx) verify() error {
	m.verifyOnce.Do(func() { m.verifyErr = verifyTrailer(m.view, m.hashSize) })
	return m.verifyErr
}
