package gitref

import (
	"bytes"
	"context"
	"encoding/binary"
	"sort"
)

// indexFile is an index read natively: versions 2 to 4 of gitformat-index(5).
// One pass checks every entry and notes where each begins; entries are decoded
// only when asked for.
type indexFile struct {
	view     *view // holds data, nil for none
	data     []byte
	hashSize int
	version  uint32
	starts   []uint32 // offset of each entry, in path and stage order
	names    []byte   // version 4 only: the paths, their prefixes filled in
	ends     []uint32 // version 4 only: end of each path in names
	time     IndexTime
	foreign  string // a mandatory extension that is not read natively
	disorder error  // a fault that such an extension may account for
}

const (
	indexHeader   = 12
	statWords     = 10 // ctime, mtime (two each), dev, ino, mode, uid, gid, size
	flagsExtended = 0x4000
	flagsValid    = 0x8000
	nameMask      = 0xfff
	laterSkip     = 0x4000 // extended flags: skip-worktree
	laterIntent   = 0x2000 // intent-to-add
)

// parseIndex reads an index file. The trailing checksum is always verified,
// beside the scan: it is the only proof that an object id or path in it is what
// git wrote, and takes half the time of reading the file (index.skipHash leaves
// it zero, which is accepted).
func parseIndex(data []byte, hashSize int) (*indexFile, error) {
	x := &indexFile{data: data, hashSize: hashSize}
	body := len(data) - hashSize
	if body < indexHeader || string(data[:4]) != "DIRC" {
		return nil, badIndex("the file does not begin and end as an index does")
	}
	sum := make(chan error, 1)
	go func() { sum <- checkTrailer(data, body, hashSize) }()
	x.data = data[:body]
	scanned := x.read()
	if err := <-sum; err != nil {
		return nil, err
	}
	if scanned != nil {
		return nil, scanned
	}
	return x, nil
}

func checkTrailer(data []byte, body, hashSize int) (err error) {
	defer trapFault(&err, OID{})()
	trailer := data[body:]
	if bytes.Equal(trailer, make([]byte, hashSize)) {
		return nil
	}
	h := newHash(hashSize)
	h.Write(data[:body])
	if !bytes.Equal(h.Sum(nil), trailer) {
		return badIndex("its checksum does not match its content")
	}
	return nil
}

// read reads header, entries and extensions.
func (x *indexFile) read() (err error) {
	defer trapFault(&err, OID{})()
	x.version = binary.BigEndian.Uint32(x.data[4:])
	if x.version < 2 || x.version > 4 {
		return &Error{Fault: Unsupported, Subject: "index", Proof: "the index has a version other than 2, 3 and 4"}
	}
	at, err := x.scan(binary.BigEndian.Uint32(x.data[8:]))
	if err != nil {
		return err
	}
	if err := x.extensions(at); err != nil || x.foreign != "" {
		return err
	}
	return x.disorder
}

// scan notes where each entry begins and checks their form and order. It returns
// where the entries end.
func (x *indexFile) scan(count uint32) (int, error) {
	smallest := 4*statWords + x.hashSize + 2
	if int64(count)*int64(smallest) > int64(len(x.data)) {
		return 0, badIndex("it is too short for the entries it declares")
	}
	x.starts = make([]uint32, 0, count)
	at := indexHeader
	var last []byte
	lastStage := 0
	for i := range int(count) {
		next, err := x.scanEntry(at)
		if err != nil {
			return 0, err
		}
		x.starts = append(x.starts, uint32(at))
		name, stage := x.name(i), x.stage(i)
		if len(name) == 0 {
			x.disorder = badIndex("its entry number %d has no path", i)
		} else if i > 0 {
			if c := bytes.Compare(last, name); c > 0 || c == 0 && (lastStage >= stage || lastStage == 0) {
				x.disorder = badIndex("its entries are out of order at number %d", i)
			}
		}
		last, lastStage = name, stage
		at = next
	}
	return at, nil
}

// scanEntry checks the entry at an offset and returns where the next begins.
func (x *indexFile) scanEntry(at int) (int, error) {
	nameAt, flags, err := x.nameAt(at)
	if err != nil {
		return 0, err
	}
	if x.version == 4 {
		return x.scanPrefixed(nameAt)
	}
	end := bytes.IndexByte(x.data[nameAt:], 0)
	if end < 0 || int(flags&nameMask) != min(end, nameMask) {
		return 0, badIndex("an entry's path does not have the length it declares")
	}
	next := at + (nameAt+end-at+8)&^7
	if next > len(x.data) {
		return 0, badIndex("an entry reaches past its end")
	}
	return next, nil
}

// nameAt is where an entry's path begins, with its flags.
func (x *indexFile) nameAt(at int) (int, uint16, error) {
	n := at + 4*statWords + x.hashSize
	if n+2 > len(x.data) {
		return 0, 0, badIndex("an entry reaches past its end")
	}
	flags := binary.BigEndian.Uint16(x.data[n:])
	n += 2
	if flags&flagsExtended == 0 {
		return n, flags, nil
	}
	if n+2 > len(x.data) {
		return 0, 0, badIndex("an entry reaches past its end")
	}
	if later := binary.BigEndian.Uint16(x.data[n:]); later&^(laterSkip|laterIntent) != 0 {
		return 0, 0, &Error{Fault: Unsupported, Subject: "index", Proof: "an entry has flags that are not known here"}
	}
	return n + 2, flags, nil
}

