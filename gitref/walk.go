package gitref

import "slices"

// What is known of a commit during a walk.
const (
	fromOne  = 1 << iota // the first commit descends from it
	fromTwo              // the second commit does
	stale                // a common ancestor descends from it
	isResult             // it was found to be a common ancestor
	isQueued             // it waits in the queue
	isBehind             // a commit that was met descends from it
)

// walk is one walk through history. Commits are numbered: those of the
// commit-graph by their position, those read as objects behind them.
type walk struct {
	h       *history
	inGraph int32 // how many commits the graph lists
	marks   marks
	queue   commitQueue
	fresh   int  // commits in the queue that are not stale
	toEnd   bool // it goes on when whatever is left lies behind a common ancestor
	scratch []int32
	edges   int64           // extra parents that may still be read from the graph
	cut     []int32         // boundary commits of a shallow clone that were met
	steps   int             // commits taken from the queue
	trail   map[int32]int32 // of commits behind the second one: the child that led there; nil where nobody asks
}

const (
	// verifyAfter is how many commits a walk takes before the checksums of the
	// commit-graph are recomputed beside it: a short one can be shown without.
	verifyAfter = 256

	// maxTrail bounds the commits of a trail.
	maxTrail = 1 << 10
)

func newWalk(h *history) *walk {
	w := &walk{h: h, toEnd: len(h.shallow) > 0}
	if h.graph != nil {
		w.inGraph = int32(h.graph.count)
		w.edges = 4 * h.graph.edgeCount()
	}
	w.marks = newMarks(w.inGraph)
	return w
}

// node returns the number of a commit.
func (w *walk) node(id OID) (int32, error) {
	if w.h.graph != nil {
		pos, ok, err := w.h.graph.find(id)
		if err != nil || ok {
			return int32(pos), err
		}
	}
	return w.inGraph + w.h.read.number(id), nil
}

func (w *walk) id(n int32) (OID, error) {
	if n < w.inGraph {
		return w.h.graph.id(int(n))
	}
	return oidFromBytes(w.h.read.id(n - w.inGraph))
}

// load makes sure that a commit outside the graph has been read.
func (w *walk) load(n int32) error {
	if n < w.inGraph || w.h.read.info[n-w.inGraph].count != unread {
		return nil
	}
	id, err := w.id(n)
	if err != nil {
		return err
	}
	c, err := w.h.readParent(id)
	if err != nil {
		return err
	}
	if _, boundary := w.h.shallow[id]; boundary {
		c.parents = nil
	}
	first := len(w.h.read.edges)
	for _, p := range c.parents {
		parent, err := w.node(p)
		if err != nil {
			return err
		}
		w.h.read.edges = append(w.h.read.edges, parent)
	}
	w.h.read.info[n-w.inGraph] = commitNode{time: c.committerTime, first: int32(first), count: int32(len(c.parents))}
	return nil
}

// rankOf is what orders a commit in the queue.
func (w *walk) rankOf(n int32) (queued, error) {
	if n >= w.inGraph {
		return queued{maxGeneration, w.h.read.info[n-w.inGraph].time, n}, nil
	}
	c, err := w.h.graph.commit(int(n))
	return queued{c.generation, c.time, n}, err
}

// parents returns the parents of a commit, valid until the next call.
func (w *walk) parents(q queued) ([]int32, error) {
	if q.node >= w.inGraph {
		info := w.h.read.info[q.node-w.inGraph]
		return w.h.read.edges[info.first : info.first+info.count], nil
	}
	c, err := w.h.graph.commit(int(q.node))
	if err != nil {
		return nil, err
	}
	w.scratch, err = w.h.graph.parents(w.scratch[:0], int(q.node), c)
	if extra := int64(len(w.scratch)) - 2; extra > 0 {
		// Lists that overlap would make a small file cost without bound.
		if w.edges -= extra; w.edges < 0 {
			return nil, errGraph
		}
	}
	return w.scratch, err
}

// add gives a commit flags, and queues it unless it had them all.
func (w *walk) add(q queued, flags uint8) {
	f := w.marks.at(q.node)
	was := *f
	*f |= flags | isQueued
	switch {
	case was&isQueued == 0:
		w.queue.push(q)
		if *f&stale == 0 {
			w.fresh++
		}
	case was&stale == 0 && *f&stale != 0:
		w.fresh--
	}
}

func (w *walk) pop() (queued, uint8) {
	q := w.queue.pop()
	f := w.marks.at(q.node)
	*f &^= isQueued
	if *f&stale == 0 {
		w.fresh--
	}
	return q, *f & (fromOne | fromTwo | stale)
}

