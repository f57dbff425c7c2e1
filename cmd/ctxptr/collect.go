package main

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is the size in bytes of the heap at which it is first searched
// for garbage. Most runs end before: the runtime's own 4 MiB cost a run that holds
// a large working tree a tenth of its time.
const firstCollection = 32 << 20

// collectLater puts the first garbage collection off, and only that one: behind it
// the heap grows as the runtime has it by default.
func collectLater() {
	const smallest = 4 << 20 // the runtime's, at 100 percent
	usual := debug.SetGCPercent(100 * firstCollection / smallest)
	runtime.AddCleanup(new([16]byte), func(int) { debug.SetGCPercent(usual) }, 0)
}
