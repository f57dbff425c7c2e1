//go:build !linux

package authority

import (
	"path"
	"slices"
)

// sameName reports whether every component of p stands in its folder under
// exactly its bytes. File systems that fold case or normalise Unicode would
// otherwise answer for a twin.
func (w *Workspace) sameName(p string) bool {
	for p != "." {
		dir, err := w.root.Open(path.Dir(p))
		if err != nil {
			return false
		}
		names, err := dir.Readdirnames(-1)
		if dir.Close() != nil || err != nil || !slices.Contains(names, path.Base(p)) {
			return false
		}
		p = path.Dir(p)
	}
	return true
}
