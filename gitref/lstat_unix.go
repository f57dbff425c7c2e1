//go:build unix && !(linux && (amd64 || arm64))

package gitref

import "golang.org/x/sys/unix"

// lstatAt is lstat(2) of one name in an open folder.
func lstatAt(folder int, name string, st *unix.Stat_t) error {
	return unix.Fstatat(folder, name, st, unix.AT_SYMLINK_NOFOLLOW)
}
