package gitref

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"sort"
	"sync"
)

var (
	errIdx      = errors.New("the pack index is malformed")
	errChecksum = errors.New("a checksum does not match")
)

const fanoutSize = 256 * 4

// hashVersion is how the headers of a multi-pack-index and of a commit-graph name the
// object format whose ids have hashSize bytes.
func hashVersion(hashSize int) byte {
	if hashSize == sha256Size {
		return 2
	}
	return 1
}

// idx is a pack index of version 1 or 2 (gitformat-pack(5)): the object ids of
// one pack, sorted, each with the offset of its entry.
type idx struct {
	view     *view
	hashSize int64 // the length of an id, and of a checksum
	count    int
	fanout   int64 // where the 256 cumulative counts start
	table    int64 // where the first id stands
	stride   int64 // from one id to the next
	offsets  int64 // version 2: where the 32-bit offsets start; 0 in version 1
	wide     int64 // how many 64-bit offsets follow them

	verifyOnce sync.Once
	verifyErr  error
}

func openIdx(name string, hashSize int) (*idx, error) {
	v, err := openView(name)
	if err != nil {
		return nil, err
	}
	x, err := parseIdx(v, hashSize)
	if err != nil {
		v.close()
		return nil, err
	}
	return x, nil
}

// parseIdx checks everything that bounds later reads: the counts against the
// file's size, and that the counts never fall.
func parseIdx(v *view, hashSize int) (*idx, error) {
	head, err := v.slice(0, min(v.size, 8+fanoutSize))
	if err != nil {
		return nil, err
	}
	n := int64(hashSize)
	x := &idx{view: v, hashSize: n, table: fanoutSize + 4, stride: n + 4}
	if bytes.HasPrefix(head, []byte("\xfftOc")) {
		if len(head) < 8 || binary.BigEndian.Uint32(head[4:]) != 2 {
			return nil, errIdx
		}
		x.fanout, x.table, x.stride = 8, 8+fanoutSize, n
	}
	if int64(len(head)) < x.fanout+fanoutSize {
		return nil, errIdx
	}
	if x.count, err = fanoutCount(head[x.fanout:]); err != nil {
		return nil, err
	}
	return x, x.checkSize()
}

// fanoutCount returns the total of a fanout table whose counts never fall.
func fanoutCount(table []byte) (int, error) {
	var last uint32
	for i := range 256 {
		n := binary.BigEndian.Uint32(table[4*i:])
		if n < last || n > math.MaxInt32 {
			return 0, errIdx
		}
		last = n
	}
	return int(last), nil
}

func (x *idx) checkSize() error {
	n := int64(x.count)
	if x.fanout == 0 {
		if x.view.size != fanoutSize+n*x.stride+x.trailer() {
			return errIdx
		}
		return nil
	}
	x.offsets = x.table + n*(x.hashSize+4)
	rest := x.view.size - x.trailer() - x.offsets - 4*n
	if rest < 0 || rest%8 != 0 || rest/8 > max(n-1, 0) {
		return errIdx
	}
	x.wide = rest / 8
	return nil
}

// trailer is the length of what follows the tables: the pack's checksum, the index's own.
func (x *idx) trailer() int64 { return 2 * x.hashSize }

// bucket returns the positions of ids whose first byte is b.
func (x *idx) bucket(b byte) (lo, hi int, err error) {
	return fanoutBucket(x.view, x.fanout, b, x.count)
}

func fanoutBucket(v *view, fanout int64, b byte, count int) (lo, hi int, err error) {
	if b > 0 {
		f, err := v.slice(fanout+4*int64(b)-4, 8)
		if err != nil {
			return 0, 0, err
		}
		lo, hi = int(binary.BigEndian.Uint32(f)), int(binary.BigEndian.Uint32(f[4:]))
	} else {
		f, err := v.slice(fanout, 4)
		if err != nil {
			return 0, 0, err
		}
		hi = int(binary.BigEndian.Uint32(f))
	}
	// The file may have been rewritten in place since it was checked.
	if lo < 0 || lo > hi || hi > count {
		return 0, 0, errIdx
	}
	return lo, hi, nil
}

// id returns the raw bytes of the id at position i.
func (x *idx) id(i int) ([]byte, error) {
	return x.view.slice(x.table+int64(i)*x.stride, x.hashSize)
}

// find returns the position of id.
func (x *idx) find(id OID) (pos int, ok bool, err error) {
	lo, hi, err := x.bucket(id.sum[0])
	if err != nil {
		return 0, false, err
	}
	return searchBucket(x.view, x.table, x.stride, lo, hi, id.sum[:x.hashSize])
}

