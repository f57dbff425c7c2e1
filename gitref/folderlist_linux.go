package gitref

import (
	"encoding/binary"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// direntBuffers are what getdents64(2) fills; each is of use once a folder.
var direntBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// The layout of an entry of getdents64(2): inode and offset (8 bytes each), the
// entry's length (2), its type (1), the name up to a NUL.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// list returns the names in the folder with their types, in no order.
func (d *folder) list() ([]workName, error) {
	buffer := direntBuffers.Get().(*[32 << 10]byte)
	defer direntBuffers.Put(buffer)
	var names []workName
	for {
		n, err := retry(func() (int, error) { return unix.Getdents(int(d.file.Fd()), buffer[:]) })
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			return names, nil
		}
		if names, err = d.cut(names, buffer[:n]); err != nil {
			return nil, err
		}
	}
}

// cut appends the names in a buffer of entries.
func (d *folder) cut(names []workName, entries []byte) ([]workName, error) {
	text := string(entries) // all names share it
	for len(text) > direntName {
		length := int(binary.NativeEndian.Uint16(entries[direntLength:]))
		if length <= direntName || length > len(entries) {
			return nil, unix.EBADMSG
		}
		name, _, _ := strings.Cut(text[direntName:length], "\x00")
		typ := entries[direntType]
		text, entries = text[length:], entries[length:]
		if name == "." || name == ".." {
			continue
		}
		n := workName{name, direntMode(typ)}
		if typ == unix.DT_UNKNOWN {
			st, err := d.lstat(name)
			if absent(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			n.typ = st.typ
		}
		names = append(names, n)
	}
	return names, nil
}

func direntMode(typ byte) fs.FileMode {
	switch typ {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}
