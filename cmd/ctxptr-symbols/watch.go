package main

import (
	"sync/atomic"
	"time"
)

// watch is what keeps an eye on the processor time that one file takes, so that a
// busy machine is no reason to refuse it. One serves all files, one after the
// other: a goroutine for each would cost as much as a small file.
type watch struct {
	since atomic.Int64 // the processor time at which the present file began, or noFile
}

const noFile = -1

// started is from where the time counts that takes the place of processor time
// where there is none.
var started = time.Now()

// newWatch returns a watch that calls late once this process has spent limit of
// processor time on one file.
func newWatch(limit time.Duration, late func()) *watch {
	w := &watch{}
	w.since.Store(noFile)
	go func() {
		for range time.Tick(max(limit/40, time.Millisecond)) {
			if since := w.since.Load(); since != noFile && processorTime()-time.Duration(since) > limit {
				late()
			}
		}
	}()
	return w
}

// begin says that a file begins, end that it ended.
func (w *watch) begin() { w.since.Store(int64(processorTime())) }
func (w *watch) end()   { w.since.Store(noFile) }
