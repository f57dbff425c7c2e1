package gitref

import (
	"bytes"
	"sort"
	"sync"
)

// cachedTree is a tree that a batch walks through.
type cachedTree struct {
	data []byte

	listed sync.Once
	starts []int32 // where each entry begins; nil for a tree that git did not write so
}

// find is treeEntry. A tree that is asked a second time is searched by halves.
func (t *cachedTree) find(name string, hashSize int, again bool) (Entry, bool, error) {
	if !again {
		return treeEntry(t.data, name, hashSize)
	}
	if t.listed.Do(func() { t.starts = entryStarts(t.data, hashSize) }); t.starts == nil {
		return treeEntry(t.data, name, hashSize)
	}
	wanted := []byte(name)
	for _, as := range [2]Mode{ModeFile, ModeTree} {
		i := sort.Search(len(t.starts), func(i int) bool {
			got, e, _ := t.entry(i, hashSize)
			return compareNames(got, e.Mode, wanted, as) >= 0
		})
		if i == len(t.starts) {
			continue
		}
		if got, e, err := t.entry(i, hashSize); err != nil || string(got) == name {
			return e, err == nil, err
		}
	}
	return Entry{}, false, nil
}

func (t *cachedTree) entry(i, hashSize int) ([]byte, Entry, error) {
	name, e, _, err := cutTreeEntry(t.data[t.starts[i]:], hashSize)
	return name, e, err
}

// entryStarts lists where the entries of a tree begin, nil unless each is well
// formed and sorts behind the one before it.
func entryStarts(data []byte, hashSize int) []int32 {
	starts := make([]int32, 0, len(data)/(hashSize+20)+1)
	var last []byte
	var lastMode Mode
	for rest := data; len(rest) > 0; {
		name, e, next, err := cutTreeEntry(rest, hashSize)
		if err != nil || bytes.IndexByte(name, '/') >= 0 || last != nil && compareNames(last, lastMode, name, e.Mode) >= 0 {
			return nil
		}
		starts = append(starts, int32(len(data)-len(rest)))
		rest, last, lastMode = next, name, e.Mode
	}
	return starts
}

// treeCache keeps the trees a batch walks through, in two generations: what has
// not been used since the last turn is dropped.
type treeCache struct {
	mu         sync.Mutex
	young, old map[OID]*cachedTree
	bytes      int
}

// maxTreeBytes bounds one generation.
const maxTreeBytes = 8 << 20

func (c *treeCache) get(id OID) (*cachedTree, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.young[id]
	if !ok {
		if t, ok = c.old[id]; ok {
			c.put(id, t)
		}
	}
	return t, ok
}

func (c *treeCache) add(id OID, t *cachedTree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(id, t)
}

func (c *treeCache) put(id OID, t *cachedTree) {
	if c.young == nil || c.bytes+len(t.data) > maxTreeBytes {
		c.young, c.old, c.bytes = map[OID]*cachedTree{}, c.young, 0
	}
	c.young[id] = t
	c.bytes += len(t.data)
}

// tree returns a tree, and whether it has been asked for before.
func (r *Repo) tree(id OID) (t *cachedTree, again bool, err error) {
	if t, ok := r.trees.get(id); ok {
		return t, true, nil
	}
	obj, err := r.readAs(id, TreeObject)
	if err != nil {
		return nil, false, err
	}
	t = &cachedTree{data: obj.Data}
	r.trees.add(id, t)
	return t, false, nil
}
