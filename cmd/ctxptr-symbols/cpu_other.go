//go:build !unix

package main

import "time"

// processorTime returns the time since the start, for want of the processor
// time.
func processorTime() time.Duration { return time.Since(started) }
