package gitref

import "errors"

var errDelta = errors.New("the delta is malformed")

// deltaSizes reads the head of a delta: the sizes of base and result, and where
// the instructions start (gitformat-pack(5), "Deltified representation").
func deltaSizes(delta []byte) (base, result int64, ops []byte, err error) {
	if base, delta, err = deltaSize(delta); err != nil {
		return 0, 0, nil, err
	}
	if result, delta, err = deltaSize(delta); err != nil {
		return 0, 0, nil, err
	}
	return base, result, delta, nil
}

func deltaSize(b []byte) (int64, []byte, error) {
	var n int64
	for i := 0; i < len(b) && i < 9; i++ {
		n |= int64(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return n, b[i+1:], nil
		}
	}
	return 0, nil, errDelta
}

// deltaOp decodes one instruction: n bytes copied from the base at off, or,
// when insert is set, the n bytes that stand at the start of rest.
func deltaOp(ops []byte) (off, n int64, insert bool, rest []byte, err error) {
	op := ops[0]
	ops = ops[1:]
	if op&0x80 == 0 {
		if op == 0 || int(op) > len(ops) {
			return 0, 0, false, nil, errDelta
		}
		return 0, int64(op), true, ops, nil
	}
	for bit := range 7 {
		if op&(1<<bit) == 0 {
			continue
		}
		if len(ops) == 0 {
			return 0, 0, false, nil, errDelta
		}
		if bit < 4 {
			off |= int64(ops[0]) << (8 * bit)
		} else {
			n |= int64(ops[0]) << (8 * (bit - 4))
		}
		ops = ops[1:]
	}
	if n == 0 {
		n = 0x10000
	}
	return off, n, false, ops, nil
}

// checkDelta proves that every instruction stays within base and that together
// they make exactly result bytes, so that nothing is allocated for a lie.
func checkDelta(ops []byte, base, result int64) error {
	var total int64
	for len(ops) > 0 {
		off, n, insert, rest, err := deltaOp(ops)
		if err != nil {
			return err
		}
		if insert {
			rest = rest[n:]
		} else if off > base || n > base-off {
			return errDelta
		}
		if total += n; total > result {
			return errDelta
		}
		ops = rest
	}
	if total != result {
		return errDelta
	}
	return nil
}

// applyDelta returns the object that delta makes of base, in dst where that is
// large enough; dst shares nothing with base. A result above limit is
// errOverLimit.
func applyDelta(dst, base, delta []byte, limit int64) ([]byte, error) {
	from, size, ops, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, errDelta
	}
	if err := checkDelta(ops, from, size); err != nil {
		return nil, err
	}
	if size > limit {
		return nil, errOverLimit
	}
	out := dst[:0]
	if int64(cap(out)) < size {
		out = make([]byte, 0, size)
	}
	for len(ops) > 0 {
		off, n, insert, rest, err := deltaOp(ops)
		if err != nil {
			return nil, err
		}
		if insert {
			out = append(out, rest[:n]...)
			ops = rest[n:]
			continue
		}
		out = append(out, base[off:off+n]...)
		ops = rest
	}
	return out, nil
}
