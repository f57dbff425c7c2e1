//go:build unix && !linux

package gitref

import "os"

// list puts the names in the folder with their types into l, in no order.
func (d *folder) list(l *nameList) error {
	again, err := folderAt(int(d.handle), ".", d.path)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(again.handle), d.path)
	defer f.Close()
	entries, err := f.ReadDir(-1)
	l.names = l.names[:0]
	for _, e := range entries {
		l.names = append(l.names, workName{[]byte(e.Name()), e.Type()})
	}
	return err
}
