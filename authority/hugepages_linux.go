package authority

import (
	"os"

	"golang.org/x/sys/unix"
)

// hugeAbove is the size from which memory for a file is asked for in huge pages.
const hugeAbove = 8 << 20

// preferHugePages hints that memory about to be filled should come in huge
// pages: of a large file, most time would else go into its page faults. The
// hint changes no content, and a system that does not take it loses nothing.
func preferHugePages(data []byte) {
	if len(data) < hugeAbove {
		return
	}
	// A slice of this size begins on a page; what is left of its last page is
	// not advised.
	_ = unix.Madvise(data[:len(data)&^(os.Getpagesize()-1)], unix.MADV_HUGEPAGE)
}
