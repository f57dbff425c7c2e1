//go:build unix

package gitref

import (
	"io"
	"io/fs"

	"golang.org/x/sys/unix"
)

// statTrusted says that stat data here are those git stores.
const statTrusted = true

// dirHandle is a bare descriptor: an os.File asks the system something of each
// folder and has to be collected.
type dirHandle int

// Close closes the folder.
func (h dirHandle) Close() error { return unix.Close(int(h)) }

// sub opens a folder in this one, never through a link.
func (d *folder) sub(name string) (*folder, error) {
	return folderAt(int(d.handle), name, d.path+"/"+name)
}

func folderAt(at int, name, path string) (*folder, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	return newFolder(dirHandle(fd), path), nil
}

// retry repeats a system call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// lstat looks at an entry of the folder without following a link.
func (d *folder) lstat(name string) (fileStat, error) {
	var st unix.Stat_t
	for {
		err := lstatAt(int(d.handle), name, &st)
		if err == nil {
			return statOf(&st), nil
		}
		if err != unix.EINTR {
			return fileStat{}, err
		}
	}
}

func statOf(st *unix.Stat_t) fileStat {
	mtime, mnsec := st.Mtim.Unix()
	ctime, cnsec := st.Ctim.Unix()
	return fileStat{
		typ: typeOf(uint32(st.Mode)), exec: st.Mode&0o100 != 0, size: st.Size,
		mtime: IndexTime{uint32(mtime), uint32(mnsec)}, ctime: IndexTime{uint32(ctime), uint32(cnsec)},
		dev: uint64(st.Dev), ino: uint64(st.Ino),
	}
}

func typeOf(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

// workHandle is an open file of a folder. It is a bare descriptor: an os.File
// asks the system three things more of each file.
type workHandle struct{ fd int }

// open opens a regular file in the folder, never through a link and never
// waiting for the writer of a pipe.
func (d *folder) open(name string) (*workHandle, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(d.handle), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	return &workHandle{fd}, err
}

// Read is that of io.Reader.
func (h *workHandle) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	const most = 1 << 30 // more than some systems read at once
	n, err := retry(func() (int, error) { return unix.Read(h.fd, p[:min(len(p), most)]) })
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Close closes the file, which was only read.
func (h *workHandle) Close() error { return unix.Close(h.fd) }

// stat looks at the open file.
func (h *workHandle) stat() (fileStat, error) {
	var st unix.Stat_t
	if _, err := retry(func() (int, error) { return 0, unix.Fstat(h.fd, &st) }); err != nil {
		return fileStat{}, err
	}
	return statOf(&st), nil
}

// readlink returns the target of a link in the folder, which has about size
// bytes.
func (d *folder) readlink(name string, size int64) ([]byte, error) {
	const most = 1 << 16
	for room := min(max(size, 0), most-1) + 1; ; room = most {
		b := make([]byte, room)
		n, err := retry(func() (int, error) { return unix.Readlinkat(int(d.handle), name, b) })
		if err != nil {
			return nil, err
		}
		if n < len(b) {
			return b[:n], nil
		}
		if room == most {
			return nil, errTooLong
		}
	}
}
