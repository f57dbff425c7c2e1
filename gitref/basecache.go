package gitref

import (
	"container/list"
	"sync"
	"sync/atomic"
)

// baseCacheSize bounds the delta bases kept for the entries that build on them.
const baseCacheSize = 8 << 20

type baseKey struct {
	pack *pack
	off  int64
}

type baseEntry struct {
	key  baseKey
	kind uint8
	data []byte
}

// baseCache holds the most recently used delta bases of all packs.
type baseCache struct {
	chains atomic.Int32

	mu    sync.Mutex
	size  int
	order list.List // of *baseEntry, most recent first
	byKey map[baseKey]*list.Element
}

// coldChains is how many objects are made of deltas before their bases are kept:
// for the few trees on the way to one path, fresh memory for every base costs
// more than making some of them twice.
const coldChains = 8

// warm reports whether bases are to be kept. It is asked once for each object.
func (c *baseCache) warm() bool {
	return c.chains.Load() >= coldChains || c.chains.Add(1) > coldChains
}

func (c *baseCache) get(p *pack, off int64) (uint8, []byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[baseKey{p, off}]
	if !ok {
		return 0, nil, false
	}
	c.order.MoveToFront(at)
	e := at.Value.(*baseEntry)
	return e.kind, e.data, true
}

func (c *baseCache) put(p *pack, off int64, kind uint8, data []byte) {
	key := baseKey{p, off}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok || len(data) > baseCacheSize/2 {
		return
	}
	if c.byKey == nil {
		c.byKey = make(map[baseKey]*list.Element)
	}
	c.byKey[key] = c.order.PushFront(&baseEntry{key, kind, data})
	for c.size += len(data); c.size > baseCacheSize; {
		last := c.order.Remove(c.order.Back()).(*baseEntry)
		delete(c.byKey, last.key)
		c.size -= len(last.data)
	}
}
