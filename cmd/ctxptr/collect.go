package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate puts off the first collection of garbage from 4 MiB to 16: most runs
// end before that, and a collection takes a tenth of the time of a thousand
// pointers. From then on it is as usual, so that what is held costs no more memory
// than it would. A user's GOGC stands.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(400)
	runtime.AddCleanup(&struct{ mark [64]byte }{}, func(usual int) { debug.SetGCPercent(usual) }, usual)
}
