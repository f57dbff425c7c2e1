package main

// stackRoom is what the deepest calls of an ordinary run take of the stack, in
// bytes.
const stackRoom = 24 << 10

// growStack gives the goroutine that calls it a stack of at least stackRoom, at
// once and while there is little on it to copy. A stack that grows by doubling,
// from 2 KiB, each time with more on it, took a twentieth of the time of a whole
// run that resolves one pointer.
//
//go:noinline
func growStack() {
	var room [stackRoom]byte
	touch(&room)
}

//go:noinline
func touch(*[stackRoom]byte) {}
