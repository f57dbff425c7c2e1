package gitref

import (
	"bytes"
	"context"
	"sort"
)

// indexRun is consecutive entries of an index, by their numbers: from, up to but
// not including to.
type indexRun struct{ from, to int }

func (r indexRun) empty() bool { return r.from == r.to }

// first returns the number of the first entry of the run of which ok is true, as
// it is of all behind that one; to when there is none.
func (r indexRun) first(ok func(i int) bool) int {
	return r.from + sort.Search(r.to-r.from, func(n int) bool { return ok(r.from + n) })
}

// seek returns the entries of the run from a path on.
func (r indexRun) seek(x indexSource, path string) indexRun {
	return indexRun{r.first(func(i int) bool { return string(x.name(i)) >= path }), r.to}
}

// equal returns the entries at the head of the run that have exactly this path.
func (r indexRun) equal(x indexSource, path []byte) indexRun {
	to := r.from
	for to < r.to && bytes.Equal(x.name(to), path) {
		to++
	}
	return indexRun{r.from, to}
}

// alike returns the first entry of a run and those behind it that have its path.
func (r indexRun) alike(x indexSource) indexRun {
	behind := indexRun{r.from + 1, r.to}.equal(x, x.name(r.from))
	return indexRun{r.from, behind.to}
}

// below returns the entries at the head of the run whose paths begin with prefix.
func (r indexRun) below(x indexSource, prefix []byte) indexRun {
	return indexRun{r.from, r.first(func(i int) bool { return !bytes.HasPrefix(x.name(i), prefix) })}
}

// indexScope is the entries at a path and those below it, or all.
type indexScope struct{ at, below indexRun }

func newIndexScope(x indexSource, path string) (s indexScope, err error) {
	defer trapFault(&err, OID{})()
	all := indexRun{0, x.count()}
	if path == "" {
		return indexScope{below: all}, nil
	}
	s.at = all.seek(x, path).equal(x, []byte(path))
	path += "/"
	s.below = all.seek(x, path).below(x, []byte(path))
	return s, nil
}

// FirstBelow returns the first entry of the index below a folder, found is false when
// there is none. Errors: those of Index.
func (r *Repo) FirstBelow(ctx context.Context, folder string) (e IndexEntry, found bool, err error) {
	src, err := r.openIndex(ctx)
	if err != nil {
		return e, false, err
	}
	scope, err := newIndexScope(src, folder)
	if err != nil || scope.below.empty() {
		return e, false, err
	}
	defer trapFault(&err, OID{})()
	src.decode(scope.below.from, &e)
	e.Path = string(src.name(scope.below.from))
	return e, true, nil
}
