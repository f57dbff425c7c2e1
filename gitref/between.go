package gitref

import (
	"container/heap"
	"context"
)

// Between is what one commit has in its history and another has not.
type Between struct {
	Commits  []OID // the latest by commit time, of one time the lower id first
	Total    int   // how many there are
	Walked   int   // commits looked at
	OverMax  bool  // the bound on commits ended the walk: there are more
	Boundary []OID // commits of a shallow clone whose parents are not here
	Descends bool  // head is base, or descends from it
}

// Between lists at most most commits that head is or descends from, and base is
// not and does not, after looking at maxCommits at the most. Whether
// head descends from base is decided by ancestry alone. The list goes by commit times
// as git's rev-list does: where clocks were off by more than clockSlop commits it may
// hold one that base has too. Errors are those of Commit.
func (r *Repo) Between(ctx context.Context, base, head OID, most, maxCommits int) (*Between, error) {
	boundary, err := r.shallowBoundary()
	if err != nil {
		return nil, err
	}
	w := &betweenWalk{repo: r, shallow: boundary, known: map[OID]*betweenCommit{}, out: &Between{}}
	if err := w.enter(base, ofBase); err != nil {
		return nil, err
	}
	if err := w.enter(head, ofHead); err != nil {
		return nil, err
	}
	for w.goesOn() {
		if err := alive(ctx); err != nil {
			return nil, err
		}
		if w.out.OverMax = w.out.Walked == maxCommits; w.out.OverMax {
			break
		}
		if err := w.step(); err != nil {
			return nil, err
		}
	}
	w.out.Descends = w.known[base].flags&ofHead != 0
	for _, c := range w.heads {
		if c.flags&ofBase == 0 {
			if w.out.Total++; len(w.out.Commits) < most {
				w.out.Commits = append(w.out.Commits, c.commit)
			}
		}
	}
	return w.out, nil
}

// The sides from which a commit of a betweenWalk is reached.
const (
	ofHead uint8 = 1 << iota
	ofBase
)

// betweenWalk paints commits with the sides they are reached from.
type betweenWalk struct {
	repo    *Repo
	shallow map[OID]struct{}
	known   map[OID]*betweenCommit
	queue   pathQueue
	heads   []*betweenCommit // looked at while only head was known to reach them
	open    int              // queued commits that still matter: reached by head alone, or to be painted again
	over    int              // commits looked at since nothing queued mattered
	out     *Between
}

// goesOn reports whether a commit that is queued may still show that base has
// what head has.
func (w *betweenWalk) goesOn() bool {
	if w.open > 0 {
		w.over = 0
		return true
	}
	w.over++
	return w.queue.Len() > 0 && len(w.heads) > 0 && w.over <= clockSlop
}

type betweenCommit struct {
	pathState
	flags  uint8
	queued bool
	matter bool // it counts in open
}

// enter paints a commit and queues it when that is news.
func (w *betweenWalk) enter(id OID, flags uint8) error {
	c := w.known[id]
	if c == nil {
		info, err := w.repo.commit(id)
		if err != nil {
			return err
		}
		c = &betweenCommit{pathState: pathState{pathAt: pathAt{commit: id}, logCommit: &logCommit{commitInfo: info}}}
		w.known[id] = c
	} else if c.flags|flags == c.flags {
		return nil
	}
	again := c.flags != 0 && !c.queued
	c.flags |= flags
	if !c.queued {
		c.queued = true
		heap.Push(&w.queue, &c.pathState)
	}
	w.count(c, c.flags == ofHead || again)
	return nil
}

func (w *betweenWalk) count(c *betweenCommit, matters bool) {
	switch {
	case matters && !c.matter:
		w.open++
	case !matters && c.matter:
		w.open--
	}
	c.matter = matters
}

// step looks at the commit that comes next and paints its parents.
func (w *betweenWalk) step() error {
	c := w.known[heap.Pop(&w.queue).(*pathState).commit]
	w.out.Walked++
	w.count(c, false)
	c.queued = false
	if c.flags == ofHead {
		w.heads = append(w.heads, c)
	}
	if _, cut := w.shallow[c.commit]; cut {
		w.out.Boundary = append(w.out.Boundary, c.commit)
		return nil
	}
	for _, id := range c.parents {
		if err := w.enter(id, c.flags); err != nil {
			return err
		}
	}
	return nil
}
