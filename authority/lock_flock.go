//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package authority

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

// folderLocks is what is known of the locks of folders.
type folderLocks struct {
	held sync.Map // folders, by path, that another process did not let go of: none is waited for twice
}

// lockFolder keeps other processes that replace files in a folder out until unlock is
// called, or this process ends. It writes nothing; a file system without such locks
// has none. The error is a *Fault, when another process does not let go.
func (w *Workspace) lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	f, err := w.root.Open(dir)
	if err != nil {
		return func() {}, nil // a folder can be written in and not read
	}
	unlock = func() { f.Close() }
	tries := lockTries
	if _, held := w.locks.held.Load(dir); held {
		tries = 1
	}
	for range tries {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return unlock, nil
		}
		if ctx.Err() != nil {
			break
		}
		time.Sleep(lockPause)
	}
	unlock()
	w.locks.held.Store(dir, true)
	return nil, fault(AmbiguousObservation, "another process holds the folder %s", Quote(dir))
}

// Another process holds a folder for one look at a file and one rename.
const (
	lockTries = 1000
	lockPause = 5 * time.Millisecond
)
