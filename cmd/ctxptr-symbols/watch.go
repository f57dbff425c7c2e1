package main

import "time"

// watch calls late once this process has spent limit of processor time from
// now on, so that a busy machine is no reason to refuse a file. The function it
// returns ends the watch.
func watch(limit time.Duration, late func()) (stop func()) {
	start := processorTime()
	ticker := time.NewTicker(max(limit/40, time.Millisecond))
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-ticker.C:
				if processorTime()-start > limit {
					late()
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
	}
}
