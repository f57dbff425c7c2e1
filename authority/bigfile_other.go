//go:build !amd64

package authority

import (
	"context"
	"os"
)

// digestBig leaves a big file to the one hasher: its vectors are used on amd64
// alone.
func digestBig(context.Context, *os.File, int64, string) (sum [32]byte, n int64, ok bool, err error) {
	return sum, 0, false, nil
}
