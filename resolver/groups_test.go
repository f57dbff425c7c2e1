package resolver

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// oneByOne returns what returns the numbers.
func oneByOne(numbers []int) func() (int, bool) {
	next := groupsBy(numbers, func(i int) int { return i })
	return func() (int, bool) {
		group, more := next()
		if !more {
			return 0, false
		}
		return group[0], true
	}
}

func TestGroupsBy(t *testing.T) {
	var got []string
	next := groupsBy([]string{"a", "ab", "b", "cb", "ca", "d"}, func(s string) byte { return s[0] })
	for group, more := next(); more; group, more = next() {
		got = append(got, strings.Join(group, "+"))
	}
	if want := "a+ab b cb+ca d"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if group, more := next(); more {
		t.Errorf("one more: %q", group)
	}
}

// TestCrew has every group done once, by no more workers than there may be.
func TestCrew(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		done := make([]atomic.Int32, n)
		var now atomic.Int32
		groups := make([]int, n)
		for i := range groups {
			groups[i] = i
		}
		err := sideBySide(t.Context(), oneByOne(groups), n, func(_ context.Context, i int) {
			if c := now.Add(1); int(c) > runtime.GOMAXPROCS(0) {
				t.Errorf("%d are done at a time", c)
			}
			done[i].Add(1)
			now.Add(-1)
		})
		if err != nil {
			t.Error(err)
		}
		for i := range done {
			if c := done[i].Load(); c != 1 {
				t.Errorf("group %d of %d is done %d times", i, n, c)
			}
		}
	}
}

// crewOf returns a crew for n groups.
func crewOf(n, most, limit int, each func(*crew[int])) *crew[int] {
	c := &crew[int]{most: most, limit: limit}
	left := n
	c.next = func() (int, bool) {
		left--
		return left, left >= 0
	}
	c.each = func(context.Context, int) error {
		each(c)
		return nil
	}
	return c
}

// TestCrewAside has groups that wait until as many wait as may: others take their
// places.
func TestCrewAside(t *testing.T) {
	const limit = 5
	var waiting, done atomic.Int32
	all := make(chan struct{})
	c := crewOf(3*limit, 2, limit, func(c *crew[int]) {
		c.aside(func() {
			if waiting.Add(1) == limit {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(10 * time.Second):
				t.Error("not all are waiting")
			}
		})
		done.Add(1)
	})
	if err := c.run(t.Context()); err != nil || done.Load() != 3*limit || c.all != 0 || c.busy != 0 {
		t.Errorf("%v: %d are done, %d workers are left, %d of them busy", err, done.Load(), c.all, c.busy)
	}
}

// TestCrewHoldsALock has groups that wait aside with a lock that the others need.
func TestCrewHoldsALock(t *testing.T) {
	var lock sync.Mutex
	c := crewOf(50, 1, 8, func(c *crew[int]) {
		lock.Lock()
		defer lock.Unlock()
		c.aside(func() { time.Sleep(time.Millisecond) })
	})
	if err := c.run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCrewPanics(t *testing.T) {
	var done atomic.Int32
	err := sideBySide(t.Context(), oneByOne([]int{0, 1, 2, 3}), 4, func(_ context.Context, i int) {
		if i == 0 {
			panic("broken")
		}
		done.Add(1)
	})
	if e, ok := errors.AsType[*InternalError](err); !ok || e.Cause != "broken" || done.Load() != 3 {
		t.Errorf("got %v, %d done", err, done.Load())
	}
}
