//go:build !linux

package gitref

// list returns the names in the folder with their types, in no order.
func (d *folder) list() ([]workName, error) {
	entries, err := d.file.ReadDir(-1)
	names := make([]workName, len(entries))
	for i, e := range entries {
		names[i] = workName{e.Name(), e.Type()}
	}
	return names, err
}
