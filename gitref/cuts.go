package gitref

// noCut stands for a boundary commit where there is none.
const noCut = -1

// cutWay is how a walk from a commit comes to a boundary commit.
type cutWay struct {
	cut  int32  // the first that it meets, noCut for none
	last queued // of the commits on the way the one that is walked last
}

// cuts returns, for each of some commits from which the walk painted fromTwo, the
// boundary commit of a shallow clone that a walk from it meets first, of those that do
// not lie behind the commit painted fromOne: what does cannot lead there. Commits with
// none are left out.
func (w *walk) cuts(from []int32) ([]int32, error) {
	ways := map[int32]cutWay{}
	for _, n := range w.cut {
		if *w.marks.at(n)&(fromOne|fromTwo) != fromTwo {
			continue
		}
		q, err := w.rankOf(n)
		if err != nil {
			return nil, err
		}
		ways[n] = cutWay{n, q}
	}
	if len(ways) == 0 {
		return nil, nil
	}
	var found []int32
	for _, n := range from {
		if err := w.findWay(ways, n); err != nil {
			return nil, err
		}
		if cut := ways[n].cut; cut != noCut {
			found = append(found, cut)
		}
	}
	return found, nil
}

// findWay adds the way from a commit, and those from all that it leads through.
func (w *walk) findWay(ways map[int32]cutWay, from int32) error {
	for open := []int32{from}; len(open) > 0; {
		n := open[len(open)-1]
		if _, known := ways[n]; known {
			open = open[:len(open)-1]
			continue
		}
		missing, err := w.addWay(ways, n)
		if err != nil {
			return err
		}
		open = append(open, missing...)
	}
	return nil
}

// addWay adds the way from a commit, or returns the parents from which it must be
// known first. A walk takes the latest commit that it can, so it goes by the parent
// from which the last commit on the way comes before that from any other.
func (w *walk) addWay(ways map[int32]cutWay, n int32) (missing []int32, err error) {
	best := cutWay{cut: noCut}
	if *w.marks.at(n)&fromOne != 0 {
		ways[n] = best
		return nil, nil
	}
	self, err := w.rankOf(n)
	if err != nil {
		return nil, err
	}
	parents, err := w.parents(self)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		way, known := ways[p]
		switch {
		case !known:
			missing = append(missing, p)
		case way.cut != noCut && (best.cut == noCut || way.last.before(best.last)):
			best = way
		}
	}
	if len(missing) > 0 {
		return missing, nil
	}
	if best.cut != noCut && best.last.before(self) {
		best.last = self
	}
	ways[n] = best
	return nil, nil
}
