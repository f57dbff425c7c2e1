package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// The sizes in bytes of the heap at which it is first searched for garbage, here and
// as the runtime has it at a GOGC of 100. Most runs end before: a search takes a tenth
// of the time of a thousand pointers and more. A later one gains little and costs much:
// the heap grows on while it is searched.
const (
	firstCollection = 16 << 20
	usualFirst      = 4 << 20
)

// collectLate puts the first collection of garbage off, and only that one: from then
// on it is as usual, so that what is held costs no more memory than it would. A user's
// GOGC stands.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(100 * firstCollection / usualFirst)
	runtime.AddCleanup(&struct{ mark [64]byte }{}, func(usual int) { debug.SetGCPercent(usual) }, usual)
}
