package gitref

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
)

var errReftable = errors.New("the table of refs is malformed")

// reftable is one table of refs (git's Documentation/technical/reftable): blocks
// of records in the order of their names, with an index of its blocks where they
// are many. Records of objects and logs are not read.
type reftable struct {
	view      *view
	end       int64 // of the blocks; the footer follows
	head      int64 // length of the file's header, which the first block includes
	blockSize int64 // of aligned blocks, 0 for blocks that follow closely
	hashSize  int
	index     int64 // offset of the top block of the index, 0 for none
}

func openReftable(name string, hashSize int) (*reftable, error) {
	v, err := openView(name)
	if err != nil {
		return nil, err
	}
	t, err := parseReftable(v, hashSize)
	if err != nil {
		v.close()
	}
	return t, err
}

func (t *reftable) close() { t.view.close() }

// parseReftable proves the header by the footer, and the footer by its checksum.
func parseReftable(v *view, hashSize int) (*reftable, error) {
	t := &reftable{view: v, head: 24, hashSize: hashSize}
	start, err := v.slice(0, t.head)
	if err != nil {
		return nil, errReftable
	}
	if start[4] == 2 {
		t.head = 28
	}
	const positions = 5*8 + 4 // five offsets and the checksum
	t.end = v.size - t.head - positions
	if t.end < t.head {
		return nil, errReftable
	}
	header, err := v.slice(0, t.head)
	if err != nil {
		return nil, err
	}
	footer, err := v.slice(t.end, t.head+positions)
	if err != nil {
		return nil, err
	}
	body := footer[:len(footer)-4]
	if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(footer[len(body):]) || !bytes.HasPrefix(body, header) || !t.headed(header) {
		return nil, errReftable
	}
	t.blockSize = int64(uint24(header[5:]))
	index := binary.BigEndian.Uint64(body[t.head:])
	if index >= uint64(t.end) {
		return nil, errReftable
	}
	t.index = int64(index)
	return t, nil
}

// headed reports whether a header is one of either version, for object ids of
// the repository's length.
func (t *reftable) headed(header []byte) bool {
	id := "sha1"
	if header[4] == 2 {
		id = string(header[24:28])
	}
	return (bytes.HasPrefix(header, []byte("REFT\x01")) || bytes.HasPrefix(header, []byte("REFT\x02"))) &&
		(id == "sha1" && t.hashSize == 20 || id == "s256" && t.hashSize == 32)
}

func uint24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

// kindAt is the type of the block at an offset.
func (t *reftable) kindAt(at int64) (byte, error) {
	if at == 0 {
		at = t.head
	}
	if at >= t.end {
		return 0, errReftable
	}
	b, err := t.view.slice(at, 1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// seek returns a cursor on the first ref whose name is not before name; false
// when there is none. Every level of the index stands before the one above it.
func (t *reftable) seek(name string) (*tableCursor, bool, error) {
	if t.index == 0 {
		c := &tableCursor{t: t, kind: refBlock}
		found, err := c.find(name)
		return c, found, err
	}
	for at, kind := t.index, byte(indexBlock); ; {
		c := &tableCursor{t: t, kind: kind, next: at}
		found, err := c.find(name)
		if kind == refBlock || !found || err != nil {
			return c, found, err
		}
		if c.position >= uint64(at) {
			return c, false, errReftable
		}
		at = int64(c.position)
		if kind, err = t.kindAt(at); err == nil {
			err = t.endsWith(at, kind, string(c.name))
		}
		if err != nil {
			return c, false, err
		}
	}
}

// endsWith proves that the block at an offset is the one whose last record has
// that name, as the index says.
func (t *reftable) endsWith(at int64, kind byte, name string) error {
	c := &tableCursor{t: t, kind: kind, next: at}
	more, err := c.advance()
	for more && err == nil && len(c.data) > 0 {
		more, err = c.advance()
	}
	if err == nil && (!more || string(c.name) != name) {
		err = errReftable
	}
	return err
}

// lookup returns the record of a ref; deleted hides the ref of older tables.
func (t *reftable) lookup(name string) (raw rawRef, deleted, found bool, err error) {
	c, found, err := t.seek(name)
	if err != nil || !found || string(c.name) != name {
		return rawRef{}, false, false, err
	}
	return c.ref, c.deleted, true, nil
}

// below calls f with every ref whose name begins with prefix, in order, until it
// returns false.
func (t *reftable) below(prefix string, f func(name string, deleted bool) bool) error {
	c, found, err := t.seek(prefix)
	for found && err == nil && strings.HasPrefix(string(c.name), prefix) && f(string(c.name), c.deleted) {
		found, err = c.advance()
	}
	return err
}
