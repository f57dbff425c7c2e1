package documents

import (
	"maps"
	"slices"
)

// course orders the entries of a plan for writing: what an entry depends on before
// it, and each file once, with all of its entries, but for files that depend on each
// other by some of theirs.
type course struct {
	pending []int       // of each node of the graph that changes: what it depends on and is not settled
	above   [][]int     // of each node: those that change and depend on it
	leaves  map[int]int // of each entry that changes: its node
	entries map[int]int // the reverse

	files map[string]*courseFile
	file  func(entry int) string
	whole []string // files of which no entry waits
	free  []int    // entries that came to wait no more, in files of which others do
}

// courseFile is a file with entries that change.
type courseFile struct {
	entries []int
	open    int // how many of them are not settled
	waiting int // and how many of these wait
}

// newCourse orders the entries of a plan; file tells in which each one stands.
func newCourse(p *plan, file func(entry int) string) *course {
	c := &course{
		pending: make([]int, len(p.graph.of)), above: make([][]int, len(p.graph.of)),
		leaves: map[int]int{}, entries: map[int]int{}, files: map[string]*courseFile{}, file: file,
	}
	for node, changes := range p.changing {
		for _, on := range p.graph.of[node] {
			if changes && p.changing[on] {
				c.pending[node]++
				c.above[on] = append(c.above[on], node)
			}
		}
	}
	for n, cell := range p.row.cells {
		if node := p.graph.leaf(n); p.changing[node] {
			c.add(cell.entry, node)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if c.files[name].waiting == 0 {
			c.whole = append(c.whole, name)
		}
	}
	return c
}

func (c *course) add(entry, node int) {
	c.leaves[entry], c.entries[node] = node, entry
	name := c.file(entry)
	if c.files[name] == nil {
		c.files[name] = &courseFile{}
	}
	f := c.files[name]
	f.entries, f.open = append(f.entries, entry), f.open+1
	if c.pending[node] > 0 {
		f.waiting++
	} else {
		c.free = append(c.free, entry)
	}
}

// next lists the entries to write now, sorted, none when all are settled: those of
// every file of which none waits, and where there is no such file those that do not.
func (c *course) next() (entries []int) {
	for _, name := range c.whole {
		entries = append(entries, c.files[name].entries...)
	}
	if len(c.whole) == 0 {
		entries, c.free = c.free, nil
	}
	c.whole = nil
	entries = slices.DeleteFunc(entries, c.settled)
	slices.Sort(entries)
	return entries
}

func (c *course) settled(entry int) bool {
	_, open := c.leaves[entry]
	return !open
}

// settle notes that entries were written, or will not be.
func (c *course) settle(entries []int) {
	for _, entry := range entries {
		c.files[c.file(entry)].open--
		node := c.leaves[entry]
		delete(c.leaves, entry)
		c.release(node)
	}
}

// release lets what depends on a node wait for it no more.
func (c *course) release(node int) {
	for open := []int{node}; len(open) > 0; {
		node, open = open[len(open)-1], open[:len(open)-1]
		for _, up := range c.above[node] {
			if c.pending[up]--; c.pending[up] > 0 {
				continue
			}
			if entry, leaf := c.entries[up]; leaf {
				c.ready(entry)
			} else {
				open = append(open, up)
			}
		}
	}
}

// ready notes that an entry waits no more.
func (c *course) ready(entry int) {
	name := c.file(entry)
	f := c.files[name]
	if f.waiting--; f.waiting == 0 {
		c.whole = append(c.whole, name)
		return
	}
	c.free = append(c.free, entry)
}

// left reports whether a file has entries that are not settled.
func (c *course) left(name string) bool { return c.files[name] != nil && c.files[name].open > 0 }
