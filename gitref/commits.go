package gitref

import (
	"bytes"
	"encoding/binary"
)

// commits numbers the commits that were read as objects and keeps of each its
// time and parents: some 50 bytes a commit, since a history without a
// commit-graph may have to be walked whole.
type commits struct {
	size  int     // bytes of an id
	ids   []byte  // one after the other
	slots []int32 // open addressing by the first bytes of the id; 0 is free, else number+1
	info  []commitNode
	edges []int32
}

// commitNode is what a walk needs of one commit.
type commitNode struct {
	time  int64
	first int32 // where its parents stand in edges
	count int32 // how many there are; unread before the commit was read
}

const unread = -1

// number returns the number of id, giving it the next one when it is new.
func (c *commits) number(id OID) int32 {
	if 2*(len(c.info)+1) > len(c.slots) {
		c.grow()
	}
	raw := id.sum[:c.size]
	at := c.slot(raw)
	if c.slots[at] == 0 {
		c.ids = append(c.ids, raw...)
		c.info = append(c.info, commitNode{count: unread})
		c.slots[at] = int32(len(c.info))
	}
	return c.slots[at] - 1
}

// id returns the raw id of the commit of a number.
func (c *commits) id(n int32) []byte {
	at := int(n) * c.size
	return c.ids[at : at+c.size]
}

// slot returns where id is, or would be entered.
func (c *commits) slot(id []byte) int {
	mask := len(c.slots) - 1
	at := int(binary.LittleEndian.Uint32(id)) & mask
	for n := c.slots[at]; n != 0 && !bytes.Equal(c.id(n-1), id); n = c.slots[at] {
		at = (at + 1) & mask
	}
	return at
}

func (c *commits) grow() {
	c.slots = make([]int32, max(1024, 2*len(c.slots)))
	for n := range int32(len(c.info)) {
		c.slots[c.slot(c.id(n))] = n + 1
	}
}
