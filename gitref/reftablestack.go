package gitref

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
)

// reftableRefs reads the reftable backend: a stack of tables for all worktrees,
// and one more for each linked one. A stack stays as it was first opened.
type reftableRefs struct {
	files *fileRefs // which keep what a fetch or a merge leaves behind

	mu     sync.Mutex // guards stacks
	stacks map[string]*tableStack
}

// tableStack is the tables of one folder, the newest first: a name counts as the
// first table that lists it says.
type tableStack struct {
	tables []*reftable
	err    error
}

const (
	maxTableList = 1 << 20
	maxTables    = 1 << 12 // all are open at a time, small ones in memory; git merges them long before
	maxRestacks  = 100     // times that writers may replace tables while they are opened
)

func (r *reftableRefs) readRef(name string) (raw rawRef, err error) {
	defer tableFault(&err)
	defer trapFault(&err, OID{})()
	if name == "FETCH_HEAD" || name == "MERGE_HEAD" {
		return r.files.readRef(name)
	}
	dir, own := r.place(name)
	s := r.stack(dir)
	if s.err != nil {
		return rawRef{}, s.err
	}
	for _, t := range s.tables {
		raw, deleted, found, err := t.lookup(own)
		switch {
		case err != nil:
			return rawRef{}, err
		case !found:
			continue
		case deleted:
			return rawRef{}, noRef(name)
		case raw.target == "" && raw.oid.IsZero():
			return rawRef{}, brokenRef(name, "its table gives it the null object id")
		}
		return raw, nil
	}
	return rawRef{}, noRef(name)
}

// place is the folder whose stack holds a ref, and the name that it has there.
func (r *reftableRefs) place(name string) (dir, own string) {
	if rest, ok := strings.CutPrefix(name, "main-worktree/"); ok && perWorktree(rest) {
		return r.files.commonDir, rest
	}
	if rest, ok := strings.CutPrefix(name, "worktrees/"); ok {
		if id, own, _ := strings.Cut(rest, "/"); perWorktree(own) {
			return filepath.Join(r.files.commonDir, "worktrees", id), own
		}
	}
	if perWorktree(name) {
		return r.files.gitDir, name
	}
	return r.files.commonDir, name
}

func (r *reftableRefs) hasPrefix(prefix string) (found bool, err error) {
	defer tableFault(&err)
	defer trapFault(&err, OID{})()
	s := r.stack(r.files.commonDir)
	err = s.err
	gone := map[string]bool{}
	for i := 0; i < len(s.tables) && err == nil && !found; i++ {
		err = s.tables[i].below(prefix, func(name string, deleted bool) bool {
			found = !deleted && !gone[name]
			gone[name] = true
			return !found
		})
	}
	return found, err
}

func (r *reftableRefs) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.stacks {
		s.close()
	}
	r.stacks = nil
	r.files.close()
}

// stack returns the stack of a git folder, opened once.
func (r *reftableRefs) stack(dir string) *tableStack {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stacks[dir]
	if s == nil {
		s = openStack(filepath.Join(dir, "reftable"), r.files.hashSize)
		if s.err != nil && !exists(dir) {
			s.err = nil // there is no such worktree
		}
		if r.stacks == nil {
			r.stacks = map[string]*tableStack{}
		}
		r.stacks[dir] = s
	}
	return s
}

// openStack opens the tables that a folder's list names. A table that is gone was
// merged into another if the list has changed since.
func openStack(dir string, hashSize int) *tableStack {
	list, err := readTableList(dir)
	for range maxRestacks {
		if err != nil {
			return &tableStack{err: fileError(err, "reftable/tables.list")}
		}
		s := openTables(dir, list, hashSize)
		if !vanished(s.err) {
			return s
		}
		before := list
		if list, err = readTableList(dir); err == nil && bytes.Equal(before, list) {
			return s
		}
	}
	return &tableStack{err: &Error{Fault: Changed, Subject: "reftable", Proof: "the tables of the refs were replaced each time they were read"}}
}

func readTableList(dir string) ([]byte, error) {
	return readRegular(filepath.Join(dir, "tables.list"), maxTableList)
}

// openTables opens the tables of a list, which has the oldest first.
func openTables(dir string, list []byte, hashSize int) *tableStack {
	names := strings.Fields(string(list))
	if len(names) > maxTables {
		return &tableStack{err: &Error{Fault: OverLimit, Subject: "reftable", Proof: fmt.Sprintf("it lists %d tables, more than the limit of %d", len(names), maxTables)}}
	}
	s := &tableStack{}
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] != filepath.Base(names[i]) {
			return s.fail(errReftable)
		}
		t, err := openReftable(filepath.Join(dir, names[i]), hashSize)
		if err != nil {
			return s.fail(err)
		}
		s.tables = append(s.tables, t)
	}
	return s
}

func (s *tableStack) fail(err error) *tableStack {
	s.close()
	return &tableStack{err: tableError(err)}
}

func (s *tableStack) close() {
	for _, t := range s.tables {
		t.close()
	}
}

// tableError is the *Error of what went wrong in a table.
func tableError(err error) *Error {
	if errors.Is(err, errReftable) || errors.Is(err, errBounds) {
		return &Error{Fault: Corrupt, Subject: "reftable", Proof: "a table of the refs contradicts its format", Err: err}
	}
	return fileError(err, "reftable")
}

// tableFault makes the error of reading a table an *Error that says so.
func tableFault(err *error) {
	e, ok := errors.AsType[*Error](*err)
	if *err != nil && (!ok || e.Subject == "") {
		*err = tableError(*err)
	}
}
