package gitref

import (
	"slices"
	"sync"
)

// deltaBuffers holds buffers for inflated deltas, which live only until they
// are applied.
var deltaBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptBuffer bounds a buffer that waits for its next use.
const maxKeptBuffer = 1 << 20

// chain is the way from an entry down to the object its deltas build on.
type chain struct {
	deltas []entry // the entry asked for first
	offs   []int64
	kind   uint8
	data   []byte // the base when the cache had it
	base   entry  // else its entry
	off    int64  // the base's offset
}

// resolveChain follows base references until an object or, when cached is
// given, something it holds.
func (p *pack) resolveChain(d *packData, off int64, cached *baseCache) (chain, error) {
	var c chain
	for {
		c.off = off
		if cached != nil {
			if kind, data, ok := cached.get(p, off); ok {
				c.kind, c.data = kind, data
				return c, nil
			}
		}
		e, err := p.entry(d, off)
		if err != nil {
			return c, err
		}
		if e.kind < kindOfsDelta {
			c.kind, c.base = e.kind, e
			return c, nil
		}
		if len(c.deltas) == maxChain {
			return c, errOverLimit
		}
		// Only a base named by id can lead back up the chain.
		if e.kind == kindRefDelta && (e.base == off || slices.Contains(c.offs, e.base)) {
			return c, errPack
		}
		c.deltas, c.offs = append(c.deltas, e), append(c.offs, off)
		off = e.base
	}
}

// read returns the object at off. What it returns is shared with the cache.
func (p *pack) read(off, limit int64, cached *baseCache) (uint8, []byte, error) {
	d, err := p.open()
	if err != nil {
		return 0, nil, err
	}
	c, err := p.resolveChain(d, off, cached)
	if err != nil {
		return 0, nil, err
	}
	if len(c.deltas) == 0 {
		data, err := d.readBase(c, limit)
		return c.kind, data, err
	}
	if size, err := d.resultSize(c.deltas[0]); err != nil {
		return 0, nil, err
	} else if size > limit {
		return 0, nil, errOverLimit
	}
	data, err := p.applyChain(d, c, max(limit, maxBase), cached)
	return c.kind, data, err
}

// readBase returns the object at the bottom of the chain.
func (d *packData) readBase(c chain, limit int64) ([]byte, error) {
	if c.data != nil {
		if int64(len(c.data)) > limit {
			return nil, errOverLimit
		}
		return c.data, nil
	}
	if err := d.checkDeclared(c.base, limit); err != nil {
		return nil, err
	}
	data := make([]byte, c.base.size)
	return data, d.inflateAt(data, c.base.body)
}

// applyChain makes the object from its base upwards. Each base on the way stays
// in the cache, or makes room for the result after the next.
func (p *pack) applyChain(d *packData, c chain, limit int64, cached *baseCache) ([]byte, error) {
	data, err := d.readBase(c, limit)
	if err != nil {
		return nil, err
	}
	keep := cached.warm()
	var work int64
	var spare []byte
	for i := len(c.deltas) - 1; i >= 0; i-- {
		if c.data == nil && keep {
			cached.put(p, c.off, c.kind, data)
		}
		next, err := d.applyEntry(spare, data, c.deltas[i], limit)
		if err != nil {
			return nil, err
		}
		if spare = nil; c.data == nil && !keep {
			spare = data
		}
		c.data, c.off, data = nil, c.offs[i], next
		if work += int64(len(data)); work > maxChainWork {
			return nil, errOverLimit
		}
	}
	return data, nil
}

func (d *packData) applyEntry(dst, base []byte, e entry, limit int64) ([]byte, error) {
	if err := d.checkDeclared(e, limit); err != nil {
		return nil, err
	}
	buf := deltaBuffers.Get().(*[]byte)
	defer func() {
		if cap(*buf) <= maxKeptBuffer {
			deltaBuffers.Put(buf)
		}
	}()
	if int64(cap(*buf)) < e.size {
		*buf = make([]byte, e.size)
	}
	delta := (*buf)[:e.size]
	if err := d.inflateAt(delta, e.body); err != nil {
		return nil, err
	}
	return applyDelta(dst, base, delta, limit)
}

// resultSize reads from the head of a delta how large its result is.
func (d *packData) resultSize(e entry) (int64, error) {
	src, _, err := d.window(e.body, 512)
	if err != nil {
		return 0, err
	}
	var head [20]byte
	n, err := inflateHead(head[:min(e.size, int64(len(head)))], src)
	if err != nil {
		return 0, err
	}
	_, size, _, err := deltaSizes(head[:n])
	return size, err
}

// stat returns kind and size of the object at off from the heads of the entries
// of its chain.
func (p *pack) stat(off int64) (uint8, int64, error) {
	d, err := p.open()
	if err != nil {
		return 0, 0, err
	}
	c, err := p.resolveChain(d, off, nil)
	if err != nil {
		return 0, 0, err
	}
	if len(c.deltas) == 0 {
		return c.kind, c.base.size, d.checkDeclared(c.base, c.base.size)
	}
	size, err := d.resultSize(c.deltas[0])
	return c.kind, size, err
}
