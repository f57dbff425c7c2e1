package gitref

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
)

var (
	errInflate   = errors.New("the zlib stream is malformed")
	errOverLimit = errors.New("the object exceeds the size bound")
)

// maxInflateRatio is the most bytes deflate makes of one (258 a length-distance
// pair of at least two bits).
const maxInflateRatio = 1032

// inflate fills dst from the zlib stream at the start of src, which must end
// exactly there, and returns how much of src the stream takes.
func inflate(dst, src []byte) (int, error) {
	r := bytes.NewReader(src)
	z, err := zlib.NewReader(r)
	if err != nil {
		return 0, errInflate
	}
	if _, err := io.ReadFull(z, dst); err != nil {
		return 0, errInflate
	}
	var one [1]byte
	if n, err := z.Read(one[:]); n != 0 || err != io.EOF {
		return 0, errInflate
	}
	return len(src) - r.Len(), nil
}

// inflateHead fills dst with the first bytes of the zlib stream and returns how
// many there are.
func inflateHead(dst, src []byte) (int, error) {
	z, err := zlib.NewReader(bytes.NewReader(src))
	if err != nil {
		return 0, errInflate
	}
	n, err := io.ReadFull(z, dst)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, errInflate
	}
	return n, nil
}
