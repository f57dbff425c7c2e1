//go:build !unix

package gitref

import (
	"os"
	"path/filepath"
)

var exeSuffixes = [...]string{".exe"}

// deviceOf is the volume a folder lies on, hashed to a number by its letters.
func deviceOf(name string) (uint64, bool) {
	var id uint64
	for _, c := range []byte(filepath.VolumeName(name)) {
		id = id*31 + uint64(lower(c))
	}
	return id, true
}

// searchable reports whether a folder is there: access rights show when its
// files are opened.
func searchable(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
