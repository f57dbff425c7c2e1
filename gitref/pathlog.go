package gitref

import (
	"container/heap"
	"context"
	"iter"
)

// Version is a path as one commit has it, in the history of a path.
type Version struct {
	Commit OID
	Path   string // from the top, bytes; another than asked for behind a rename
	Entry  Entry  // zero where the commit removed the path
	Time   int64  // of the commit, as its committer stated it, in seconds
	Cut    bool   // the history of a shallow clone ends here: the version may be older

	tree OID // of the commit
}

// Rename is a step of a history to another path.
type Rename struct {
	Commit   OID // the commit that has New and not Old
	Old, New string
	Percent  int // how much of the longer file is in both; 100 for the same bytes
}

// TrailEnd is a commit in which a path appears first.
type TrailEnd struct {
	Commit OID
	Path   string
	Why    string // why no other path is followed from here
}

// UnreadBlob is a blob of a partial clone that a rename could not be told by.
type UnreadBlob struct {
	Commit OID // that has the path, and a parent of which has not
	Blob   OID
}

// PathLogOptions bound a PathLog.
type PathLogOptions struct {
	MaxCommits int  // commits looked at, each once for every path it is looked at for
	Full       bool // follow every parent, also where one has the path unchanged
}

// PathLog is the history of one path, as far as it was walked. What is said of
// commits behind a hidden one is left out once the walk has ended.
type PathLog struct {
	Start    Entry        // what stands at the path in the commit that the log begins with
	Walked   int          // commits looked at
	OverMax  bool         // the bound on commits ended the walk
	Boundary []OID        // commits of a shallow clone whose parents are not here
	Unread   []UnreadBlob // in the order they were met
	Renames  []Rename     // followed, in the order they were met
	Moves    []Rename     // where commits that removed the path put it; not followed
	Ends     []TrailEnd   // in the order they were met

	repo    *Repo
	options PathLogOptions
	shallow map[OID]struct{}
	queue   pathQueue
	commits map[OID]*logCommit
	known   map[pathAt]*pathState
	open    int   // queued paths in commits that are not closed
	budget  int64 // bytes that may still be compared for renames
}

// pathAt is a path in a commit.
type pathAt struct {
	commit OID
	path   string
}

// pathState is a commit whose entry at a path is known, or one that hides what is
// behind it.
type pathState struct {
	pathAt
	*logCommit
	trail
	entered bool // it is, or was, in the queue
	hides   bool // it is there for its parents to be hidden
}

// NewPathLog begins the history of a path, slash-separated, "" for the tree
// itself. The error is that of Read, or Corrupt.
func (r *Repo) NewPathLog(ctx context.Context, start OID, path string, o PathLogOptions) (*PathLog, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	boundary, err := r.shallowBoundary()
	if err != nil {
		return nil, err
	}
	l := &PathLog{repo: r, options: o, shallow: boundary, commits: map[OID]*logCommit{}, known: map[pathAt]*pathState{}, budget: maxLogBytes}
	first, err := l.look(start, path, nil)
	if err != nil {
		return nil, err
	}
	l.Start = first.entry
	l.push(first)
	return l, nil
}

// Versions yields every commit that changed the path: whose entry differs from
// that of each parent, or that has one and no parent. Commits come in the order of
// git log, by their commit time, the latest first, a parent never before a child
// that led to it; of one time, the lower id first. The order decides nothing else:
// where clocks were off, a commit can come before one that descends from it. Where a
// parent has the same entry, the walk goes on with the first such parent alone, as
// git log does for a path, unless all are to be followed. From a commit that has the
// path and whose parent has not, it goes on with the path that was renamed (see
// similar.find) and with the path itself, which may have stood there before. What
// lies behind a hidden commit is not yielded (see Hide). After an error nothing
// follows. Errors: those of Read; Corrupt.
func (l *PathLog) Versions(ctx context.Context) iter.Seq2[Version, error] {
	return func(yield func(Version, error) bool) {
		for l.open > 0 {
			if l.OverMax = l.Walked == l.options.MaxCommits; l.OverMax {
				break
			}
			v, before, err := l.step(ctx)
			if err != nil {
				yield(Version{}, err)
				return
			}
			if v.Commit.IsZero() {
				continue
			}
			if !yield(v, nil) {
				l.leaveOutHidden()
				return
			}
			if l.commits[v.Commit].ends {
				continue
			}
			if err := l.rename(ctx, v, before); err != nil {
				yield(Version{}, err)
				return
			}
		}
		if err := l.settle(ctx); err != nil {
			yield(Version{}, err)
			return
		}
		l.leaveOutHidden()
	}
}

