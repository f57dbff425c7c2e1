//go:build unix

package gitref

import (
	"os"
	"strconv"
	"syscall"
)

var exeSuffixes = [...]string{""}

// deviceOf is the file system a folder lies on.
func deviceOf(name string) (uint64, bool) {
	var st syscall.Stat_t
	err := syscall.Stat(name, &st)
	return uint64(st.Dev), err == nil
}

// searchable is access(2) with X_OK, which git asks of a repository's folders.
func searchable(name string) bool {
	const executeOK = 1
	return syscall.Access(name, executeOK) == nil
}

// ownedFile reports whether a file belongs to the user. As root it may belong to
// root, or to the user who called sudo.
func ownedFile(name string, env *environment) bool {
	var st syscall.Stat_t
	if syscall.Lstat(name, &st) != nil {
		return false
	}
	user := uint64(os.Geteuid())
	if user == 0 && st.Uid != 0 {
		if id, err := strconv.ParseUint(env.get("SUDO_UID"), 10, 32); err == nil {
			user = id
		}
	}
	return uint64(st.Uid) == user
}
