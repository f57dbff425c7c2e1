package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestOnlyTheFirstCollectionIsPutOff finds the runtime's own setting again once
// there was a collection.
func TestOnlyTheFirstCollectionIsPutOff(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	collectLater()
	if now := debug.SetGCPercent(100 * firstCollection / (4 << 20)); now <= 100 {
		t.Fatalf("at first the heap grows by %d percent", now)
	}
	for range 500 {
		runtime.GC()
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		if now == 100 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the first collection restores nothing")
}
