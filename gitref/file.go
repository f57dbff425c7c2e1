package gitref

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// openRegular opens a regular file without ever blocking on a FIFO or device
// that only has the name of one. Links are followed, as git does inside its own
// folder.
func openRegular(name string) (*os.File, fs.FileInfo, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, st, nil
}

// readRegular reads a regular file of at most limit bytes.
func readRegular(name string, limit int64) ([]byte, error) {
	f, st, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f, st.Size(), limit)
}

// readOpen reads an open file of about the given size, and no more than limit
// bytes of it.
func readOpen(f io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, errTooLong
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if int64(len(data)) > limit {
			return nil, errTooLong
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

var errTooLong = errors.New("longer than its bound")

// absent reports whether err says that a path names nothing (git treats a
// missing file and a missing folder above it alike).
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// fileError makes the cause of a failed read of a repository file an *Error.
// Subject never holds an absolute path.
func fileError(err error, subject string) *Error {
	e := &Error{Fault: Corrupt, Subject: subject, Err: bareCause(err)}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Fault, e.Proof = Denied, "the operating system does not let this file be read"
	case errors.Is(err, errTooLong):
		e.Fault, e.Proof = OverLimit, "the file is longer than the bound on files of its kind"
	case absent(err):
		e.Proof = "the file is not there"
	case errors.Is(err, errNotRegular):
		e.Proof = "it is not a regular file"
	default:
		e.Proof = "the file cannot be read"
	}
	return e
}

// bareCause removes the path that package os puts into its errors.
func bareCause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// alive reports the end of ctx as an *Error.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &Error{Fault: OverLimit, Proof: "the operation was ended before the answer was known", Err: err}
	}
	return nil
}

func deniedError(err error) bool { return errors.Is(err, fs.ErrPermission) }
