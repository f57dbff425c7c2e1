package gitref

const (
	maxCodeLen   = 15
	maxLitCodes  = 288
	maxDistCodes = 32
	litRoot      = 10
	distRoot     = 8

	// tableSize holds the largest table: 1332 entries for 288 codes of at most
	// 15 bits behind a root of 10.
	tableSize = 1536
)

// A table entry: bits 0-3 the code length still to take, 4-7 the number of
// extra bits (of a link: the bits of the subtable's index), 8-10 what the code
// is, 16-31 its literal, base value or (of a link) where the subtable starts.
const (
	codeKind    = 7 << 8
	codeLiteral = 0 << 8
	codeBase    = 1 << 8
	codeEnd     = 2 << 8
	codeLink    = 3 << 8
	codeInvalid = 4 << 8
)

var (
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}

	// codeOrder is the order in which the lengths of code length codes stand.
	codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// alphabet says what a symbol means.
type alphabet uint8

const (
	plainAlphabet alphabet = iota // code lengths
	litAlphabet
	distAlphabet
)

// meaning returns the table entry of a symbol, without its code length.
func (a alphabet) meaning(sym int) uint32 {
	switch {
	case a == distAlphabet && sym < len(distBase):
		return codeBase | uint32(distBase[sym])<<16 | uint32(distExtra[sym])<<4
	case a == plainAlphabet || a == litAlphabet && sym < 256:
		return codeLiteral | uint32(sym)<<16
	case a == litAlphabet && sym == 256:
		return codeEnd
	case a == litAlphabet && sym-257 < len(lengthBase):
		return codeBase | uint32(lengthBase[sym-257])<<16 | uint32(lengthExtra[sym-257])<<4
	}
	return codeInvalid
}

// huffman is a decoding table: a root indexed by the next bits, with links to
// subtables for longer codes.
type huffman struct {
	root    uint
	entries [tableSize]uint32
}

// decode takes one code; 15 bits must have been loaded.
func (h *huffman) decode(z *inflater) uint32 {
	e := h.entries[z.buf&(1<<h.root-1)]
	if e&codeKind == codeLink {
		z.buf >>= h.root
		z.n -= h.root
		e = h.entries[uint64(e>>16)+z.buf&(1<<(e>>4&15)-1)]
	}
	z.buf >>= e & 15
	z.n -= uint(e & 15)
	return e
}

// codeCounts counts the codes of each length. A set that is over-subscribed is
// malformed, and so is an incomplete one, unless it is empty or a single code
// of one bit.
func codeCounts(lens []uint8, used []uint16, a alphabet) (count [maxCodeLen + 1]int, longest uint, err error) {
	for _, sym := range used {
		count[lens[sym]]++
	}
	left := 1
	for l := 1; l <= maxCodeLen; l++ {
		left = left<<1 - count[l]
		if left < 0 {
			return count, 0, errInflate
		}
		if count[l] > 0 {
			longest = uint(l)
		}
	}
	if left > 0 && (a == plainAlphabet || longest > 1) {
		return count, 0, errInflate
	}
	return count, longest, nil
}

// build makes the table of the canonical code with the given lengths; used are
// the symbols of which the length is not zero, in their order.
func (h *huffman) build(lens []uint8, used []uint16, root uint, a alphabet) error {
	count, longest, err := codeCounts(lens, used, a)
	if err != nil {
		return err
	}
	h.root = max(min(root, longest), 1)
	if longest <= 1 {
		// The one set that may be incomplete.
		h.entries[0], h.entries[1] = codeInvalid, codeInvalid
	}
	var next [maxCodeLen + 1]int // where symbols of each length start
	for l := 1; l < maxCodeLen; l++ {
		next[l+1] = next[l] + count[l]
	}
	var sorted [maxLitCodes]uint16
	for _, sym := range used {
		l := lens[sym]
		sorted[next[l]] = sym
		next[l]++
	}
	return h.fill(lens, sorted[:len(used)], count, longest, a)
}

