package authority

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"lukechampine.com/blake3/guts"
)

// The sizes of subtrees of BLAKE3's tree of chunks (section 2.1 of its paper): what
// is compressed at once, and what one processor takes at a time.
const (
	pieceSize   = guts.MaxSIMD * guts.ChunkSize
	subtreeSize = 1 << 20
)

// digestBig computes the BLAKE3 digest of a file of size bytes, more than one
// subtree, on every processor and with the widest vectors there are; ok is false
// where that is not done here. It returns how many bytes were read: another number
// than size when the file changed meanwhile. The error is a *Fault.
func digestBig(ctx context.Context, f *os.File, size int64, p string) (sum [32]byte, n int64, ok bool, err error) {
	count := (size + subtreeSize - 1) / subtreeSize
	b := &bigFile{ctx: ctx, file: f, size: size, count: count, cvs: make([][8]uint32, count-1)}
	var wait sync.WaitGroup
	for range min(int64(runtime.GOMAXPROCS(0)), count) {
		wait.Go(b.work)
	}
	wait.Wait()
	switch {
	case errors.Is(b.failed, io.EOF): // it ends before size
		return sum, size - 1, true, nil
	case b.failed != nil:
		return sum, 0, true, systemFault(b.failed, Quote(p))
	}
	root := fold(b.cvs, b.last)
	root.Flags |= guts.FlagRoot
	words := guts.CompressNode(root)
	for i := range sum[:8] {
		binary.LittleEndian.PutUint32(sum[4*i:], words[i])
	}
	return sum, size + b.behind(), true, nil
}

// bigFile is one file being digested.
type bigFile struct {
	ctx   context.Context
	file  *os.File
	size  int64
	count int64 // subtrees, the last one included

	next atomic.Int64
	cvs  [][8]uint32 // the chaining value of every subtree but the last
	last guts.Node   // the root of the last one

	mu     sync.Mutex
	failed error
}

// work digests subtrees until there are none.
func (b *bigFile) work() {
	buffer := make([]byte, subtreeSize+pieceSize) // the last piece is compressed as a whole one
	for {
		i := b.next.Add(1) - 1
		if i >= b.count {
			return
		}
		data := buffer[:min(subtreeSize, b.size-i*subtreeSize)]
		if err := b.read(data, i*subtreeSize); err != nil {
			b.fail(err)
			return
		}
		root := subtree(buffer, len(data), uint64(i)*(subtreeSize/guts.ChunkSize))
		if i == b.count-1 {
			b.last = root
		} else {
			b.cvs[i] = guts.ChainingValue(root)
		}
	}
}

func (b *bigFile) read(data []byte, at int64) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	n, err := b.file.ReadAt(data, at)
	if n == len(data) {
		return nil
	}
	return err
}

// fail keeps the first error and leaves no subtree to the others.
func (b *bigFile) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.failed = err
	}
	b.next.Store(b.count)
}

// behind is how many bytes stand behind size, one at most: the file grew.
func (b *bigFile) behind() int64 {
	n, _ := b.file.ReadAt(make([]byte, 1), b.size)
	return int64(n)
}

// subtree returns the root of the tree of length bytes at the beginning of buffer,
// which has room for a whole piece behind them; first is the number of their first
// chunk.
func subtree(buffer []byte, length int, first uint64) guts.Node {
	var cvs [subtreeSize / pieceSize][8]uint32
	for i := 0; ; i++ {
		at := i * pieceSize
		size := min(pieceSize, length-at)
		piece := (*[pieceSize]byte)(buffer[at : at+pieceSize])
		node := guts.CompressBuffer(piece, size, &guts.IV, first+uint64(at/guts.ChunkSize), 0)
		if at+size == length {
			return fold(cvs[:i], node)
		}
		cvs[i] = guts.ChainingValue(node)
	}
}

// fold returns the root over complete subtrees of one size and a last one behind
// them that is no larger: complete pairs are merged first, and the last one with
// what stands to its left.
func fold(cvs [][8]uint32, last guts.Node) guts.Node {
	var stack [][8]uint32
	for i, cv := range cvs {
		for n := i + 1; n&1 == 0; n >>= 1 {
			left := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			cv = guts.ChainingValue(guts.ParentNode(left, cv, &guts.IV, 0))
		}
		stack = append(stack, cv)
	}
	for len(stack) > 0 {
		left := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		last = guts.ParentNode(left, guts.ChainingValue(last), &guts.IV, 0)
	}
	return last
}
