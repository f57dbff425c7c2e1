//go:build !unix

package gitref

// list puts the names in the folder with their types into l, in no order.
func (d *folder) list(l *nameList) error {
	entries, err := d.handle.ReadDir(-1)
	l.names = l.names[:0]
	for _, e := range entries {
		l.names = append(l.names, workName{[]byte(e.Name()), e.Type()})
	}
	return err
}
