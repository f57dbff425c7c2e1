package documents

import "slices"

// graph says which cells of a row depend on which: the leaves are the cells, and
// above them stands a binary tree whose nodes are the cells below them, so that a
// cell that depends on a span of n cells has no more than 2 log n edges.
type graph struct {
	size int     // leaves, which are the nodes from size on; 1 is the root
	of   [][]int // for each node, those that it depends on
}

func newGraph(size int) *graph {
	g := &graph{size: size, of: make([][]int, 2*size)}
	for node := 1; node < size; node++ {
		g.of[node] = []int{2 * node, 2*node + 1}
	}
	return g
}

func (g *graph) leaf(cell int) int { return g.size + cell }

func (g *graph) isLeaf(node int) bool { return node >= g.size }

// cover makes a cell depend on spans.
func (g *graph) cover(cell int, spans []span) {
	g.of[g.leaf(cell)] = append(g.of[g.leaf(cell)], g.nodes(spans)...)
}

// nodes lists the nodes that together are spans.
func (g *graph) nodes(spans []span) (list []int) {
	for _, s := range spans {
		for from, to := s.from+g.size, s.to+g.size; from < to; from, to = from/2, to/2 {
			if from%2 == 1 {
				list = append(list, from)
				from++
			}
			if to%2 == 1 {
				to--
				list = append(list, to)
			}
		}
	}
	return list
}

// circle reports whether the cells of a component depend on themselves.
func (g *graph) circle(group []int) bool {
	return len(group) > 1 || slices.Contains(g.of[group[0]], group[0])
}

// leaves lists the cells of a component.
func (g *graph) leaves(group []int) (cells []int) {
	for _, node := range group {
		if g.isLeaf(node) {
			cells = append(cells, node-g.size)
		}
	}
	return cells
}

// components lists the groups of nodes that depend on each other, what they depend
// on before them: the strongly connected components (Tarjan 1972), without
// recursion.
func (g *graph) components() [][]int {
	t := tarjan{of: g.of, index: make([]int, len(g.of)), low: make([]int, len(g.of)), on: make([]bool, len(g.of))}
	for node := 1; node < len(g.of); node++ {
		if t.index[node] == 0 {
			t.visit(node)
		}
	}
	return t.found
}

type tarjan struct {
	of         [][]int
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
		if f.next < len(t.of[f.node]) {
			to := t.of[f.node][f.next]
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
	at := len(t.stack) - 1
	for t.stack[at] != node {
		at--
	}
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, n := range group {
		t.on[n] = false
	}
	t.found = append(t.found, group)
}
