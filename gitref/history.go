package gitref

import (
	"errors"
	"math"
	"slices"
	"sync"
)

const (
	// maxCommitSize bounds one commit object in a walk.
	maxCommitSize = 64 << 20

	// maxKeptCommits bounds the commits remembered from one question to the next.
	maxKeptCommits = 1 << 18

	// maxKeptTrails bounds the commits on trails that are remembered.
	maxKeptTrails = 16 * maxTrail

	// maxGeneration is the generation of a commit that the graph does not list:
	// nothing the graph lists descends from it.
	maxGeneration = math.MaxUint64
)

// history answers questions of ancestry. It walks the commit-graph where that
// is sound, and the commit objects where it is not, or lists nothing.
type history struct {
	src      objectSource
	hashSize int
	shallow  map[OID]struct{}
	dirs     []string
	raw      bool // no commit-graph: it was written for another history, or is broken

	mu       sync.Mutex // one walk at a time
	graph    *commitGraph
	opened   bool
	verified chan error      // yields once what the checksums of graph say; nil before they are recomputed
	settled  bool            // they are right
	shown    bool            // the objects themselves show the answer of the walk at hand
	trail    map[int32]int32 // that of the walk at hand
	parents  map[OID][]OID   // of commits on trails, as their objects name them
	read     commits
}

// newHistory makes a history over src, whose ids have hashSize bytes. shallow lists
// the boundary commits of a shallow clone. grafted says that replace refs or grafts
// exist: what is walked are the raw objects, for which a commit-graph does not speak.
// objectDirs are where a commit-graph may be.
func newHistory(src objectSource, hashSize int, shallow map[OID]struct{}, grafted bool, objectDirs []string) *history {
	h := &history{src: src, hashSize: hashSize, shallow: shallow, dirs: objectDirs, raw: grafted || len(shallow) > 0}
	h.forget()
	return h
}

// isAncestor reports whether descendant is, or descends from, ancestor.
func (h *history) isAncestor(ancestor, descendant OID) (bool, error) {
	var yes bool
	err := h.ask([]OID{ancestor, descendant}, func(w *walk, nodes []int32) error {
		a, d := nodes[0], nodes[1]
		if h.graph != nil {
			clear(h.trail)
			w.trail = h.trail
		}
		var err error
		if yes, err = w.reaches(d, a); yes && err == nil {
			h.shown, err = w.shows(descendant, ancestor, d, a)
		}
		return err
	})
	return yes && err == nil, err
}

// mergeBases returns the best common ancestors of a and b, sorted by id. Where one
// is found behind the other it is their only one, whatever a shallow history hides.
func (h *history) mergeBases(a, b OID) ([]OID, error) {
	if len(h.shallow) > 0 {
		for _, pair := range [][2]OID{{a, b}, {b, a}} {
			if behind, err := h.isAncestor(pair[0], pair[1]); behind && err == nil {
				return []OID{pair[0]}, nil
			}
		}
	}
	var bases []OID
	err := h.ask([]OID{a, b}, func(w *walk, nodes []int32) error {
		found, err := w.bases(nodes[0], nodes[1])
		if err != nil {
			return err
		}
		bases, err = w.names(found)
		return err
	})
	return bases, err
}

// foremost returns the place of the first of some distinct commits that no other is
// known to descend from, and the boundary commits behind which one could.
func (h *history) foremost(ids []OID) (at int, cut []OID, err error) {
	err = h.ask(ids, func(_ *walk, nodes []int32) (err error) {
		at, cut, err = newApart(h, nodes).foremost()
		return err
	})
	return at, cut, err
}

// ask runs question over some commits: with the commit-graph, and again without it
// when the graph turns out to be broken.
func (h *history) ask(ids []OID, question func(w *walk, nodes []int32) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if err := h.checkCommit(id); err != nil {
			return err
		}
	}
	h.open()
	for {
		h.shown = false
		err := h.tryAsk(ids, question)
		if h.graph == nil {
			return err
		}
		if h.sound(err) {
			return err
		}
		h.dropGraph()
	}
}

