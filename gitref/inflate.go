package gitref

import (
	"encoding/binary"
	"errors"
	"sync"
)

var (
	errInflate   = errors.New("the zlib stream is malformed")
	errOverLimit = errors.New("the object exceeds the size bound")

	// errFull says that a stream holds more than was asked for.
	errFull = errors.New("the zlib stream is longer than declared")
)

// maxInflateRatio is the most bytes deflate makes of one (258 for a pair of a
// length and a distance code of one bit each).
const maxInflateRatio = 1032

// inflater decodes zlib streams (RFC 1950, RFC 1951) whose whole input and
// output lie in memory. compress/zlib reads byte by byte through interfaces and
// sets up 40 KiB for each stream, which costs more than half of the time of
// reading small objects. The Adler-32 checksum is passed over: whatever is
// inflated here proves itself by the object id it must hash to.
type inflater struct {
	src []byte
	pos int    // next byte of src to load
	buf uint64 // loaded bits, next one lowest
	n   uint   // how many of them count
	pad int    // zero bytes loaded from beyond the end of src

	dst []byte
	out int // bytes of dst that are filled

	lit, dist *huffman // of the current block: own, or the fixed ones
	own       [2]huffman
	lens      [maxLitCodes + maxDistCodes]uint8
	syms      [maxLitCodes]uint16
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflate fills dst from the zlib stream at the start of src, which must end
// exactly there, and returns how much of src the stream takes.
func inflate(dst, src []byte) (int, error) {
	z := inflaters.Get().(*inflater)
	defer z.release()
	z.reset(dst, src)
	if err := z.stream(); err != nil {
		return 0, err
	}
	if z.out != len(dst) {
		return 0, errInflate
	}
	return z.used()
}

// inflateHead fills dst with the first bytes of the zlib stream and returns how
// many there are.
func inflateHead(dst, src []byte) (int, error) {
	z := inflaters.Get().(*inflater)
	defer z.release()
	z.reset(dst, src)
	if err := z.stream(); err != nil && err != errFull {
		return 0, err
	}
	if z.short() {
		return 0, errInflate
	}
	return z.out, nil
}

func (z *inflater) reset(dst, src []byte) {
	z.src, z.dst = src, dst
	z.pos, z.buf, z.n, z.pad, z.out = 0, 0, 0, 0, 0
}

func (z *inflater) release() {
	z.src, z.dst = nil, nil
	inflaters.Put(z)
}

// short reports whether bits beyond the end of src were used.
func (z *inflater) short() bool { return uint(z.pad)*8 > z.n }

// used returns the length of the stream with its four bytes of checksum.
func (z *inflater) used() (int, error) {
	if z.short() {
		return 0, errInflate
	}
	end := z.pos + z.pad - int(z.n/8) + 4
	if end > len(z.src) {
		return 0, errInflate
	}
	return end, nil
}

// refill loads bits until at least 56 are there; past the end they are zero.
func (z *inflater) refill() {
	if len(z.src)-z.pos >= 8 {
		z.buf |= binary.LittleEndian.Uint64(z.src[z.pos:]) << z.n
		z.pos += int(63-z.n) >> 3
		z.n |= 56
		return
	}
	for z.n < 56 {
		if z.pos < len(z.src) {
			z.buf |= uint64(z.src[z.pos]) << z.n
			z.pos++
		} else {
			z.pad++
		}
		z.n += 8
	}
}

// bits takes the next k bits, at most 32.
func (z *inflater) bits(k uint) uint {
	if z.n < k {
		z.refill()
	}
	v := uint(z.buf) & (1<<k - 1)
	z.buf >>= k
	z.n -= k
	return v
}

// stream decodes the two bytes of zlib header and all blocks.
func (z *inflater) stream() error {
	if len(z.src) < 2 {
		return errInflate
	}
	head := uint(z.src[0])<<8 | uint(z.src[1])
	// Method deflate, a window of at most 32 KiB, no preset dictionary.
	if head&0x0f00 != 0x0800 || head>>12 > 7 || head&0x20 != 0 || head%31 != 0 {
		return errInflate
	}
	z.pos = 2
	for last := false; !last; {
		last = z.bits(1) == 1
		if err := z.block(z.bits(2)); err != nil {
			return err
		}
		// Zero bits from beyond the end must not keep this going.
		if z.short() {
			return errInflate
		}
	}
	return nil
}

func (z *inflater) block(kind uint) error {
	switch kind {
	case 0:
		return z.stored()
	case 1:
		fixed, err := fixedCodes()
		if err != nil {
			return err
		}
		z.lit, z.dist = &fixed[0], &fixed[1]
	case 2:
		z.lit, z.dist = &z.own[0], &z.own[1]
		if err := z.dynamicTables(); err != nil {
			return err
		}
	default:
		return errInflate
	}
	return z.codes()
}

// stored copies a block that is not compressed.
func (z *inflater) stored() error {
	z.bits(z.n % 8)
	size, check := z.bits(16), z.bits(16)
	if size != ^check&0xffff || z.short() {
		return errInflate
	}
	// Give back the whole bytes that were loaded ahead.
	z.pos -= int(z.n/8) - z.pad
	z.buf, z.n, z.pad = 0, 0, 0
	n := copy(z.dst[z.out:], z.src[z.pos:min(z.pos+int(size), len(z.src))])
	z.out += n
	z.pos += n
	switch {
	case n == int(size):
		return nil
	case z.out == len(z.dst):
		return errFull
	}
	return errInflate
}

// codes decodes the literals and matches of one block.
func (z *inflater) codes() error {
	for {
		if end, err := z.fastCodes(); end || err != nil {
			return err
		}
		if z.n < 48 {
			if z.short() {
				return errInflate
			}
			z.refill()
		}
		e := z.lit.decode(z)
		if e&codeKind != codeLiteral {
			if end, err := z.symbol(e); end || err != nil {
				return err
			}
			continue
		}
		if z.out == len(z.dst) {
			return errFull
		}
		z.dst[z.out] = byte(e >> 16)
		z.out++
	}
}

// fastCodes decodes as codes does while neither input nor output can run out,
// with the state in registers. It reports whether the block has ended.
func (z *inflater) fastCodes() (end bool, err error) {
	src, dst := z.src, z.dst
	pos, out, buf, n := z.pos, z.out, z.buf, z.n
	lit, litMask := &z.lit.entries, uint64(1)<<z.lit.root-1
	for !end && err == nil && len(src)-pos >= 8 && out < len(dst) {
		if n < 48 {
			buf |= binary.LittleEndian.Uint64(src[pos:]) << n
			pos += int(63-n) >> 3
			n |= 56
		}
		e := lit[buf&litMask]
		if e&codeKind == codeLink {
			buf >>= z.lit.root
			n -= z.lit.root
			e = lit[uint64(e>>16)+buf&(1<<(e>>4&15)-1)]
		}
		buf >>= e & 15
		n -= uint(e & 15)
		if e&codeKind == codeLiteral {
			dst[out] = byte(e >> 16)
			out++
			continue
		}
		z.buf, z.n, z.out = buf, n, out
		end, err = z.symbol(e)
		buf, n, out = z.buf, z.n, z.out
	}
	z.pos, z.out, z.buf, z.n = pos, out, buf, n
	return end, err
}

// symbol takes what is no literal: a match, of which up to 33 bits more must
// have been loaded, or the end of the block.
func (z *inflater) symbol(e uint32) (end bool, err error) {
	switch e & codeKind {
	case codeEnd:
		return true, nil
	case codeBase:
		length := int(e>>16) + z.extra(e)
		d := z.dist.decode(z)
		if d&codeKind != codeBase {
			return false, errInflate
		}
		return false, z.match(int(d>>16)+z.extra(d), length)
	}
	return false, errInflate
}

// extra takes the extra bits of a length or distance code.
func (z *inflater) extra(e uint32) int {
	k := e >> 4 & 15
	v := int(z.buf & (1<<k - 1))
	z.buf >>= k
	z.n -= uint(k)
	return v
}

// match repeats length bytes that stand dist before the end of the output.
func (z *inflater) match(dist, length int) error {
	if dist > z.out {
		return errInflate
	}
	room := len(z.dst) - z.out
	n := min(length, room)
	from, to := z.out-dist, z.out
	if dist >= n {
		copy(z.dst[to:to+n], z.dst[from:from+n])
	} else {
		for done := 0; done < n; {
			// What has been repeated can be repeated at once.
			done += copy(z.dst[to+done:to+n], z.dst[from:to+done])
		}
	}
	z.out += n
	if length > room {
		return errFull
	}
	return nil
}
