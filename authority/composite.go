package authority

import (
	"context"
	"crypto/sha256"
	"strconv"

	"github.com/zeebo/blake3"
)

// composite is an authority without bytes of its own: its identity is composed
// of those of its entries.
type composite interface {
	// identify computes the identity of a tag, blake3 or sha256. Errors are
	// *Fault.
	identify(ctx context.Context, tag Tag) (Identity, error)
}

// cleanable is an authority that can be held against the index and HEAD as a
// whole.
type cleanable interface {
	// clean proves that everything equals the index and, when committed is set,
	// HEAD. seen is the identity that was found. It returns how it was proven.
	clean(ctx context.Context, seen Identity, committed bool) (string, error)
}

// PinsFile is the base name of files that state identities of other files, and
// are left out of the identities of folders.
const PinsFile = "ctxptr.pins"

// maxEntries bounds how many names one composite identity looks at.
const maxEntries = 1 << 21

// composer computes the digest of a header and framed fields: decimal length,
// colon, bytes.
type composer struct {
	id  Identity
	sum interface {
		Write(p []byte) (int, error)
		Sum(b []byte) []byte
	}
	buffer []byte
	count  int // entries
}

func newComposer(tag Tag, header string) *composer {
	c := &composer{id: Identity{tag: tag, size: sha256.Size}, buffer: make([]byte, 0, 1<<16)}
	if c.sum = blake3.New(); tag == SHA256 {
		c.sum = sha256.New()
	}
	c.buffer = append(c.buffer, header...)
	return c
}

// frame adds a field.
func (c *composer) frame(field string) {
	c.begin(len(field))
	c.buffer = append(c.buffer, field...)
}

// frameBytes adds a field.
func (c *composer) frameBytes(field []byte) {
	c.begin(len(field))
	c.buffer = append(c.buffer, field...)
}

func (c *composer) begin(length int) {
	if len(c.buffer)+length+24 > cap(c.buffer) {
		c.flush()
	}
	c.buffer = strconv.AppendInt(c.buffer, int64(length), 10)
	c.buffer = append(c.buffer, ':')
}

func (c *composer) flush() {
	// A hash's Write never fails; its signature is io.Writer's.
	_, _ = c.sum.Write(c.buffer)
	c.buffer = c.buffer[:0]
}

func (c *composer) identity() Identity {
	c.flush()
	c.sum.Sum(c.id.sum[:0])
	return c.id
}