// paint walks from one and from all of two, newest first, and marks what each side
// descends from, until whatever is left is known to lie behind a common ancestor
// (Documentation/technical/commit-graph in git, "paint_down_to_common"). Commits
// of a generation below lowest are left out. In a shallow history it goes on to
// the end, so that what a boundary hides is known exactly. found stops it.
func (w *walk) paint(one int32, two []int32, lowest uint64, found func() bool) ([]int32, error) {
	if err := w.enter(one, fromOne); err != nil {
		return nil, err
	}
	for _, n := range two {
		if err := w.enter(n, fromTwo); err != nil {
			return nil, err
		}
	}
	var results []int32
	for !found() && (w.fresh > 0 || w.toEnd && w.queue.len() > 0) {
		if w.steps++; w.steps == verifyAfter {
			w.h.verify()
		}
		q, flags := w.pop()
		if flags&(fromOne|fromTwo) == fromOne|fromTwo {
			if f := w.marks.at(q.node); flags&stale == 0 && *f&isResult == 0 {
				*f |= isResult
				results = append(results, q.node)
			}
			flags |= stale
		}
		if err := w.spread(q, flags, lowest); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (w *walk) enter(n int32, flags uint8) error {
	if err := w.load(n); err != nil {
		return err
	}
	q, err := w.rankOf(n)
	if err == nil {
		w.add(q, flags)
	}
	return err
}

// spread hands a commit's flags on to its parents.
func (w *walk) spread(q queued, flags uint8, lowest uint64) error {
	w.noteBoundary(q.node)
	parents, err := w.parents(q)
	if err != nil {
		return err
	}
	flags |= isBehind
	for _, p := range parents {
		if *w.marks.at(p)&flags == flags {
			continue
		}
		if err := w.load(p); err != nil {
			return err
		}
		next, err := w.rankOf(p)
		if err != nil {
			return err
		}
		if q.generation != maxGeneration && next.generation >= q.generation {
			return errGraph
		}
		if next.generation >= lowest {
			w.leaveTrail(q.node, p, flags)
			w.add(next, flags)
		}
	}
	return nil
}

// leaveTrail remembers by which child the walk from the second commit first came
// to a parent.
func (w *walk) leaveTrail(child, parent int32, flags uint8) {
	if w.trail != nil && len(w.trail) < maxTrail && flags&fromTwo != 0 && *w.marks.at(parent)&fromTwo == 0 {
		w.trail[parent] = child
	}
}

// shows reports whether the objects on the trail themselves lead from one commit
// down to another: each is read, its id recomputed, and names the next as the parent
// of the same place as in the graph. Where they do not, the error is errGraph.
func (w *walk) shows(descendant, ancestor OID, from, to int32) (bool, error) {
	var down []int32
	for at := to; at != from; {
		child, ok := w.trail[at]
		if !ok {
			return false, nil
		}
		down, at = append(down, at), child
	}
	at, id := from, descendant
	for _, next := range slices.Backward(down) {
		parents, err := w.parents(queued{node: at})
		if err != nil {
			return false, err
		}
		named, err := w.h.parentsOf(id)
		place := slices.Index(parents, next)
		if err != nil || place < 0 || place >= len(named) {
			return false, errGraph
		}
		at, id = next, named[place]
	}
	if id != ancestor {
		return false, errGraph
	}
	return true, nil
}

// noteBoundary remembers a commit whose parents a shallow clone left out.
func (w *walk) noteBoundary(n int32) {
	if len(w.h.shallow) == 0 {
		return
	}
	id, err := w.id(n)
	if err != nil {
		return
	}
	if _, boundary := w.h.shallow[id]; boundary {
		w.cut = append(w.cut, n)
	}
}

var neverFound = func() bool { return false }

// reaches reports whether from descends from (or is) to.
func (w *walk) reaches(from, to int32) (bool, error) {
	lowest, err := w.lowest([]int32{to})
	if err != nil {
		return false, err
	}
	yes := func() bool { return *w.marks.at(to)&fromTwo != 0 }
	if _, err := w.paint(to, []int32{from}, lowest, yes); err != nil {
		return false, err
	}
	if yes() {
		return true, nil
	}
	for _, n := range w.cut {
		// What lies behind an ancestor of the target cannot lead to it.
		if *w.marks.at(n)&(fromOne|fromTwo) == fromTwo {
			return false, shallowFault(w, n)
		}
	}
	return false, nil
}

// lowest returns the lowest generation of some commits.
func (w *walk) lowest(nodes []int32) (uint64, error) {
	lowest := uint64(maxGeneration)
	for _, n := range nodes {
		if err := w.load(n); err != nil {
			return 0, err
		}
		q, err := w.rankOf(n)
		if err != nil {
			return 0, err
		}
		lowest = min(lowest, q.generation)
	}
	return lowest, nil
}

// bases returns the best common ancestors of one and two.
func (w *walk) bases(one, two int32) ([]int32, error) {
	if one == two {
		return []int32{one}, nil
	}
	results, err := w.paint(one, []int32{two}, 0, neverFound)
	if err != nil {
		return nil, err
	}
	for _, n := range w.cut {
		if *w.marks.at(n)&(fromOne|fromTwo) != fromOne|fromTwo {
			return nil, shallowFault(w, n)
		}
	}
	var best []int32
	for _, n := range results {
		if *w.marks.at(n)&stale == 0 {
			best = append(best, n)
		}
	}
	// Dates out of order let the walk end before it has seen that one lies behind another.
	return newApart(w.h, best).all()
}

func shallowFault(w *walk, n int32) error {
	id, err := w.id(n)
	if err != nil {
		return err
	}
	return &Error{Fault: Shallow, Subject: id.String(), Proof: "history before this commit is not in the shallow repository"}
}
