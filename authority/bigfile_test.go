//go:build amd64

package authority

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/blake3"
)

// TestDigestBig holds the tree of a big file against the one hasher: sizes around
// every boundary, and at random.
func TestDigestBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sizes := []int64{}
	for _, trees := range []int64{1, 2, 3, 4, 5, 7, 8, 9} {
		for _, more := range []int64{1, 63, 64, 1023, 1024, 1025, pieceSize - 1, pieceSize, pieceSize + 1, subtreeSize - 1, subtreeSize} {
			sizes = append(sizes, trees*subtreeSize+more)
		}
	}
	for range 30 {
		sizes = append(sizes, subtreeSize+1+random.Int64N(12*subtreeSize))
	}
	data := make([]byte, 13*subtreeSize)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	name := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range sizes {
		if err := os.WriteFile(name, data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		sum, n, ok, err := digestBig(t.Context(), f, size, name)
		if !ok || err != nil || n != size || sum != blake3.Sum256(data[:size]) {
			t.Errorf("%d bytes: read %d, %t %v, digest %x", size, n, ok, err, sum)
		}
		for _, other := range []int64{size - 1, size + 1} {
			if _, n, _, err := digestBig(t.Context(), f, other, name); n == other || err != nil {
				t.Errorf("%d bytes taken for %d: %d %v", size, other, n, err)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err = digestBig(ended, f, sizes[0], name)
	if fault, ok := errors.AsType[*Fault](err); !ok || fault.Code != MissingLimit {
		t.Errorf("a run that was interrupted ends with %v", err)
	}
}
