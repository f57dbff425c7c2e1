package gitref

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
)

var errNoIdx = errors.New("a pack has no index")

// packDir is what one objects/pack folder held when it was listed.
type packDir struct {
	packs    []*pack // sorted by name
	midx     *midx   // nil when there is none that can be used
	bound    []*pack // the packs by midx number, nil where there is no such pack
	promisor bool
	orphans  bool // a pack stands there without an index of its own
}

// listing is the state of all packs of a store at one moment.
type listing struct {
	dirs     []string // object directories, the repository's own first
	packs    []packDir
	errs     []error
	promisor bool

	last atomic.Pointer[pack] // where the last object was found
}

// listStore reads the pack folders anew; of old it keeps what is still the same
// file and gave no error.
func listStore(c storeConfig, old *listing) *listing {
	l := &listing{promisor: c.promisor}
	l.dirs, l.errs = listObjectDirs(c)
	keep := old.sound()
	for _, dir := range l.dirs {
		d, err := listPacks(filepath.Join(dir, "pack"), c.hashSize, keep)
		if err != nil && !vanished(err) {
			l.errs = append(l.errs, err)
		}
		l.promisor = l.promisor || d.promisor
		l.packs = append(l.packs, d)
	}
	return l
}

// opened is what an earlier listing holds open, by path.
type opened struct {
	packs map[string]*pack
	midx  map[string]*midx
}

func (l *listing) sound() opened {
	o := opened{map[string]*pack{}, map[string]*midx{}}
	if l == nil {
		return o
	}
	for _, d := range l.packs {
		for _, p := range d.packs {
			o.packs[p.stem] = p
		}
		if d.midx != nil {
			o.midx[d.midx.name] = d.midx
		}
	}
	return o
}

// packFiles says which files of one stem a pack folder has.
type packFiles struct{ idx, pack bool }

func listPacks(dir string, hashSize int, keep opened) (packDir, error) {
	var d packDir
	names, err := readNames(dir)
	if err != nil {
		return d, err
	}
	files := map[string]packFiles{}
	for _, name := range names {
		stem, ext, _ := cutLast(name, ".")
		f := files[stem]
		switch ext {
		case "idx":
			files[stem] = packFiles{true, f.pack}
		case "pack":
			files[stem] = packFiles{f.idx, true}
		case "promisor":
			d.promisor = true
		default:
			if name == midxName {
				d.midx = keep.openMidx(filepath.Join(dir, name), hashSize)
			}
		}
	}
	d.collect(dir, hashSize, files, keep)
	return d, nil
}

// openMidx returns nil for a file that cannot be used: the packs' own indexes
// say all it does.
func (o opened) openMidx(name string, hashSize int) *midx {
	if m := o.midx[name]; m != nil && m.view.current(name) {
		return m
	}
	m, err := openMidx(name, hashSize)
	if err != nil {
		return nil
	}
	return m
}

// collect makes the packs of the files found, in the order of their names.
func (d *packDir) collect(dir string, hashSize int, files map[string]packFiles, keep opened) {
	for stem, f := range files {
		inMidx := d.midx.names(stem)
		if !f.idx && !inMidx {
			// A pack still being written has another name than this.
			d.orphans = d.orphans || strings.HasPrefix(stem, "pack-")
			continue
		}
		p := &pack{stem: filepath.Join(dir, stem), hashSize: hashSize, hasIdx: f.idx, hasPack: f.pack, inMidx: inMidx}
		if old := keep.packs[p.stem]; old != nil && old.stands(p) {
			p = old
		}
		d.packs = append(d.packs, p)
	}
	sort.Slice(d.packs, func(i, j int) bool { return d.packs[i].stem < d.packs[j].stem })
	d.bind(dir)
}

// bind finds the packs that the multi-pack-index numbers.
func (d *packDir) bind(dir string) {
	if d.midx == nil {
		return
	}
	d.bound = make([]*pack, len(d.midx.stems))
	for i, stem := range d.midx.stems {
		stem = filepath.Join(dir, stem)
		at := sort.Search(len(d.packs), func(i int) bool { return d.packs[i].stem >= stem })
		if at < len(d.packs) && d.packs[at].stem == stem {
			d.bound[i] = d.packs[at]
		}
	}
}

