package resolver

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"ctxptr/authority/selector"
)

// groupsBy returns what returns the runs of tasks that share one key, one after the
// other, and false behind the last.
func groupsBy[T any, K comparable](tasks []T, key func(T) K) func() ([]T, bool) {
	return func() ([]T, bool) {
		if len(tasks) == 0 {
			return nil, false
		}
		n, first := 1, key(tasks[0])
		for n < len(tasks) && key(tasks[n]) == first {
			n++
		}
		group := tasks[:n:n]
		tasks = tasks[n:]
		return group, true
	}
}

// sideBySide calls each for every group that next returns, as many at a time as
// there are processors, and more while some wait aside for a companion; most is how
// many groups there can be. The error is an *InternalError: each panicked, and the
// groups behind it may be left out.
func sideBySide[T any](ctx context.Context, next func() (T, bool), most int, each func(context.Context, T)) error {
	guard := func(ctx context.Context, group T) error { return guarded(func() { each(ctx, group) }) }
	if most <= 1 {
		for group, more := next(); more; group, more = next() {
			if err := guard(ctx, group); err != nil {
				return err
			}
		}
		return nil
	}
	processors := runtime.GOMAXPROCS(0)
	c := &crew[T]{next: next, each: guard, most: min(processors, most), limit: min(perProcessor*processors, most)}
	return c.run(ctx)
}

// guarded makes a panic an *InternalError.
func guarded(work func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &InternalError{cause}
		}
	}()
	work()
	return nil
}

// perProcessor is how many workers there may be for each processor, those that
// wait included.
const perProcessor = 8

// crew is the workers that take groups.
type crew[T any] struct {
	ctx         context.Context
	each        func(context.Context, T) error
	most, limit int // workers that work at a time, and in all

	wait sync.WaitGroup
	mu   sync.Mutex
	next func() (T, bool)
	all  int // workers
	busy int // those that do not wait aside
	err  error
}

func (c *crew[T]) run(ctx context.Context) error {
	c.ctx = selector.WithAside(ctx, c.aside)
	c.mu.Lock()
	for range c.most {
		c.hire()
	}
	c.mu.Unlock()
	c.wait.Wait()
	return c.err
}

// hire adds a worker. c.mu is held.
func (c *crew[T]) hire() {
	c.all++
	c.busy++
	c.wait.Go(func() {
		for group, more := c.take(); more; group, more = c.take() {
			if err := c.each(c.ctx, group); err != nil {
				c.fail(err)
			}
		}
	})
}

// take returns the next group. There is none for a worker where more are busy
// than should be.
func (c *crew[T]) take() (group T, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy <= c.most {
		group, more = c.next()
	}
	if !more {
		c.all--
		c.busy--
	}
	return group, more
}

func (c *crew[T]) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = cmp.Or(c.err, err)
}

// aside lets another worker take the place of one that waits. It never waits for
// that place to become free: others may wait for what this one holds.
func (c *crew[T]) aside(wait func()) {
	c.mu.Lock()
	c.busy--
	if c.busy < c.most && c.all < c.limit {
		c.hire()
	}
	c.mu.Unlock()
	wait()
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
}
