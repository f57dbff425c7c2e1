//go:build !unix

package gitref

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

var errNotFolder = errors.New("not a folder")

// statTrusted is false where stat data are not those git stores.
const statTrusted = false

// dirHandle is an open folder.
type dirHandle = *os.File

// openFolder opens a folder by its path.
func openFolder(name string) (*folder, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return newFolder(f, name), nil
}

// sub opens a folder in this one, never through a link.
func (d *folder) sub(name string) (*folder, error) {
	st, err := d.lstat(name)
	if err == nil && st.typ != fs.ModeDir {
		err = errNotFolder
	}
	if err != nil {
		return nil, err
	}
	return openFolder(filepath.Join(d.path, name))
}

// lstat looks at an entry of the folder without following a link.
func (d *folder) lstat(name string) (fileStat, error) {
	info, err := os.Lstat(filepath.Join(d.path, name))
	if err != nil {
		return fileStat{}, err
	}
	return statOf(info), nil
}

func statOf(info fs.FileInfo) fileStat {
	t := info.ModTime()
	return fileStat{
		typ: info.Mode().Type(), size: info.Size(),
		mtime: IndexTime{uint32(t.Unix()), uint32(t.Nanosecond())},
	}
}

// workHandle is an open file of a folder.
type workHandle struct{ *os.File }

// open opens a file in the folder.
func (d *folder) open(name string) (*workHandle, error) {
	f, err := os.Open(filepath.Join(d.path, name))
	return &workHandle{f}, err
}

// stat looks at the open file.
func (h *workHandle) stat() (fileStat, error) {
	info, err := h.Stat()
	if err != nil {
		return fileStat{}, err
	}
	return statOf(info), nil
}

// readlink returns the target of a link in the folder.
func (d *folder) readlink(name string, _ int64) ([]byte, error) {
	target, err := os.Readlink(filepath.Join(d.path, name))
	return []byte(filepath.ToSlash(target)), err
}
