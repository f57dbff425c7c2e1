package gitref

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// maxRounds bounds how often a store is listed anew because files vanished
// under a reader: each round needs another repack to finish meanwhile.
const maxRounds = 4

// storeConfig says where the objects of a repository are, and how long their ids.
type storeConfig struct {
	hashSize   int
	objectDir  string
	alternates []string // of GIT_ALTERNATE_OBJECT_DIRECTORIES
	promisor   bool     // the configuration names a promisor remote
}

// store reads the object database of a repository: packs, loose objects and
// alternates (gitrepository-layout(5), gitformat-pack(5)). It opens nothing
// before the first look-up, is safe for concurrent use, and sees what a
// concurrent repack or fetch does when an object is not where it was.
type store struct {
	config  storeConfig
	mu      sync.Mutex // held while listing
	current atomic.Pointer[listing]
	bases   baseCache
	retired []closer // packs no longer listed, which a reader may still use
}

var _ objectSource = (*store)(nil)

// openStore makes a store; it reads nothing yet.
func openStore(c storeConfig) (*store, error) {
	if c.objectDir == "" {
		return nil, &Error{Fault: NoRepository, Proof: "no object directory is named"}
	}
	return &store{config: c}, nil
}

// place is one copy of an object: an entry of a pack, or a loose file.
type place struct {
	pack  *pack
	off   int64
	loose string
}

// emptyTree and emptyTree256 are the one object git knows without storing it, in each
// object format.
var (
	emptyTree = OID{size: sha1Size, sum: [32]byte{
		0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
		0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04,
	}}
	emptyTree256 = OID{size: sha256Size, sum: [32]byte{
		0x6e, 0xf1, 0x9b, 0x41, 0x22, 0x5c, 0x53, 0x69, 0xf1, 0xc1, 0x04, 0xd4, 0x5d, 0x8d, 0x85, 0xef,
		0xa9, 0xb0, 0x57, 0xb5, 0x3b, 0x14, 0xb4, 0xb9, 0xb9, 0x39, 0xdd, 0x74, 0xde, 0xcc, 0x53, 0x21,
	}}
)

// EmptyTree is the id of the tree without entries, where ids have hashSize bytes.
func EmptyTree(hashSize int) OID {
	if hashSize == sha256Size {
		return emptyTree256
	}
	return emptyTree
}

// stat returns type and size as the store's own headers state them; only read
// proves them.
func (s *store) stat(id OID) (typ ObjectType, size int64, err error) {
	defer trapFault(&err, id)()
	if id == EmptyTree(s.config.hashSize) {
		return TreeObject, 0, nil
	}
	err = s.search(id, func(at place) error {
		kind, n, err := statPlace(at)
		typ, size = kindType(kind), n
		return err
	})
	if err != nil {
		return "", 0, err
	}
	return typ, size, nil
}

func statPlace(at place) (uint8, int64, error) {
	if at.pack != nil {
		return at.pack.stat(at.off)
	}
	v, err := openView(at.loose)
	if err != nil {
		return 0, 0, err
	}
	defer v.close()
	h, err := statLoose(v)
	return h.kind, h.size, err
}

// read returns the object named id, proven to hash to it.
func (s *store) read(id OID, limit int64) (obj Object, err error) {
	defer trapFault(&err, id)()
	limit = min(limit, math.MaxInt-maxLooseHead)
	if id == EmptyTree(s.config.hashSize) {
		return Object{OID: id, Type: TreeObject}, nil
	}
	err = s.search(id, func(at place) error {
		kind, data, err := s.readPlace(at, id, limit)
		obj = Object{OID: id, Type: kindType(kind), Data: data}
		return err
	})
	if err != nil {
		return Object{}, err
	}
	return obj, nil
}

var errContent = errors.New("the object's content does not have its id")

// readPlace reads one copy and recomputes its id.
func (s *store) readPlace(at place, id OID, limit int64) (uint8, []byte, error) {
	if at.pack != nil {
		kind, data, err := at.pack.read(at.off, limit, &s.bases)
		if err == nil && objectID(kindType(kind), data, int(id.size)) != id {
			err = errContent
		}
		return kind, data, err
	}
	v, err := openView(at.loose)
	if err != nil {
		return 0, nil, err
	}
	defer v.close()
	h, data, err := readLoose(v, limit)
	if err != nil {
		return 0, nil, err
	}
	if sumOf(int(id.size), data) != id {
		return 0, nil, errContent
	}
	return h.kind, data[h.len:], nil
}

// search calls try with copies of id until one succeeds. The likely places come
// first; only when they fail is everything listed anew and looked through.
func (s *store) search(id OID, try func(place) error) error {
	if int(id.size) != s.config.hashSize {
		return &Error{Fault: NoObject, Subject: id.String(), Proof: "no object of this repository has an id of this length"}
	}
	l := s.listed()
	if p, off, ok := l.locate(id); ok {
		if try(place{pack: p, off: off}) == nil {
			return nil
		}
	}
	for _, dir := range l.dirs {
		if try(place{loose: loosePath(dir, id)}) == nil {
			return nil
		}
	}
	return s.searchAll(id, try)
}

