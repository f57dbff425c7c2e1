package gitref

import (
	"container/heap"
	"context"
	"slices"
)

// clockSlop is how many commits a list goes on behind the last that can matter to
// it when parents are older than their children: clocks differ, and a parent that is
// younger comes out of turn.
const clockSlop = 1000

// logCommit is a commit that a log met, at whatever path.
type logCommit struct {
	commitInfo
	waiting int  // queued paths of it
	hidden  bool // a hidden version descends from it
	ends    bool // a version of it hides what is behind
}

// closed reports whether nothing of the commit is looked at any more.
func (c *logCommit) closed() bool { return c.hidden || c.ends }

// commit reads a commit, once. A parent must be there.
func (l *PathLog) commit(id OID, parent bool) (*logCommit, error) {
	if c := l.commits[id]; c != nil {
		return c, nil
	}
	info, err := l.repo.commit(id)
	if parent {
		err = ofParent(id, err)
	}
	if err != nil {
		return nil, err
	}
	c := &logCommit{commitInfo: info}
	l.commits[id] = c
	return c, nil
}

// Hide leaves out of the log what a version that was yielded descends from, and
// other paths in its commit: the walk ends when nothing else is left to look at. The
// error is that of Versions.
func (l *PathLog) Hide(v Version) error {
	c := l.commits[v.Commit]
	if !c.closed() {
		l.open -= c.waiting
	}
	c.ends = true
	return l.hideParents(l.known[pathAt{v.Commit, v.Path}])
}

// hideParents hides the parents of a commit, and has what is behind them hidden in
// its turn.
func (l *PathLog) hideParents(s *pathState) error {
	if _, cut := l.shallow[s.commit]; cut {
		return nil
	}
	for _, id := range s.parents {
		c, err := l.commit(id, true)
		if err != nil {
			return err
		}
		if c.hidden {
			continue
		}
		if !c.closed() {
			l.open -= c.waiting
		}
		c.hidden = true
		heap.Push(&l.queue, &pathState{pathAt: pathAt{commit: id}, logCommit: c, hides: true})
	}
	return nil
}

// Hidden reports whether a commit whose version was yielded is known to lie behind a
// hidden one. Where clocks were off by more than clockSlop commits it may not be known
// of one that came before: IsAncestor tells.
func (l *PathLog) Hidden(commit OID) bool { return l.commits[commit].hidden }

// More reports whether the walk has paths to go on with.
func (l *PathLog) More() bool { return l.open > 0 }

// settle hides more of what hidden versions descend from, since clocks differ.
func (l *PathLog) settle(ctx context.Context) error {
	for n := 0; n < clockSlop && l.open == 0 && l.queue.Len() > 0; n++ {
		if err := alive(ctx); err != nil {
			return err
		}
		if s := heap.Pop(&l.queue).(*pathState); s.hides {
			if err := l.hideParents(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveOutHidden leaves out what is told of hidden commits, and of other paths in
// those that hide them.
func (l *PathLog) leaveOutHidden() {
	closed := func(id OID) bool { return l.commits[id].closed() }
	l.Boundary = slices.DeleteFunc(l.Boundary, l.Hidden)
	l.Unread = slices.DeleteFunc(l.Unread, func(u UnreadBlob) bool { return closed(u.Commit) })
	l.Renames = slices.DeleteFunc(l.Renames, func(r Rename) bool { return closed(r.Commit) })
	l.Moves = slices.DeleteFunc(l.Moves, func(r Rename) bool { return closed(r.Commit) })
	l.Ends = slices.DeleteFunc(l.Ends, func(e TrailEnd) bool { return closed(e.Commit) })
}
