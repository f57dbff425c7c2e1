package gitref

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"slices"

	"golang.org/x/sys/unix"
)

// direntRoom is how many bytes getdents64(2) may fill at least, enough for the
// entries of a common folder.
const direntRoom = 32 << 10

// The layout of an entry of getdents64(2): inode and offset (8 bytes each), the
// entry's length (2), its type (1), the name up to a NUL.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// list puts the names in the folder with their types into l, in no order.
func (d *folder) list(l *nameList) error {
	l.names, l.text = l.names[:0], l.text[:0]
	for {
		l.text = slices.Grow(l.text, direntRoom)
		n, err := retry(func() (int, error) { return unix.Getdents(int(d.handle), l.text[len(l.text):cap(l.text)]) })
		if err != nil {
			return err
		}
		if n <= 0 {
			return d.cut(l)
		}
		l.text = l.text[:len(l.text)+n]
	}
}

// cut finds the names in the entries that were read.
func (d *folder) cut(l *nameList) error {
	for rest := l.text; len(rest) > direntName; {
		length := int(binary.NativeEndian.Uint16(rest[direntLength:]))
		if length <= direntName || length > len(rest) {
			return unix.EBADMSG
		}
		name, _, _ := bytes.Cut(rest[direntName:length], []byte{0})
		typ := rest[direntType]
		rest = rest[length:]
		if string(name) == "." || string(name) == ".." {
			continue
		}
		n := workName{name, direntMode(typ)}
		if typ == unix.DT_UNKNOWN {
			st, err := d.lstat(string(name))
			if absent(err) {
				continue
			}
			if err != nil {
				return err
			}
			n.typ = st.typ
		}
		l.names = append(l.names, n)
	}
	return nil
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