// searchAll lists the store anew and tries every copy there is; without success
// it says what that proves.
func (s *store) searchAll(id OID, try func(place) error) error {
	for round := 1; ; round++ {
		l := s.relist()
		v := verdict{}
		for _, err := range l.errs {
			v.add(err)
		}
		for i := range l.packs {
			if l.packs[i].tryAll(id, try, &v) {
				return nil
			}
		}
		for _, dir := range l.dirs {
			err := try(place{loose: loosePath(dir, id)})
			if err == nil {
				return nil
			}
			if !vanished(err) {
				v.add(err)
			}
		}
		if !v.vanished || round == maxRounds {
			return v.missing(id, l.promisor)
		}
	}
}

// objectDirs returns the object directories in the order they are searched.
func (s *store) objectDirs() []string { return s.listed().dirs }

// listed returns the current listing, made on first use.
func (s *store) listed() *listing {
	if l := s.current.Load(); l != nil {
		return l
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.current.Load(); l != nil {
		return l
	}
	l := listStore(s.config, nil)
	s.current.Store(l)
	return l
}

// relist replaces the listing by a fresh one.
func (s *store) relist() *listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current.Load()
	l := listStore(s.config, old)
	old.dropped(l, func(c closer) { s.retired = append(s.retired, c) })
	s.current.Store(l)
	return l
}

// expand returns every id that starts with prefix, sorted. It fails when any
// part of the store could not be read, since that part may hold a further one.
func (s *store) expand(prefix string) (ids []OID, err error) {
	defer trapFault(&err, OID{})()
	p, ok := parsePrefix(prefix, s.config.hashSize)
	if !ok {
		return nil, &Error{Fault: BadRevision, Subject: prefix, Proof: fmt.Sprintf("an abbreviated id has 4 to %d hexadecimal digits", 2*s.config.hashSize)}
	}
	for round := 1; ; round++ {
		l := s.relist()
		v := verdict{}
		ids := l.expand(p, &v)
		if v.fault == 0 {
			return ids, nil
		}
		if !v.vanished || round == maxRounds {
			return nil, v.missing(OID{}, false)
		}
	}
}

// expand collects the ids of all packs and loose objects that p covers.
func (l *listing) expand(p idPrefix, v *verdict) []OID {
	for _, err := range l.errs {
		v.add(err)
	}
	var ids []OID
	add := func(raw []byte) {
		if id, err := oidFromBytes(raw); err == nil {
			ids = append(ids, id)
		}
	}
	for i := range l.packs {
		l.packs[i].expand(p, add, v)
	}
	for _, dir := range l.dirs {
		if err := expandLoose(dir, p, add); err != nil {
			v.add(err)
		}
	}
	slices.SortFunc(ids, compareOID)
	return slices.Compact(ids)
}

func compareOID(a, b OID) int { return bytes.Compare(a.sum[:a.size], b.sum[:b.size]) }

// close releases every mapping. No call may be under way.
func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.Load().dropped(nil, func(c closer) { s.retired = append(s.retired, c) })
	for _, c := range s.retired {
		c.close()
	}
	s.retired = nil
	s.current.Store(nil)
	return nil
}

// verdict gathers why an object could not be read. The worst reason stands.
type verdict struct {
	fault    Fault
	err      error
	vanished bool
}

func (v *verdict) add(err error) {
	// Paths are no part of a message.
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	v.vanished = v.vanished || vanished(err)
	f := faultOf(err)
	if v.fault == 0 || rank(f) > rank(v.fault) {
		v.fault, v.err = f, err
	}
}

func faultOf(err error) Fault {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fault
	}
	switch {
	case errors.Is(err, errOverLimit), errors.Is(err, errTooLong):
		return OverLimit
	case errors.Is(err, fs.ErrPermission):
		return Denied
	}
	return Corrupt
}

// rank orders faults by how much they say about the object asked for.
func rank(f Fault) int {
	switch f {
	case OverLimit:
		return 3
	case Denied:
		return 2
	}
	return 1
}

// missing is the error of an object that no place yielded.
func (v *verdict) missing(id OID, promisor bool) error {
	e := &Error{Fault: v.fault, Subject: id.String(), Err: v.err}
	switch {
	case v.fault == OverLimit:
		e.Proof = "the object is larger than the bound on what may be read"
	case v.fault == Denied:
		e.Proof = "permission to read the object store was refused"
	case v.fault != 0:
		e.Proof = "the object store cannot be read whole, so nothing proves what it holds: " + v.err.Error()
	case promisor:
		e.Fault, e.Proof = NotLocal, "a promisor remote holds the object, this repository does not"
	default:
		e.Fault, e.Proof = NoObject, "no object of this id is in the repository"
	}
	return e
}