// fill enters the symbols, sorted by code length. code runs through the
// canonical codes with their bits reversed, as they arrive.
func (h *huffman) fill(lens []uint8, sorted []uint16, count [maxCodeLen + 1]int, longest uint, a alphabet) error {
	size := 1 << h.root
	link, start, sub := -1, 0, uint(0)
	code := 0
	for _, sym := range sorted {
		l := uint(lens[sym])
		e := a.meaning(int(sym))
		if l <= h.root {
			for i := code; i < 1<<h.root; i += 1 << l {
				h.entries[i] = e | uint32(l)
			}
		} else {
			if prefix := code & (1<<h.root - 1); prefix != link {
				link, start, sub = prefix, size, subBits(l-h.root, h.root, longest, count)
				if size += 1 << sub; size > tableSize {
					return errInflate
				}
				h.entries[link] = codeLink | uint32(start)<<16 | uint32(sub)<<4
			}
			for i := code >> h.root; i < 1<<sub; i += 1 << (l - h.root) {
				h.entries[start+i] = e | uint32(l-h.root)
			}
		}
		count[l]--
		code = nextCode(code, l)
	}
	return nil
}

// subBits returns how many bits index the subtable whose first code has k bits
// behind the root, given how many codes of each length are still to come.
func subBits(k, root, longest uint, count [maxCodeLen + 1]int) uint {
	left := 1 << k
	for k+root < longest {
		if left -= count[k+root]; left <= 0 {
			break
		}
		k++
		left <<= 1
	}
	return k
}

// nextCode adds one to the l-bit code whose bits stand reversed.
func nextCode(code int, l uint) int {
	bit := 1 << (l - 1)
	for code&bit != 0 {
		code &^= bit
		bit >>= 1
	}
	return code | bit
}

// fixedTables holds the codes of blocks that state none, made on first use.
var fixedTables lazy[*[2]huffman]

func fixedCodes() (*[2]huffman, error) { return fixedTables.get(buildFixed) }

func buildFixed() (*[2]huffman, error) {
	var lens [maxLitCodes]uint8
	var used [maxLitCodes]uint16
	for i := range lens {
		used[i] = uint16(i)
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
	}
	t := new([2]huffman)
	if err := t[0].build(lens[:], used[:], litRoot, litAlphabet); err != nil {
		return nil, err
	}
	for i := range lens[:maxDistCodes] {
		lens[i] = 5
	}
	return t, t[1].build(lens[:maxDistCodes], used[:maxDistCodes], distRoot, distAlphabet)
}

// dynamicTables reads the code lengths at the start of a block.
func (z *inflater) dynamicTables() error {
	nlit, ndist, ncode := z.bits(5)+257, z.bits(5)+1, z.bits(4)+4
	if nlit > 286 || ndist > 30 {
		return errInflate
	}
	var order [19]uint8
	for _, at := range codeOrder[:ncode] {
		order[at] = uint8(z.bits(3))
	}
	// The literal table serves for the code lengths before it is built itself.
	if err := z.lit.build(order[:], z.coded(order[:]), 7, plainAlphabet); err != nil {
		return err
	}
	lens := z.lens[:nlit+ndist]
	if err := z.codeLengths(lens); err != nil {
		return err
	}
	if lens[256] == 0 {
		return errInflate
	}
	if err := z.lit.build(lens[:nlit], z.coded(lens[:nlit]), litRoot, litAlphabet); err != nil {
		return err
	}
	return z.dist.build(lens[nlit:], z.coded(lens[nlit:]), distRoot, distAlphabet)
}

// coded returns the symbols that have a code, until it is called again.
func (z *inflater) coded(lens []uint8) []uint16 {
	n := 0
	for sym, l := range lens {
		// Without a branch, which would be guessed wrong half of the time.
		z.syms[n] = uint16(sym)
		if l > 0 {
			n++
		}
	}
	return z.syms[:n]
}

// codeLengths decodes the run-length encoded code lengths.
func (z *inflater) codeLengths(lens []uint8) error {
	for i := 0; i < len(lens); {
		if z.n < 22 {
			z.refill()
		}
		e := z.lit.decode(z)
		if e&codeKind != codeLiteral {
			return errInflate
		}
		sym := uint8(e >> 16)
		if sym < 16 {
			lens[i] = sym
			i++
			continue
		}
		var value uint8
		var n uint
		switch sym {
		case 16:
			if i == 0 {
				return errInflate
			}
			value, n = lens[i-1], 3+z.bits(2)
		case 17:
			n = 3 + z.bits(3)
		default:
			n = 11 + z.bits(7)
		}
		if n > uint(len(lens)-i) {
			return errInflate
		}
		for range n {
			lens[i] = value
			i++
		}
	}
	return nil
}