func readNames(dir string) ([]string, error) {
	f, err := openFile(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// locate returns the first entry found for id, the likeliest place first. What
// goes wrong on the way is left to searchAll.
func (l *listing) locate(id OID) (*pack, int64, bool) {
	if p := l.last.Load(); p != nil {
		if off, ok, err := p.find(id); ok && err == nil {
			return p, off, true
		}
	}
	for i := range l.packs {
		if p, off, ok := l.packs[i].locate(id); ok {
			if !p.inMidx {
				l.last.Store(p)
			}
			return p, off, true
		}
	}
	return nil, 0, false
}

func (d *packDir) locate(id OID) (*pack, int64, bool) {
	if d.midx != nil {
		if n, off, ok, err := d.midx.find(id); ok && err == nil && d.bound[n] != nil {
			return d.bound[n], off, true
		}
	}
	for _, p := range d.packs {
		if p.inMidx {
			continue
		}
		if off, ok, err := p.find(id); ok && err == nil {
			return p, off, true
		}
	}
	return nil, 0, false
}

// tryAll calls try with every entry of id until one succeeds, and notes in v
// whatever keeps "nothing found" from being a proof.
func (d *packDir) tryAll(id OID, try func(place) error, v *verdict) bool {
	done, covered := d.tryMidx(id, try, v)
	if done {
		return true
	}
	if d.orphans {
		v.add(errNoIdx)
	}
	for _, p := range d.packs {
		if p.inMidx && covered {
			continue
		}
		if p.tryAll(id, try, v) {
			return true
		}
	}
	return false
}

// tryMidx tries the copy the multi-pack-index names; covered says that the
// packs it covers need not be looked through.
func (d *packDir) tryMidx(id OID, try func(place) error, v *verdict) (done, covered bool) {
	if d.midx == nil || d.midx.verify() != nil {
		return false, false
	}
	n, off, ok, err := d.midx.find(id)
	if err != nil || !ok {
		return false, err == nil
	}
	if d.bound[n] == nil {
		v.add(gone("a pack that the multi-pack-index names is not there"))
		return false, false
	}
	if err := try(place{pack: d.bound[n], off: off}); err != nil {
		v.add(err)
		return false, false
	}
	return true, true
}

// gone is the error of a file that must be there, and may have been replaced by
// a concurrent repack.
func gone(proof string) error {
	return &Error{Fault: Corrupt, Proof: proof, Err: fs.ErrNotExist}
}

func (p *pack) tryAll(id OID, try func(place) error, v *verdict) bool {
	if !p.hasIdx {
		v.add(errNoIdx)
		return false
	}
	off, ok, err := p.find(id)
	if ok && err == nil {
		if err = try(place{pack: p, off: off}); err == nil {
			return true
		}
	}
	if !ok && err == nil {
		err = p.verify()
	}
	if err != nil {
		v.add(err)
	}
	return false
}

// expand calls f with each id of the folder that prefix covers.
func (d *packDir) expand(prefix idPrefix, f func(raw []byte), v *verdict) {
	covered := false
	if d.midx != nil {
		covered = d.midx.verify() == nil && d.midx.expand(prefix, f) == nil
	}
	if d.orphans {
		v.add(errNoIdx)
	}
	for _, p := range d.packs {
		if p.inMidx && covered {
			continue
		}
		if err := p.expand(prefix, f); err != nil {
			v.add(err)
		}
	}
}

func (p *pack) expand(prefix idPrefix, f func(raw []byte)) error {
	if !p.hasPack {
		return nil
	}
	if !p.hasIdx {
		return errNoIdx
	}
	x, err := p.index()
	if err != nil {
		return err
	}
	if err := x.verify(); err != nil {
		return err
	}
	return x.expand(prefix, f)
}

// dropped calls f for what l holds open and next does not.
func (l *listing) dropped(next *listing, f func(closer)) {
	if l == nil {
		return
	}
	kept := next.sound()
	for _, d := range l.packs {
		if d.midx != nil && kept.midx[d.midx.name] != d.midx {
			f(d.midx)
		}
		for _, p := range d.packs {
			if kept.packs[p.stem] != p && p.holds() {
				f(p)
			}
		}
	}
}

type closer interface{ close() }
