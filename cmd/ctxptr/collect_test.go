package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestCollectLate collects once: after that it is as usual.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	const usual = 100
	debug.SetGCPercent(usual)
	defer debug.SetGCPercent(usual)
	collectLate()
	now := debug.SetGCPercent(100 * firstCollection / usualFirst)
	runtime.GC()
	for range 1000 {
		if now = debug.SetGCPercent(100 * firstCollection / usualFirst); now == usual {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("after a collection: %d", now)
}

// TestCollectAsTold leaves what the user has chosen.
func TestCollectAsTold(t *testing.T) {
	t.Setenv("GOGC", "50")
	before := debug.SetGCPercent(50)
	defer debug.SetGCPercent(before)
	collectLate()
	if now := debug.SetGCPercent(50); now != 50 {
		t.Errorf("got %d", now)
	}
}