// step looks at the commit that comes next and enters its parents. The Version is
// zero for one that did not change the path; before are the parents of one that
// did.
func (l *PathLog) step(ctx context.Context) (v Version, before []*pathState, err error) {
	if err := alive(ctx); err != nil {
		return v, nil, err
	}
	s := heap.Pop(&l.queue).(*pathState)
	switch {
	case s.hides:
		l.Walked++
		return v, nil, l.hideParents(s)
	case s.closed():
		return v, nil, nil
	}
	l.Walked++
	l.open--
	s.waiting--
	v = Version{Commit: s.commit, Path: s.path, Entry: s.entry, Time: s.committerTime, tree: s.tree}
	if _, v.Cut = l.shallow[s.commit]; v.Cut {
		l.Boundary = append(l.Boundary, s.commit)
		if s.entry == (Entry{}) {
			return Version{}, nil, nil
		}
		return v, nil, nil
	}
	before, same, err := l.parents(s)
	if err != nil {
		return v, nil, err
	}
	for _, p := range before {
		l.push(p)
	}
	if same || len(before) == 0 && s.entry == (Entry{}) {
		return Version{}, nil, nil
	}
	return v, before, nil
}

// parents looks at the parents of a commit, and reports whether the entry of one
// of them is the commit's. Unless all are to be followed, that one is the only
// one then.
func (l *PathLog) parents(s *pathState) (before []*pathState, same bool, err error) {
	for _, id := range s.parents {
		p, err := l.look(id, s.path, &s.trail)
		if err != nil {
			return nil, false, err
		}
		if p.entry == s.entry {
			if same = true; !l.options.Full {
				return []*pathState{p}, true, nil
			}
		}
		before = append(before, p)
	}
	return before, same, nil
}

// look finds what a commit has at a path. near is the trail of the path in
// a child, nil for none.
func (l *PathLog) look(commit OID, path string, near *trail) (*pathState, error) {
	at := pathAt{commit, path}
	if s := l.known[at]; s != nil {
		return s, nil
	}
	c, err := l.commit(commit, near != nil)
	if err != nil {
		return nil, err
	}
	t, err := l.repo.trail(c.tree, path, near)
	if err != nil {
		return nil, err
	}
	s := &pathState{pathAt: at, logCommit: c, trail: t}
	l.known[at] = s
	return s, nil
}

// push enters a commit that is not hidden, once for each path.
func (l *PathLog) push(s *pathState) {
	if !s.entered && !s.closed() {
		s.entered = true
		s.waiting++
		l.open++
		heap.Push(&l.queue, s)
	}
}

// pathQueue is the heap of commits to look at.
type pathQueue []*pathState

func (q pathQueue) Len() int      { return len(q) }
func (q pathQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *pathQueue) Push(x any)   { *q = append(*q, x.(*pathState)) }

func (q pathQueue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.committerTime != b.committerTime {
		return a.committerTime > b.committerTime
	}
	if c := compareOID(a.commit, b.commit); c != 0 {
		return c < 0
	}
	return a.path < b.path
}

func (q *pathQueue) Pop() any {
	last := len(*q) - 1
	s := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return s
}
