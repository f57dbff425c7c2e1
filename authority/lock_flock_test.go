//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package authority

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// TestHeldFolderIsWaitedForOnce locks a folder as another process would, for good: many
// files in it are refused in the time of one.
func TestHeldFolderIsWaitedForOnce(t *testing.T) {
	dir := t.TempDir()
	other, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_EX); err != nil {
		t.Skip(err) // a file system without locks
	}
	w, err := Open(t.Context(), Config{Dir: dir, Root: dir, MaxBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := w.lockFolder(ended, "."); err == nil {
		t.Fatal("a folder is locked twice")
	}
	before := time.Now()
	for range 3 {
		err := w.Replace(t.Context(), "new", Identity{}, []byte("new"))
		if f, ok := errors.AsType[*Fault](err); !ok || f.Code != AmbiguousObservation {
			t.Errorf("got %v", err)
		}
	}
	if took := time.Since(before); took > lockTries*lockPause/2 {
		t.Errorf("it took %s", took)
	}
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := w.Replace(t.Context(), "new", Identity{}, []byte("new")); err != nil {
		t.Errorf("after it is free: %v", err)
	}
}
