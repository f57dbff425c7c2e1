package resolver

import (
	"iter"
	"runtime"
	"sync"
)

// groupsBy yields the runs of tasks that share one key.
func groupsBy[T any, K comparable](tasks []T, key func(T) K) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for from := 0; from < len(tasks); {
			to := from + 1
			for to < len(tasks) && key(tasks[to]) == key(tasks[from]) {
				to++
			}
			if !yield(tasks[from:to]) {
				return
			}
			from = to
		}
	}
}

// sideBySide calls each for every group, as many at a time as there are
// processors; most is how many groups there can be. The error is an
// *InternalError: each panicked, and the groups behind it may be left out.
func sideBySide[T any](groups iter.Seq[T], most int, each func(T)) error {
	guarded := func(group T) (err error) {
		defer func() {
			if cause := recover(); cause != nil {
				err = &InternalError{cause}
			}
		}()
		each(group)
		return nil
	}
	workers := min(runtime.GOMAXPROCS(0), most)
	if workers <= 1 {
		for group := range groups {
			if err := guarded(group); err != nil {
				return err
			}
		}
		return nil
	}
	return concurrently(groups, workers, guarded)
}

func concurrently[T any](groups iter.Seq[T], workers int, each func(T) error) error {
	queue := make(chan T)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var first error
	for range workers {
		wait.Go(func() {
			for group := range queue {
				if err := each(group); err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
				}
			}
		})
	}
	for group := range groups {
		queue <- group
	}
	close(queue)
	wait.Wait()
	return first
}
