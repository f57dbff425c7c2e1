package gitref

import (
	"strings"

	"golang.org/x/sys/unix"
)

// openFolder opens a folder by its path, absolute and with links resolved: a link
// that was put in the place of one of its folders since is not followed.
func openFolder(name string) (*folder, error) {
	at, rest := unix.AT_FDCWD, name
	if folders := strings.LastIndexByte(name, '/'); folders > 0 {
		var err error
		if at, err = searchFolder(name[:folders]); err != nil {
			return nil, err
		}
		defer unix.Close(at)
		rest = name[folders+1:]
	}
	return folderAt(at, rest, name)
}

// searchFolder goes down to a folder, one name after the other. It need not be readable, nor those
// above it: O_PATH only searches.
func searchFolder(name string) (int, error) {
	at := unix.AT_FDCWD
	for part := range strings.SplitSeq(name, "/") {
		if part == "" {
			part = "/" // the first
		}
		next, err := retry(func() (int, error) {
			return unix.Openat(at, part, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		})
		if at != unix.AT_FDCWD {
			_ = unix.Close(at) // it was only searched
		}
		if err != nil {
			return 0, err
		}
		at = next
	}
	return at, nil
}
