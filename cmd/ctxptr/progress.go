package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"ctxptr/resolver/documents"
)

// progressAfter is how long a run takes before it tells a person how far it is.
const progressAfter = time.Second

// showProgress has the scan of documents tell how far it is, on a terminal only.
// What it returns ends that.
func (a *app) showProgress(scope *documents.Scope) (end func()) {
	f, ok := a.err.(*os.File)
	if !ok || !isTerminal(f) {
		return func() {}
	}
	var looked atomic.Int64
	scope.Looked = func() { looked.Add(1) }
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		wait := progressAfter
		for written := false; ; written = true {
			select {
			case <-stop:
				if written {
					fmt.Fprint(f, "\r\x1b[K")
				}
				return
			case <-time.After(wait):
				fmt.Fprintf(f, "\r%d files", looked.Load())
				wait = progressAfter / 10
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
