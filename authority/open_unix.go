//go:build unix

package authority

import "syscall"

// nonblock keeps an open of a pipe that was swapped in from waiting for a
// writer.
const nonblock = syscall.O_NONBLOCK
