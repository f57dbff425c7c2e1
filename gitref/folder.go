package gitref

import (
	"io/fs"
	"sync/atomic"
)

// folder is an open folder of a worktree. What stands in it is named by one
// component, so that no link on the way can lead elsewhere. It closes with its
// last reference.
type folder struct {
	handle dirHandle
	path   string
	refs   atomic.Int32
}

// newFolder is a folder with one reference.
func newFolder(handle dirHandle, path string) *folder {
	d := &folder{handle: handle, path: path}
	return d.hold()
}

func (d *folder) hold() *folder {
	d.refs.Add(1)
	return d
}

func (d *folder) release() {
	if d.refs.Add(-1) == 0 {
		// Closing a folder that was only read loses nothing.
		_ = d.handle.Close()
	}
}

// workName is a name in a folder with its type.
type workName struct {
	name []byte
	typ  fs.FileMode
}

// nameList is the names in a folder, with memory that the next folder uses again.
type nameList struct {
	names []workName
	text  []byte // holds them
}

// fileStat is what lstat says of a file, as far as it counts.
type fileStat struct {
	typ          fs.FileMode // the type bits alone, 0 for a regular file
	exec         bool        // its owner may execute it
	size         int64
	mtime, ctime IndexTime
	dev, ino     uint64
}

// before reports whether t is earlier than u.
func (t IndexTime) before(u IndexTime) bool {
	return t.Sec < u.Sec || t.Sec == u.Sec && t.Nsec < u.Nsec
}
