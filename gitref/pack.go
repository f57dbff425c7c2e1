package gitref

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

var (
	errPack      = errors.New("the pack is malformed")
	errPackMatch = errors.New("the pack is not the one its index was made for")
)

const (
	packHeaderSize = 12

	// maxChain is the longest delta chain git can be told to write
	// (git-fast-import(1), --depth).
	maxChain = 8191

	// maxBase bounds a delta base of which only a smaller result was asked for:
	// git makes no deltas of objects above core.bigFileThreshold.
	maxBase = 512 << 20

	// maxChainWork bounds the bytes made on the way to one object, which a chain
	// of tiny deltas over a large base would otherwise multiply without end.
	maxChainWork = 32 << 30
)

// The entry kinds of a pack (gitformat-pack(5), "Object types").
const (
	kindCommit   = 1
	kindTree     = 2
	kindBlob     = 3
	kindTag      = 4
	kindOfsDelta = 6
	kindRefDelta = 7
)

func kindType(kind uint8) ObjectType {
	switch kind {
	case kindCommit:
		return CommitObject
	case kindTree:
		return TreeObject
	case kindBlob:
		return BlobObject
	}
	return TagObject
}

// pack is one pack and its index, each opened when first needed.
type pack struct {
	stem     string // path without extension
	hashSize int    // the length in bytes of an id, and of a checksum
	hasIdx   bool
	hasPack  bool
	inMidx   bool // a multi-pack-index covers it

	idx   lazy[*idx]
	data  lazy[*packData]
	match lazy[struct{}]
}

// packData is an open pack.
type packData struct {
	view  *view
	count uint32 // of objects, as the header says
	end   int64  // where the entries end and the checksum starts
}

func (p *pack) index() (*idx, error) {
	return p.idx.get(func() (*idx, error) { return openIdx(p.stem+".idx", p.hashSize) })
}

func (p *pack) open() (*packData, error) {
	return p.data.get(func() (*packData, error) { return openPack(p.stem+".pack", p.hashSize) })
}

func openPack(name string, hashSize int) (*packData, error) {
	v, err := openView(name)
	if err != nil {
		return nil, err
	}
	d, err := parsePack(v, hashSize)
	if err != nil {
		v.close()
		return nil, err
	}
	return d, nil
}

func parsePack(v *view, hashSize int) (*packData, error) {
	head, err := v.slice(0, packHeaderSize)
	if err != nil {
		return nil, err
	}
	version := binary.BigEndian.Uint32(head[4:])
	if !bytes.HasPrefix(head, []byte("PACK")) || version != 2 && version != 3 {
		return nil, errPack
	}
	end := v.size - int64(hashSize)
	if end < packHeaderSize {
		return nil, errPack
	}
	return &packData{view: v, count: binary.BigEndian.Uint32(head[8:]), end: end}, nil
}

// checkMatch proves that pack and index belong together: same number of
// objects, same checksum.
func (p *pack) checkMatch(x *idx) error {
	d, err := p.open()
	if err != nil {
		return err
	}
	got, err := d.view.slice(d.end, int64(p.hashSize))
	if err != nil {
		return err
	}
	want, err := x.packChecksum()
	if err != nil {
		return err
	}
	if int64(d.count) != int64(x.count) || !bytes.Equal(got, want) {
		return errPackMatch
	}
	return nil
}

// stands reports whether what p has open is still what its names lead to, so
// that p can go on in place of its fresh twin. What could not be opened is tried
// again; what was opened and is malformed stays so.
func (p *pack) stands(fresh *pack) bool {
	if p.hasIdx != fresh.hasIdx || p.hasPack != fresh.hasPack || p.inMidx != fresh.inMidx {
		return false
	}
	x, err, made := p.idx.peek()
	if made && (err != nil || !x.view.current(p.stem+".idx")) {
		return false
	}
	d, err, made := p.data.peek()
	if made && err == nil {
		return d.view.current(p.stem + ".pack")
	}
	if made && x != nil {
		// The index need not be mapped once more for each attempt.
		_, _ = fresh.idx.get(func() (*idx, error) { return x, nil })
	}
	return !made
}

// verify proves that the index is whole.
func (p *pack) verify() error {
	x, err := p.index()
	if err != nil {
		return err
	}
	return x.verify()
}

