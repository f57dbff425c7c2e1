// Package stack gives the main goroutine the stack that an ordinary run needs, at
// once, before any other package of this module is initialised: a package that
// imports none is among the first.
//
// A stack that grows by doubling, from 2 KiB, has more on it to copy each time, and
// copying reads the tables of all functions on it: a twentieth of the time of a
// whole run that resolves one pointer.
package stack

// room is what the deepest calls take, in bytes: BLAKE3 with AVX2 alone takes half.
const room = 40 << 10

func init() { grow(false) }

// grow has a frame of room bytes, which it touches only if it must.
//
//go:noinline
func grow(touched bool) {
	if touched {
		var frame [room]byte
		touch(&frame)
	}
}

//go:noinline
func touch(*[room]byte) {}
