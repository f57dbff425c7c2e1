//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package authority

import "context"

// folderLocks is nothing: there are no locks.
type folderLocks struct{}

// lockFolder does nothing: what two processes replace at once here, one of them may
// lose.
func (*Workspace) lockFolder(context.Context, string) (unlock func(), err error) {
	return func() {}, nil
}
