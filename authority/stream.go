package authority

import (
	"context"
	"io"
	"io/fs"
	"os"
)

const (
	// streamAbove is the size in bytes from which a file is digested while it is
	// read, without holding it.
	streamAbove = 1 << 20
	// ahead is how many buffers are read ahead of the digest.
	ahead = 4
)

// Stream returns what is observed now when it is the whole authority with
// exactly the identity stated, digested without holding its bytes; false when
// Match has to find out. Nothing else of the same look can be proven by it: the
// bytes are gone. The error is a *Fault.
func (o *Observation) Stream(ctx context.Context, stated Identity) (Finding, bool, error) {
	if o.stream == nil || o.raw != nil {
		return Finding{}, false, nil
	}
	id, err := o.stream(ctx, stated)
	return Finding{Identity: id}, err == nil && id == stated, err
}

// streamRegular digests the file that info described as like states, reading
// ahead of the digest on another processor.
func (w *Workspace) streamRegular(ctx context.Context, p string, info fs.FileInfo, like Identity) (id Identity, err error) {
	err = w.inspect(p, info, func(f *os.File, size int64) (int64, error) {
		if like.tag == BLAKE3 && size > streamAbove {
			sum, n, done, err := digestBig(ctx, f, size, p)
			if done {
				id = Identity{tag: BLAKE3, whole: like.whole, size: uint8(len(sum)), sum: sum}
				return n, err
			}
		}
		d, ok := newDigest(like, size)
		if !ok {
			return 0, fault(MissingNotRegular, "bytes stand there, and a %s is stated", like.tag)
		}
		n, err := d.readFrom(ctx, io.LimitReader(f, size+1), p) // one more, to see a file that grew
		id = d.identity()
		return n, err
	})
	return id, err
}

// piece is what one read gave.
type piece struct {
	data []byte
	err  error
}

// readFrom digests f to its end and returns how many bytes it had.
func (d *streamDigest) readFrom(ctx context.Context, f io.Reader, p string) (n int64, err error) {
	pieces, free := make(chan piece, ahead), make(chan []byte, ahead)
	for range ahead {
		free <- make([]byte, streamAbove)
	}
	go func() {
		defer close(pieces)
		for buffer := range free {
			m, err := io.ReadFull(f, buffer)
			pieces <- piece{buffer[:m], err}
			if err != nil {
				return
			}
		}
	}()
	for got := range pieces {
		d.h.Write(got.data)
		n += int64(len(got.data))
		switch {
		case got.err == io.EOF || got.err == io.ErrUnexpectedEOF:
		case got.err != nil:
			err = systemFault(got.err, Quote(p))
		case ctx.Err() != nil:
			err = systemFault(ctx.Err(), Quote(p))
			close(free)
			for range pieces { // the reader ends at its next buffer
				continue
			}
			return n, err
		default:
			free <- got.data[:cap(got.data)]
		}
	}
	return n, err
}