// scanPrefixed reads a path of version 4: how many bytes to drop from the path
// before, and what to append.
func (x *indexFile) scanPrefixed(at int) (int, error) {
	drop, n := offsetVarint(x.data[at:])
	if n == 0 {
		return 0, badIndex("an entry's path is cut short")
	}
	at += n
	end := bytes.IndexByte(x.data[at:], 0)
	var before []byte
	if k := len(x.ends); k > 0 {
		before = x.path4(k - 1)
	}
	if end < 0 || drop > uint64(len(before)) {
		return 0, badIndex("an entry's path does not build on the one before")
	}
	kept := before[:uint64(len(before))-drop]
	if int64(len(x.names))+int64(len(kept))+int64(end) > maxIndex {
		return 0, badIndex("an entry's path has no possible length")
	}
	x.names = append(append(x.names, kept...), x.data[at:at+end]...)
	x.ends = append(x.ends, uint32(len(x.names)))
	return at + end + 1, nil
}

// offsetVarint decodes the variable-width number of packs and version 4 indexes;
// n is 0 when it is cut short or too large.
func offsetVarint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 9 {
		c := b[n]
		n++
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, n
		}
		v++
	}
	return 0, 0
}

func (x *indexFile) path4(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = x.ends[i-1]
	}
	return x.names[start:x.ends[i]]
}

// name is the path of entry i, which has been scanned.
func (x *indexFile) name(i int) []byte {
	if x.version == 4 {
		return x.path4(i)
	}
	at := int(x.starts[i])
	n := at + 4*statWords + x.hashSize + 2
	if x.flags(i)&flagsExtended != 0 {
		n += 2
	}
	length := int(x.flags(i) & nameMask)
	if length == nameMask {
		length = bytes.IndexByte(x.data[n:], 0)
	}
	return x.data[n : n+length]
}

func (x *indexFile) flags(i int) uint16 {
	return binary.BigEndian.Uint16(x.data[int(x.starts[i])+4*statWords+x.hashSize:])
}

func (x *indexFile) stage(i int) int { return int(x.flags(i)>>12) & 3 }

// extensions walks what follows the entries. A signature in capitals may be
// skipped; any other changes what the entries mean.
func (x *indexFile) extensions(at int) error {
	for at < len(x.data) {
		if len(x.data)-at < 8 {
			return badIndex("bytes that are no extension follow its entries")
		}
		sig, size := x.data[at:at+4], binary.BigEndian.Uint32(x.data[at+4:])
		if uint64(size) > uint64(len(x.data)-at-8) {
			return badIndex("an extension reaches past its end")
		}
		if sig[0] < 'A' || sig[0] > 'Z' {
			x.foreign = printable(sig)
		}
		at += 8 + int(size)
	}
	return nil
}

// printable spells an extension's signature.
func printable(sig []byte) string {
	out := []byte("index extension ")
	for _, c := range sig {
		if c < ' ' || c > '~' {
			c = '?'
		}
		out = append(out, c)
	}
	return string(out)
}

// entry decodes entry i.
func (x *indexFile) entry(i int) IndexEntry {
	var e IndexEntry
	x.decode(i, &e)
	e.Path = string(x.name(i))
	return e
}

func (x *indexFile) decode(i int, e *IndexEntry) {
	*e = IndexEntry{}
	at := int(x.starts[i])
	word := func(n int) uint32 { return binary.BigEndian.Uint32(x.data[at+4*n:]) }
	e.Mode, e.Stage = Mode(word(6)), x.stage(i)
	e.CTimeSec, e.CTimeNsec, e.MTimeSec, e.MTimeNsec = word(0), word(1), word(2), word(3)
	e.Dev, e.Ino, e.UID, e.GID, e.Size = word(4), word(5), word(7), word(8), word(9)
	at += 4 * statWords
	e.OID.size = uint8(copy(e.OID.sum[:], x.data[at:at+x.hashSize]))
	flags := x.flags(i)
	e.AssumeValid = flags&flagsValid != 0
	if flags&flagsExtended != 0 {
		later := binary.BigEndian.Uint16(x.data[at+x.hashSize+2:])
		e.SkipWorktree, e.IntentToAdd = later&laterSkip != 0, later&laterIntent != 0
	}
}

func (x *indexFile) entries(_ context.Context, path string) (found []IndexEntry, err error) {
	defer trapFault(&err, OID{})()
	i := sort.Search(len(x.starts), func(i int) bool { return string(x.name(i)) >= path })
	for ; i < len(x.starts) && string(x.name(i)) == path; i++ {
		found = append(found, x.entry(i))
	}
	return found, nil
}

func (x *indexFile) count() int { return len(x.starts) }

func (x *indexFile) each(ctx context.Context, f func(IndexEntry) bool) error {
	for i := range x.starts {
		if i%1024 == 0 {
			if err := alive(ctx); err != nil {
				return err
			}
		}
		e, err := x.safeEntry(i)
		if err != nil || !f(e) {
			return err
		}
	}
	return nil
}

func (x *indexFile) safeEntry(i int) (e IndexEntry, err error) {
	defer trapFault(&err, OID{})()
	return x.entry(i), nil
}

func (x *indexFile) close() {
	if x.view != nil {
		x.view.close()
	}
}

func (x *indexFile) written() IndexTime { return x.time }
