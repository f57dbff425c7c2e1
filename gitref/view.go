package gitref

import (
	"errors"
	"io/fs"
	"os"
	"runtime/debug"
)

// mapAbove is the size from which a file is mapped; reading a smaller one
// costs less than the page faults of a mapping.
const mapAbove = 16 << 10

var (
	errNotRegular = errors.New("not a regular file")
	errBounds     = errors.New("an offset lies outside the file")
)

// view is read-only access to one regular file: held whole in memory (mapped,
// where the system can), or read piece by piece.
type view struct {
	data   []byte
	size   int64
	file   *os.File // set when data holds nothing and pieces are read on demand
	mapped bool
	id     fileID
}

// slice returns the n bytes at off, shared with the view or freshly read.
func (v *view) slice(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > v.size || n > v.size-off {
		return nil, errBounds
	}
	if v.file == nil {
		return v.data[off : off+n : off+n], nil
	}
	b := make([]byte, n)
	_, err := v.file.ReadAt(b, off)
	return b, err
}

// all returns the whole file.
func (v *view) all() ([]byte, error) { return v.slice(0, v.size) }

// trapFault makes a memory fault (a mapped file cut short while in use) an
// error of the calling function instead of the end of the process. Use it as
// defer trapFault(&err, id)().
func trapFault(err *error, id OID) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		r := recover()
		if r == nil {
			return
		}
		if _, ok := r.(interface{ Addr() uintptr }); !ok {
			panic(r)
		}
		*err = &Error{Fault: Corrupt, Subject: id.String(), Proof: "a file of the object store was cut short while it was read"}
	}
}

// vanished reports whether err says that a file is not there (any more).
func vanished(err error) bool { return errors.Is(err, fs.ErrNotExist) }
