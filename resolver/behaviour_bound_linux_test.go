package resolver

import (
	"runtime"
	"syscall"
)

// nobody is a user who owns nothing.
const nobody = 65534

// bound calls f on a thread that file modes bind: the thread of a superuser
// takes the file system identity of nobody, which also takes away the
// capabilities that pass over modes (setfsuid(2), capabilities(7)). The thread
// ends with its goroutine.
func bound(f func()) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := syscall.Setfsuid(nobody)
		if err == nil {
			f()
		}
		done <- err
	}()
	return <-done
}
