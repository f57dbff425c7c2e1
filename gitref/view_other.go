//go:build !unix

package gitref

import (
	"io"
	"os"
	"syscall"
)

// openView opens a regular file; where files are not mapped, small ones are
// read whole and large ones piece by piece.
func openView(name string) (*view, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	v, err := viewOf(f)
	if err != nil || v.file == nil {
		f.Close()
	}
	return v, err
}

// openFile opens a file for reading without blocking.
func openFile(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func viewOf(f *os.File) (*view, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if st.Size() > mapAbove {
		return &view{size: st.Size(), file: f, id: fileID{st}}, nil
	}
	data := make([]byte, st.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &view{data: data, size: st.Size(), id: fileID{st}}, nil
}

func (v *view) close() {
	if v.file != nil {
		v.file.Close()
	}
	*v = view{}
}

// fileID tells whether a name still leads to the same unchanged file.
type fileID struct{ info os.FileInfo }

// current reports whether name still leads to the file of the view.
func (v *view) current(name string) bool {
	st, err := os.Stat(name)
	return err == nil && os.SameFile(st, v.id.info) &&
		st.Size() == v.id.info.Size() && st.ModTime().Equal(v.id.info.ModTime())
}