// tryAsk is one attempt; a fault in mapped memory is an error of the graph,
// since the store traps its own.
func (h *history) tryAsk(ids []OID, question func(w *walk, nodes []int32) error) (err error) {
	if h.graph != nil {
		defer func() {
			if e, ok := errors.AsType[*Error](err); ok && e.Subject == "" {
				err = errGraph
			}
		}()
		defer trapFault(&err, OID{})()
	}
	if len(h.read.info) > maxKeptCommits {
		h.forget()
	}
	w := newWalk(h)
	nodes := make([]int32, len(ids))
	for i, id := range ids {
		if nodes[i], err = w.node(id); err != nil {
			return err
		}
	}
	return question(w, nodes)
}

// checkCommit proves that id is a commit of the repository.
func (h *history) checkCommit(id OID) error {
	_, err := h.readCommit(id)
	return err
}

// open opens the commit-graph, once.
func (h *history) open() {
	if h.opened {
		return
	}
	h.opened = true
	if h.raw {
		return
	}
	if g, err := openGraph(h.dirs, h.hashSize); err == nil {
		h.graph, h.trail, h.parents = g, map[int32]int32{}, map[OID][]OID{}
	}
}

// verify starts to recompute the checksums of the commit-graph, once, on another
// processor: a changed byte would else be a wrong answer.
func (h *history) verify() {
	if h.graph == nil || h.verified != nil {
		return
	}
	g, done := h.graph, make(chan error, 1)
	h.verified = done
	go func() { done <- g.verify() }()
}

// sound reports whether an answer by the graph, or an error, can stand.
func (h *history) sound(err error) bool {
	if h.shown {
		return true
	}
	if !h.settled {
		h.verify()
		if err := <-h.verified; err != nil {
			return false
		}
		h.settled = true
	}
	_, ours := errors.AsType[*Error](err)
	return err == nil || ours
}

// forget drops what was read of commits.
func (h *history) forget() { h.read = commits{size: h.hashSize} }

func (h *history) dropGraph() {
	h.graph.close()
	h.graph = nil
	h.forget()
}

// close releases the commit-graph.
func (h *history) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.graph == nil {
		return nil
	}
	if h.verified != nil && !h.settled {
		<-h.verified
	}
	h.dropGraph()
	return nil
}

// readCommit reads and parses a commit object.
func (h *history) readCommit(id OID) (commitInfo, error) {
	obj, err := h.src.read(id, maxCommitSize)
	if err != nil {
		return commitInfo{}, err
	}
	if obj.Type != CommitObject {
		return commitInfo{}, wrongType(id, obj.Type, CommitObject)
	}
	c, err := parseCommit(obj.Data, h.hashSize)
	if err != nil {
		return c, malformed(id, CommitObject, err)
	}
	return c, nil
}

// parentsOf returns the parents that a commit object names, which is read once.
func (h *history) parentsOf(id OID) ([]OID, error) {
	if known, ok := h.parents[id]; ok {
		return known, nil
	}
	c, err := h.readCommit(id)
	if err != nil {
		return nil, err
	}
	if len(h.parents) == maxKeptTrails {
		clear(h.parents)
	}
	h.parents[id] = c.parents
	return c.parents, nil
}

// readParent reads a commit that another names as its parent: in complete
// history it is there and is a commit.
func (h *history) readParent(id OID) (commitInfo, error) {
	c, err := h.readCommit(id)
	return c, ofParent(id, err)
}

// ofParent is the error of reading a commit that another names as its parent.
func ofParent(id OID, err error) error {
	if f := faultIn(err); f == NoObject || f == WrongType {
		return &Error{Fault: Corrupt, Subject: id.String(), Proof: "history names this commit, and the repository does not have it", Err: err}
	}
	return err
}

// names returns the ids of nodes, sorted.
func (w *walk) names(nodes []int32) ([]OID, error) {
	var ids []OID
	for _, n := range nodes {
		id, err := w.id(n)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.SortFunc(ids, compareOID)
	return ids, nil
}
