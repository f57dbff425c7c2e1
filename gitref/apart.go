package gitref

import "slices"

// maxTries is how many commits are tried one by one. A walk for one ends early; where
// clocks were so far off that as many turned out to lie behind another, one walk to
// the end of history tells of all.
const maxTries = 8

// apart tells which of some distinct commits no other of them descends from. A walk
// starts from all of them at once: asked pair by pair, they would cost one each.
type apart struct {
	h       *history
	nodes   []int32
	behind  []bool // by place in nodes: another is known to descend from it
	tries   int
	settled bool // another descends from no more of them, as far as history is here
}

func newApart(h *history, nodes []int32) *apart {
	return &apart{h: h, nodes: nodes, behind: make([]bool, len(nodes))}
}

// try finds out whether commit i lies behind another, and notes all others of which
// the walk shows it. What i descends from is painted fromOne, what the others do fromTwo.
func (a *apart) try(i int) (*walk, error) {
	w := newWalk(a.h)
	a.tries++
	w.toEnd = w.toEnd || a.tries > maxTries
	bound := a.nodes[i : i+1]
	if w.toEnd {
		bound = a.nodes
	}
	lowest, err := w.lowest(bound)
	if err != nil {
		return nil, err
	}
	found := func() bool { return !w.toEnd && *w.marks.at(a.nodes[i])&fromTwo != 0 }
	if _, err := w.paint(a.nodes[i], a.others(i), lowest, found); err != nil {
		return nil, err
	}
	for j, n := range a.nodes {
		a.behind[j] = a.behind[j] || *w.marks.at(n)&isBehind != 0
	}
	a.settled = w.toEnd
	return w, nil
}

// others are all commits but commit i.
func (a *apart) others(i int) []int32 { return slices.Concat(a.nodes[:i], a.nodes[i+1:]) }

// foremost returns the place of the first commit that no other is known to descend
// from, and the boundary commits behind which one could.
func (a *apart) foremost() (at int, cut []OID, err error) {
	for {
		at := slices.Index(a.behind, false)
		w, err := a.try(at)
		if err != nil {
			return 0, nil, err
		}
		if a.behind[at] {
			continue
		}
		nodes, err := w.cuts(a.others(at))
		if err != nil {
			return 0, nil, err
		}
		cut, err := w.names(nodes)
		return at, slices.Compact(cut), err
	}
}

// all returns the commits that no other descends from. The error is Shallow where that
// is not known of one.
func (a *apart) all() ([]int32, error) {
	var kept []int32
	for i, n := range a.nodes {
		if err := a.prove(i); err != nil {
			return nil, err
		}
		if !a.behind[i] {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

// prove makes sure that it is known of commit i whether another descends from it.
func (a *apart) prove(i int) error {
	if len(a.nodes) == 1 || a.behind[i] || a.settled && len(a.h.shallow) == 0 {
		return nil
	}
	w, err := a.try(i)
	if err != nil || a.behind[i] {
		return err
	}
	cut, err := w.cuts(a.others(i))
	if err == nil && len(cut) > 0 {
		err = shallowFault(w, cut[0])
	}
	return err
}
