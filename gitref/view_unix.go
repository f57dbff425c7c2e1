//go:build unix

package gitref

import (
	"io"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// openView opens a regular file without ever blocking on what only has the
// name of one. Links are followed, as git does inside an object store: what is
// read there proves itself by its object id.
func openView(name string) (*view, error) {
	fd, err := openRetry(name)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errNotRegular
	}
	if st.Size <= mapAbove {
		data, err := readAll(fd, int(st.Size))
		return &view{data: data, size: st.Size, id: identify(&st)}, err
	}
	if st.Size > math.MaxInt {
		return nil, &Error{Fault: OverLimit, Proof: "a file of the object store is larger than the address space"}
	}
	data, err := unix.Mmap(fd, 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &view{data: data, size: st.Size, mapped: true, id: identify(&st)}, nil
}

// openFile opens a file for reading without blocking. Go's runtime is not asked
// to poll it, which no regular file or folder needs and costs several calls.
func openFile(name string) (*os.File, error) {
	fd, err := openRetry(name)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

func openRetry(name string) (int, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// readAll reads a small file of the given size whole.
func readAll(fd, size int) ([]byte, error) {
	data := make([]byte, size)
	for done := 0; done < size; {
		n, err := unix.Read(fd, data[done:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return nil, err
		case n == 0:
			return nil, io.ErrUnexpectedEOF
		}
		done += max(n, 0)
	}
	return data, nil
}

func (v *view) close() {
	if v.mapped {
		// Unmapping a mapping of our own making cannot fail.
		_ = unix.Munmap(v.data)
	}
	*v = view{}
}

// fileID tells whether a name still leads to the same unchanged file.
type fileID struct {
	dev, ino uint64
	size     int64
	mtime    unix.Timespec
}

func identify(st *unix.Stat_t) fileID {
	return fileID{uint64(st.Dev), uint64(st.Ino), st.Size, st.Mtim}
}

// current reports whether name still leads to the file of the view.
func (v *view) current(name string) bool {
	var st unix.Stat_t
	return unix.Stat(name, &st) == nil && identify(&st) == v.id
}
