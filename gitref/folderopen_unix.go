//go:build unix && !linux

package gitref

import "golang.org/x/sys/unix"

// openFolder opens a folder by its path.
func openFolder(name string) (*folder, error) {
	return folderAt(unix.AT_FDCWD, name, name)
}
