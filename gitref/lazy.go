package gitref

import (
	"sync"
	"sync/atomic"
)

// lazy is a value made on first use, whose making can fail, and which others
// may look at without making it.
type lazy[T any] struct {
	once  sync.Once
	done  atomic.Bool
	value T
	err   error
}

func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	if l.done.Load() {
		return l.value, l.err
	}
	l.once.Do(func() {
		l.value, l.err = make()
		l.done.Store(true)
	})
	return l.value, l.err
}

// peek returns the value if it has been made.
func (l *lazy[T]) peek() (value T, err error, made bool) {
	if !l.done.Load() {
		return value, nil, false
	}
	return l.value, l.err, true
}