// guesses is how many steps of a search go by where an id should be; every further
// one halves what is left.
const guesses = 4

// searchBucket looks for want among the sorted ids at positions lo to hi, which begin
// with the same byte as it.
func searchBucket(v *view, table, stride int64, lo, hi int, want []byte) (int, bool, error) {
	least := uint64(want[0]) << 56
	return searchIDs(v, table, stride, lo, hi, least, least|(1<<56-1), want)
}

// searchIDs looks for want among the sorted ids at positions lo to hi, whose first
// eight bytes lie between least and most. Ids are spread evenly, so a guess from their
// values meets fewer pages of the table than halving does.
func searchIDs(v *view, table, stride int64, lo, hi int, least, most uint64, want []byte) (int, bool, error) {
	key := binary.BigEndian.Uint64(want)
	for step := 0; lo < hi; step++ {
		mid := int(uint(lo+hi) >> 1)
		if step < guesses && least <= key && key < most {
			mid = lo + int(float64(hi-lo-1)*(float64(key-least)/float64(most-least)))
		}
		got, err := v.slice(table+int64(mid)*stride, int64(len(want)))
		if err != nil {
			return 0, false, err
		}
		switch c := bytes.Compare(want, got); {
		case c == 0:
			return mid, true, nil
		case c < 0:
			hi, most = mid, binary.BigEndian.Uint64(got)
		default:
			lo, least = mid+1, binary.BigEndian.Uint64(got)
		}
	}
	return lo, false, nil
}

// offset returns the offset in the pack of the entry at position i.
func (x *idx) offset(i int) (int64, error) {
	if x.offsets == 0 {
		b, err := x.view.slice(x.table-4+int64(i)*x.stride, 4)
		if err != nil {
			return 0, err
		}
		return int64(binary.BigEndian.Uint32(b)), nil
	}
	b, err := x.view.slice(x.offsets+4*int64(i), 4)
	if err != nil {
		return 0, err
	}
	off := binary.BigEndian.Uint32(b)
	if off&(1<<31) == 0 {
		return int64(off), nil
	}
	n := int64(off &^ (1 << 31))
	if n >= x.wide {
		return 0, errIdx
	}
	return wideOffset(x.view, x.offsets+4*int64(x.count)+8*n)
}

func wideOffset(v *view, at int64) (int64, error) {
	b, err := v.slice(at, 8)
	if err != nil {
		return 0, err
	}
	wide := binary.BigEndian.Uint64(b)
	if wide > math.MaxInt64 {
		return 0, errIdx
	}
	return int64(wide), nil
}

// packChecksum is the checksum of the pack this index was made for.
func (x *idx) packChecksum() ([]byte, error) {
	return x.view.slice(x.view.size-x.trailer(), x.hashSize)
}

// verify recomputes the index's own checksum, once. Finding an id needs no
// such proof, since the object proves itself; not finding one does.
func (x *idx) verify() error {
	x.verifyOnce.Do(func() { x.verifyErr = verifyTrailer(x.view, int(x.hashSize)) })
	return x.verifyErr
}

// verifyTrailer compares the checksum at the end of a file with all before it.
func verifyTrailer(v *view, hashSize int) error {
	const piece = 1 << 20
	body := v.size - int64(hashSize)
	if body < 0 {
		return errChecksum
	}
	h := newHash(hashSize)
	for off := int64(0); off < body; off += piece {
		b, err := v.slice(off, min(piece, body-off))
		if err != nil {
			return err
		}
		h.Write(b)
	}
	want, err := v.slice(body, int64(hashSize))
	if err != nil {
		return err
	}
	if !bytes.Equal(h.Sum(nil), want) {
		return errChecksum
	}
	return nil
}

// expand calls f with the raw bytes of each id that p covers.
func (x *idx) expand(p idPrefix, f func(raw []byte)) error {
	lo, hi, err := x.bucket(p.low.sum[0])
	if err != nil {
		return err
	}
	return expandIDs(x.id, p, lo, hi, f)
}

// expandIDs walks the ids that p covers among the sorted ones at positions lo
// to hi.
func expandIDs(id func(int) ([]byte, error), p idPrefix, lo, hi int, f func(raw []byte)) error {
	var fail error
	first := lo + sort.Search(hi-lo, func(i int) bool {
		raw, err := id(lo + i)
		if err != nil {
			fail = err
			return true
		}
		return bytes.Compare(raw, p.low.sum[:len(raw)]) >= 0
	})
	for i := first; i < hi && fail == nil; i++ {
		raw, err := id(i)
		if err != nil {
			return err
		}
		if !p.covers(raw) {
			break
		}
		f(raw)
	}
	return fail
}
