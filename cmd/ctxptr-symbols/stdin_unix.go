//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// openStdin makes standard input one that the runtime waits for itself: a read that
// blocks in the system gives up the processor, and gets it back late for a request.
func openStdin() *os.File {
	if err := unix.SetNonblock(unix.Stdin, true); err != nil {
		return os.Stdin
	}
	return os.NewFile(uintptr(unix.Stdin), "stdin")
}
