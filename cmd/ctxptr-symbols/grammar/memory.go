//go:build cgo

package grammar

// #include <stdlib.h>
import "C"

import (
	"sync/atomic"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// budget is what the runtime may still allocate for the present file, in bytes.
// Memory that is given back does not count, so that the budget also bounds
// work.
var budget atomic.Int64

// LimitMemory calls over when the runtime has allocated more than Allow
// granted; over does not return.
func LimitMemory(over func()) {
	spend := func(size uint) C.size_t {
		if budget.Add(-int64(size)) < 0 {
			over()
		}
		return C.size_t(size)
	}
	sitter.SetAllocator(
		func(size uint) unsafe.Pointer { return C.malloc(spend(size)) },
		func(count, size uint) unsafe.Pointer {
			spend(count * size)
			return C.calloc(C.size_t(count), C.size_t(size))
		},
		func(p unsafe.Pointer, size uint) unsafe.Pointer { return C.realloc(p, spend(size)) },
		func(p unsafe.Pointer) { C.free(p) },
	)
}

// Allow sets what the runtime may allocate from now on.
func Allow(bytes int64) { budget.Store(bytes) }
