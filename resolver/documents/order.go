package documents

import (
	"slices"
	"sort"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// dependencies are which entries stand inside what others are about: rewriting the
// one changes the identity of the other.
type dependencies struct {
	of [][]int // for each entry, those that it depends on
}

// dependencies finds what every entry depends on.
func (r *round) dependencies() dependencies {
	files := map[string][]int{} // entries by the file in which they stand, in order
	for i, e := range r.entries {
		files[e.File] = append(files[e.File], i)
	}
	for _, list := range files {
		slices.SortFunc(list, func(a, b int) int { return r.entries[a].From - r.entries[b].From })
	}
	d := dependencies{of: make([][]int, len(r.entries))}
	for i := range r.entries {
		d.of[i] = r.covered(i, files)
	}
	return d
}

// covered lists the entries that stand in what entry i is about.
func (r *round) covered(i int, files map[string][]int) []int {
	p, from := r.records[i].Subject(), r.entries[i].File
	if p.IsZero() || r.records[i].Outcome == resolver.Blocked {
		return nil
	}
	at, ok := p.Path(from)
	if !ok {
		return nil
	}
	switch p.Kind().Name {
	case "file":
		return r.inRange(files[at], r.records[i])
	case "inputs":
		return r.inAll(files, ".", i)
	}
	return r.inAll(files, at, i)
}

// inRange lists the entries of a file that a record's selection covers. What is
// hashed in another form than it lies there has other offsets.
func (r *round) inRange(list []int, record *resolver.Record) []int {
	o := record.Observed
	if o == nil || o.Bytes == nil || o.Conversion != "" || record.Subject().Identity().Whole() {
		return list
	}
	first := sort.Search(len(list), func(n int) bool { return r.entries[list[n]].To > o.Bytes[0] })
	end := sort.Search(len(list), func(n int) bool { return r.entries[list[n]].From >= o.Bytes[1] })
	return list[first:max(first, end)]
}

// inAll lists the entries below a folder, but for pins, which no digest of a folder
// counts. A set of inputs can depend on anything but itself.
func (r *round) inAll(files map[string][]int, folder string, self int) (all []int) {
	for file, list := range files {
		if !within(folder, file) || isPinsPath(file) {
			continue
		}
		for _, i := range list {
			if i != self || folder != "." {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return all
}

// refuseCircles leaves the candidates that depend on each other in a circle, by
// name: none of them can be right before the others are.
func (r *round) refuseCircles() {
	for _, circle := range r.dependencies().circles() {
		for _, i := range circle {
			if r.candidate(i) {
				r.block(i, authority.MalformedAuthority, "accepting it changes what it depends on; the circle is "+r.circle(circle))
			}
		}
	}
}

// ready are the candidates that depend on no other candidate, waiting those that
// do.
func (r *round) ready() (ready, waiting []int) {
	d := r.dependencies()
	for i := range r.entries {
		if !r.candidate(i) {
			continue
		}
		if d.reaches(i, r.candidate) {
			waiting = append(waiting, i)
		} else {
			ready = append(ready, i)
		}
	}
	return ready, waiting
}

// reaches reports whether an entry depends, however far, on another that is
// wanted.
func (d dependencies) reaches(from int, wanted func(int) bool) bool {
	seen := map[int]bool{from: true}
	stack := slices.Clone(d.of[from])
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[i] {
			continue
		}
		if wanted(i) {
			return true
		}
		seen[i] = true
		stack = append(stack, d.of[i]...)
	}
	return false
}

// circles lists the groups of entries that depend on each other, or one on
// itself: the strongly connected components (Tarjan 1972), without recursion.
func (d dependencies) circles() [][]int {
	t := tarjan{d: d, index: make([]int, len(d.of)), low: make([]int, len(d.of)), on: make([]bool, len(d.of))}
	for i := range d.of {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	return t.found
}

type tarjan struct {
	d          dependencies
	index, low []int // from 1; 0 before the visit
	on         []bool
	stack      []int
	count      int
	found      [][]int
}

// frame is an entry being visited, and how many of its dependencies were.
type frame struct{ node, next int }

func (t *tarjan) visit(root int) {
	frames := []frame{t.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.next < len(t.d.of[f.node]) {
			to := t.d.of[f.node][f.next]
			f.next++
			if t.index[to] == 0 {
				frames = append(frames, t.enter(to))
			} else if t.on[to] {
				t.low[f.node] = min(t.low[f.node], t.index[to])
			}
			continue
		}
		node := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			above := frames[len(frames)-1].node
			t.low[above] = min(t.low[above], t.low[node])
		}
		t.leave(node)
	}
}

func (t *tarjan) enter(node int) frame {
	t.count++
	t.index[node], t.low[node], t.on[node] = t.count, t.count, true
	t.stack = append(t.stack, node)
	return frame{node: node}
}

// leave takes the component whose first entry node is off the stack.
func (t *tarjan) leave(node int) {
	if t.low[node] != t.index[node] {
		return
	}
	at := slices.Index(t.stack, node)
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, i := range group {
		t.on[i] = false
	}
	if len(group) > 1 || slices.Contains(t.d.of[node], node) {
		t.found = append(t.found, group)
	}
}
