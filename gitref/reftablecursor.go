package gitref

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// The types of blocks: refs, the index, and those that are passed over.
const (
	refBlock   = 'r'
	indexBlock = 'i'
	otherBlock = "og"
)

// What a record of a ref holds.
const (
	refDeleted = iota
	refValue
	refPeeled // the id of a tag, and what it leads to
	refSymbolic
)

// tableCursor reads the records of a table's successive blocks of one kind. No
// checksum covers a block, so each record must stand behind the one before it.
type tableCursor struct {
	t      *reftable
	kind   byte
	next   int64  // offset of the next block
	data   []byte // records of the block at hand that are not read yet
	shared int    // how much of name the next record may begin with
	bad    bool   // a number could not be read

	name     []byte // of the record at hand, valid until the next
	ref      rawRef // of a ref
	deleted  bool   // a ref of that name in an older table is gone
	position uint64 // of an index record: the block that ends with name
}

// find advances to the first record whose name is not before name.
func (c *tableCursor) find(name string) (bool, error) {
	for {
		more, err := c.advance()
		if !more || err != nil || string(c.name) >= name {
			return more && err == nil, err
		}
	}
}

// advance reads the next record; false behind the last one.
func (c *tableCursor) advance() (bool, error) {
	for len(c.data) == 0 {
		if more, err := c.enter(); !more || err != nil {
			return false, err
		}
	}
	valueType, err := c.readName()
	if err != nil {
		return false, err
	}
	if c.kind == indexBlock {
		c.position = c.varint()
		c.bad = c.bad || valueType != 0
	} else {
		c.varint() // when the ref was updated last
		c.readRef(valueType)
	}
	if c.bad {
		return false, errReftable
	}
	return true, nil
}

// enter opens the next block; false where no further one of the kind stands.
func (c *tableCursor) enter() (bool, error) {
	t, at, own := c.t, c.next, int64(0)
	if at == 0 {
		own = t.head
	}
	if at+own >= t.end {
		return false, nil
	}
	b, err := t.view.slice(at+own, min(4, t.end-at-own))
	if err != nil {
		return false, err
	}
	if b[0] != c.kind {
		return false, c.stopAt(b[0])
	}
	if len(b) < 4 {
		return false, errReftable
	}
	size, first := int64(uint24(b[1:])), own+4
	if size < first+2 || size > t.end-at {
		return false, errReftable
	}
	if b, err = t.view.slice(at, size); err != nil {
		return false, err
	}
	// The block ends with offsets of records and their number.
	last := size - 2 - 3*int64(binary.BigEndian.Uint16(b[size-2:]))
	if last <= first {
		return false, errReftable
	}
	c.data, c.shared = b[first:last], 0
	c.next, err = t.behind(at, size)
	return true, err
}

// stopAt is the error of a block of a type that there is not.
func (c *tableCursor) stopAt(kind byte) error {
	if kind == refBlock || kind == indexBlock || strings.IndexByte(otherBlock, kind) >= 0 {
		return nil
	}
	return errReftable
}

// behind is the offset of the block behind one of that size: where blocks are
// aligned, zeros may fill the space up to it.
func (t *reftable) behind(at, size int64) (int64, error) {
	if size >= t.blockSize || at+size >= t.end {
		return at + size, nil
	}
	b, err := t.view.slice(at+size, 1)
	if err != nil {
		return 0, err
	}
	if b[0] != 0 {
		return at + size, nil
	}
	return at + t.blockSize, nil
}

func (c *tableCursor) varint() uint64 {
	v, n := offsetVarint(c.data)
	c.bad = c.bad || n == 0
	c.data = c.data[n:]
	return v
}

// take returns the next n bytes of the block.
func (c *tableCursor) take(n uint64) []byte {
	if n > uint64(len(c.data)) {
		c.bad = true
		return nil
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

// readName reads the head of a record: how much of the name before it begins its
// own, the rest of that, and the type of the value behind it.
func (c *tableCursor) readName() (valueType uint64, err error) {
	prefix, length := c.varint(), c.varint()
	rest := c.take(length >> 3)
	if c.bad || prefix > uint64(c.shared) || bytes.Compare(rest, c.name[prefix:]) <= 0 {
		return 0, errReftable
	}
	c.name = append(c.name[:prefix], rest...)
	c.shared = len(c.name)
	return length & 7, nil
}

func (c *tableCursor) readRef(valueType uint64) {
	c.ref, c.deleted = rawRef{}, false
	switch valueType {
	case refDeleted:
		c.deleted = true
	case refValue, refPeeled:
		id := c.take(uint64(c.t.hashSize))
		c.ref.oid.size = uint8(copy(c.ref.oid.sum[:], id))
		if valueType == refPeeled {
			c.take(uint64(c.t.hashSize))
		}
	case refSymbolic:
		c.ref.target = string(c.take(c.varint()))
		c.bad = c.bad || c.ref.target == ""
	default:
		c.bad = true
	}
}