// find returns the offset of the entry of id, by the pack's own index.
func (p *pack) find(id OID) (off int64, ok bool, err error) {
	x, err := p.index()
	if err != nil {
		return 0, false, err
	}
	pos, ok, err := x.find(id)
	if err != nil || !ok {
		return 0, false, err
	}
	if off, err = x.offset(pos); err != nil {
		return 0, true, err
	}
	_, err = p.match.get(func() (struct{}, error) { return struct{}{}, p.checkMatch(x) })
	return off, true, err
}

// holds reports whether p has a file open.
func (p *pack) holds() bool {
	x, _, _ := p.idx.peek()
	d, _, _ := p.data.peek()
	return x != nil || d != nil
}

func (p *pack) close() {
	if x, err, made := p.idx.peek(); made && err == nil {
		x.view.close()
	}
	if d, err, made := p.data.peek(); made && err == nil {
		d.view.close()
	}
}

// window returns at most n bytes of entries from off on, and whether these are
// all there are. A mapped pack costs nothing to see whole.
func (d *packData) window(off, n int64) ([]byte, bool, error) {
	rest := d.end - off
	if off < packHeaderSize || rest <= 0 {
		return nil, false, errBounds
	}
	if d.view.file == nil {
		n = rest
	}
	n = min(n, rest)
	b, err := d.view.slice(off, n)
	return b, n == rest, err
}

// entry is the decoded head of a pack entry.
type entry struct {
	kind uint8
	size int64 // what the zlib stream inflates to: the object, or the delta
	body int64 // where the zlib stream starts
	base int64 // for a delta: the offset of the entry it builds on
}

// maxEntryHead covers the longest head: 10 bytes of size and a 32-byte base id.
const maxEntryHead = 48

func (p *pack) entry(d *packData, off int64) (entry, error) {
	b, _, err := d.window(off, maxEntryHead)
	if err != nil {
		return entry{}, err
	}
	e, n, err := parseEntryHead(b)
	if err != nil {
		return entry{}, err
	}
	switch e.kind {
	case kindOfsDelta:
		back, m, err := parseBaseDistance(b[n:])
		if err != nil || back <= 0 || back > off {
			return entry{}, errPack
		}
		n, e.base = n+m, off-back
	case kindRefDelta:
		if len(b)-n < p.hashSize {
			return entry{}, errPack
		}
		if e.base, err = p.baseByID(b[n : n+p.hashSize]); err != nil {
			return entry{}, err
		}
		n += p.hashSize
	}
	e.body = off + int64(n)
	return e, nil
}

// baseByID finds the base of a REF_DELTA, which must stand in the same pack.
func (p *pack) baseByID(raw []byte) (int64, error) {
	id, err := oidFromBytes(raw)
	if err != nil {
		return 0, err
	}
	off, ok, err := p.find(id)
	if err == nil && !ok {
		err = errPack
	}
	return off, err
}

// parseEntryHead decodes kind and size, and returns how long the two are.
func parseEntryHead(b []byte) (entry, int, error) {
	if len(b) == 0 {
		return entry{}, 0, errPack
	}
	e := entry{kind: b[0] >> 4 & 7, size: int64(b[0] & 0x0f)}
	if e.kind == 0 || e.kind == 5 {
		return entry{}, 0, errPack
	}
	n, shift := 1, 4
	for b[n-1]&0x80 != 0 {
		if n == len(b) || shift > 53 {
			return entry{}, 0, errPack
		}
		e.size |= int64(b[n]&0x7f) << shift
		n, shift = n+1, shift+7
	}
	return e, n, nil
}

// parseBaseDistance decodes the offset encoding of an OFS_DELTA.
func parseBaseDistance(b []byte) (back int64, n int, err error) {
	for n < len(b) {
		c := b[n]
		n++
		back |= int64(c & 0x7f)
		if c&0x80 == 0 {
			return back, n, nil
		}
		if back++; back > math.MaxInt64>>8 {
			break
		}
		back <<= 7
	}
	return 0, 0, errPack
}

// inflateAt fills dst from the zlib stream at off.
func (d *packData) inflateAt(dst []byte, off int64) error {
	n := int64(len(dst)) + int64(len(dst))/512 + 256
	for {
		src, whole, err := d.window(off, n)
		if err != nil {
			return err
		}
		if _, err = inflate(dst, src); err == nil || whole {
			return err
		}
		n *= 4
	}
}

// checkDeclared refuses a size that the bytes left in the pack cannot inflate
// to, and then one above limit.
func (d *packData) checkDeclared(e entry, limit int64) error {
	rest := d.end - e.body
	if rest <= 0 || e.size/maxInflateRatio > rest {
		return errPack
	}
	if e.size > limit {
		return errOverLimit
	}
	return nil
}
