package gitref

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A corrupt index beside a good one hides only absence.
func TestCorruptIndexBesideGood(t *testing.T) {
	g, all := smallRepo(t)
	g.run("repack", "-adq")
	pack := g.packFiles(".idx")[0]
	g.write(".git/objects/pack/pack-bad.idx", "no index")
	g.write(".git/objects/pack/pack-bad.pack", "no pack")
	s := g.store()
	for id, want := range all {
		if got, err := s.read(id, noLimit); err != nil || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("read %v beside a corrupt index: %v", id, err)
		}
	}
	_, _, err := s.stat(testID([]byte{9}))
	wantFault(t, err, Corrupt)
	_, err = s.expand(keys(all)[0].String()[:7])
	wantFault(t, err, Corrupt)

	for _, name := range []string{"pack-bad.idx", "pack-bad.pack"} {
		os.Remove(filepath.Join(filepath.Dir(pack), name))
	}
	_, _, err = s.stat(testID([]byte{9}))
	wantFault(t, err, NoObject)
}

func TestPackWithoutIndex(t *testing.T) {
	g, all := smallRepo(t)
	g.run("repack", "-adq")
	os.Remove(g.packFiles(".idx")[0])
	_, err := g.store().read(keys(all)[0], noLimit)
	wantFault(t, err, Corrupt)
}

func TestIndexWithoutPack(t *testing.T) {
	g, all := smallRepo(t)
	g.run("repack", "-adq")
	os.Remove(g.packFiles(".pack")[0])
	s := g.store()
	_, err := s.read(keys(all)[0], noLimit)
	wantFault(t, err, Corrupt)
	_, err = s.read(testID([]byte{9}), noLimit)
	wantFault(t, err, NoObject)
}

// A loose object with the content of another.
func TestLooseWithOtherContent(t *testing.T) {
	g, all := smallRepo(t)
	ids := keys(all)
	other, err := os.ReadFile(loosePath(g.objectDir(), ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	name := loosePath(g.objectDir(), ids[1])
	os.Chmod(name, 0o666)
	if err := os.WriteFile(name, other, 0o666); err != nil {
		t.Fatal(err)
	}
	s := g.store()
	_, err = s.read(ids[1], noLimit)
	wantFault(t, err, Corrupt)
	if _, err := s.read(ids[0], noLimit); err != nil {
		t.Error(err)
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestBombs(t *testing.T) {
	const mib = 1 << 20
	huge := make([]byte, 200*mib)
	id := testID([]byte{0xab, 0xcd})
	for _, c := range []struct {
		name string
		file []byte
		want Fault
	}{
		{"declares 5 bytes, inflates to 200 MiB", deflate(t, append([]byte("blob 5\x00"), huge...), 9), Corrupt},
		{"declares 200 MiB, above the limit", deflate(t, append([]byte("blob 209715200\x00"), huge...), 9), OverLimit},
		{"declares 1 TiB, holds nothing", deflate(t, []byte("blob 1099511627776\x00"), 9), Corrupt},
		{"a head without end", deflate(t, append([]byte("blob "), bytes.Repeat([]byte{'1'}, mib)...), 9), Corrupt},
		{"an unknown type", deflate(t, []byte("glob 3\x00abc"), 9), Corrupt},
		{"a leading zero", deflate(t, []byte("blob 03\x00abc"), 9), Corrupt},
		{"empty", nil, Corrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newTestGit(t)
			name, err := filepath.Rel(g.dir, loosePath(g.objectDir(), id))
			if err != nil {
				t.Fatal(err)
			}
			g.write(name, string(c.file))
			s := g.store()
			used := allocated(func() { _, err = s.read(id, 64*mib) })
			wantFault(t, err, c.want)
			if used > mib {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
}

// handPack writes a pack of raw entries, indexes the given id to the last one,
// and returns the store.
func handPack(t *testing.T, g *testGit, id OID, entries ...[]byte) *store {
	t.Helper()
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), 1)
	off := 0
	for _, e := range entries {
		off = len(pack)
		pack = append(pack, e...)
	}
	sum := sumOf(testSize(), pack).Bytes()
	pack = append(pack, sum...)
	idx := []byte("\xfftOc\x00\x00\x00\x02")
	for b := range 256 {
		n := uint32(0)
		if b >= int(id.sum[0]) {
			n = 1
		}
		idx = binary.BigEndian.AppendUint32(idx, n)
	}
	idx = append(idx, id.sum[:id.size]...)
	idx = binary.BigEndian.AppendUint32(idx, 0)
	idx = binary.BigEndian.AppendUint32(idx, uint32(off))
	idx = append(idx, sum...)
	own := sumOf(testSize(), idx).Bytes()
	g.write(".git/objects/pack/pack-hand.pack", string(pack))
	g.write(".git/objects/pack/pack-hand.idx", string(append(idx, own...)))
	return g.store()
}

// packEntry encodes kind and size.
func packEntry(kind byte, size uint64) []byte {
	b := []byte{kind<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

func TestHostilePacks(t *testing.T) {
	id := testID([]byte{7, 7})
	base := append(packEntry(kindBlob, 10), deflate(t, []byte("0123456789"), 9)...)
	ofs := func(back byte, delta []byte) []byte {
		e := append(packEntry(kindOfsDelta, uint64(len(delta))), back)
		return append(e, deflate(t, delta, 9)...)
	}
	ref := append(packEntry(kindRefDelta, 4), id.sum[:id.size]...)
	ref = append(ref, deflate(t, []byte{10, 1, 0x90, 1}, 9)...)
	terabyte := append(packEntry(kindBlob, 1<<40), deflate(t, nil, 9)...)
	for _, c := range []struct {
		name    string
		entries [][]byte
	}{
		{"a delta of itself by id", [][]byte{ref}},
		{"a delta of itself by offset", [][]byte{ofs(0, []byte{10, 1, 0x90, 1})}},
		{"a delta of what precedes the pack", [][]byte{ofs(100, []byte{10, 1, 0x90, 1})}},
		{"a terabyte of nothing", [][]byte{terabyte}},
		{"a size beyond 64 bits", [][]byte{bytes.Repeat([]byte{0xff}, 40)}},
		{"kind 0", [][]byte{packEntry(0, 3)}},
		{"kind 5", [][]byte{packEntry(5, 3)}},
		{"a copy beyond the base", [][]byte{base, ofs(byte(len(base)), []byte{10, 9, 0x91, 2, 9})}},
		{"a base of another size", [][]byte{base, ofs(byte(len(base)), []byte{11, 1, 0x90, 1})}},
		{"a result of 1 TiB", [][]byte{base, ofs(byte(len(base)), []byte{10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0x90, 1})}},
		{"the reserved instruction", [][]byte{base, ofs(byte(len(base)), []byte{10, 1, 0})}},
		{"an insertion cut short", [][]byte{base, ofs(byte(len(base)), []byte{10, 5, 5, 'a'})}},
		{"another object", [][]byte{base}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := handPack(t, newTestGit(t), id, c.entries...)
			var err error
			used := allocated(func() { _, err = s.read(id, noLimit) })
			wantFault(t, err, Corrupt)
			if used > 1<<20 {
				t.Errorf("%d bytes allocated", used)
			}
			if _, _, err := s.stat(id); err != nil {
				wantFault(t, err, Corrupt)
			}
		})
	}
}

// A chain deeper than git writes is refused, not followed without end.
func TestDeepChain(t *testing.T) {
	base := append(packEntry(kindBlob, 1), deflate(t, []byte("x"), 9)...)
	delta := append(packEntry(kindOfsDelta, 4), 0)
	delta = append(delta, deflate(t, []byte{1, 1, 0x90, 1}, 9)...)
	delta[1] = byte(len(delta))
	first := bytes.Clone(delta)
	first[1] = byte(len(base))
	id := BlobOID([]byte("x"), testSize())
	for _, depth := range []int{100, maxChain, maxChain + 1} {
		entries := [][]byte{base, first}
		for len(entries) <= depth {
			entries = append(entries, delta)
		}
		want := Fault(0)
		if depth > maxChain {
			want = OverLimit
		}
		s := handPack(t, newTestGit(t), id, entries...)
		_, err := s.read(id, noLimit)
		if faultIn(err) != want {
			t.Errorf("depth %d: %v", depth, err)
		}
		if _, _, err := s.stat(id); faultIn(err) != want {
			t.Errorf("stat at depth %d: %v", depth, err)
		}
	}
}

func TestPromised(t *testing.T) {
	g, all := smallRepo(t)
	g.run("config", "uploadpack.allowFilter", "true")
	g.run("config", "uploadpack.allowAnySHA1InWant", "true")
	c := g.clone("--filter=blob:none", "-n")
	blob := g.oid("HEAD:d/f")
	s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: c.objectDir()})
	_, err := s.read(blob, noLimit)
	wantFault(t, err, NotLocal)
	_, _, err = s.stat(blob)
	wantFault(t, err, NotLocal)
	if _, err := s.read(g.oid("HEAD"), noLimit); err != nil {
		t.Error(err)
	}
	// The promisor flag alone says the same.
	empty := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: newTestGit(t).objectDir(), promisor: true})
	_, err = empty.read(keys(all)[0], noLimit)
	wantFault(t, err, NotLocal)
}

func TestEmptyTree(t *testing.T) {
	g := newTestGit(t)
	id := EmptyTree(testSize())
	if typ := g.run("cat-file", "-t", id.String()); typ != "tree" {
		t.Fatalf("git says the empty tree is a %s", typ)
	}
	obj, err := g.store().read(id, 0)
	if err != nil || obj.Type != TreeObject || len(obj.Data) != 0 {
		t.Errorf("empty tree: %v, %v", obj, err)
	}
}

func TestNoStore(t *testing.T) {
	s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: filepath.Join(t.TempDir(), "nowhere")})
	_, err := s.read(testID([]byte{1}), noLimit)
	wantFault(t, err, Corrupt)
	_, err = s.expand("0123")
	wantFault(t, err, Corrupt)
	for _, prefix := range []string{"", "012", "01234x", strings.Repeat("0", 2*testSize()+1)} {
		_, err := s.expand(prefix)
		wantFault(t, err, BadRevision)
	}
	_, err = openStore(storeConfig{})
	wantFault(t, err, NoRepository)
}

// What one listing found may be gone when it is read.
func TestRepackUnderReader(t *testing.T) {
	for _, read := range []string{"nothing", "one object", "every index"} {
		g := newTestGit(t)
		g.fill(4)
		g.run("repack", "-dq")
		g.write("later", "later")
		g.commit("later")
		g.run("repack", "-dq")
		all := g.objects()
		s := g.store()
		s.listed()
		switch read {
		case "one object":
			if _, err := s.read(keys(all)[0], noLimit); err != nil {
				t.Fatal(err)
			}
		case "every index":
			_, err := s.read(testID([]byte{1}), noLimit)
			wantFault(t, err, NoObject)
		}
		g.run("repack", "-adfq", "--depth=3")
		g.run("prune-packed", "-q")
		for id, want := range all {
			if got, err := s.read(id, noLimit); err != nil || !bytes.Equal(got.Data, want.Data) {
				t.Errorf("after %s and a repack: read %v: %v", read, id, err)
			}
		}
		// New objects appear without reopening.
		g.write("new", "new")
		id := g.commit("new")
		if _, err := s.read(id, noLimit); err != nil {
			t.Error(err)
		}
		g.run("repack", "-adq")
		if _, err := s.read(id, noLimit); err != nil {
			t.Error(err)
		}
	}
}

// A pack cut short while it is mapped is an error, not the end of the process.
func TestPackCutUnderReader(t *testing.T) {
	g := newTestGit(t)
	g.fill(3)
	g.run("repack", "-adq")
	s := g.store()
	noise := g.oid("HEAD:noise")
	if _, err := s.read(noise, noLimit); err != nil {
		t.Fatal(err)
	}
	name := g.packFiles(".pack")[0]
	os.Chmod(name, 0o666)
	if err := os.Truncate(name, 100); err != nil {
		t.Fatal(err)
	}
	_, err := s.read(noise, noLimit)
	wantFault(t, err, Corrupt)
}

func TestConcurrentReaders(t *testing.T) {
	g := newTestGit(t)
	g.fill(6)
	all := g.objects()
	s := g.store()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				for id, want := range all {
					got, err := s.read(id, noLimit)
					if err != nil || !bytes.Equal(got.Data, want.Data) {
						t.Errorf("read %v: %v", id, err)
						return
					}
				}
				if _, err := s.expand(keys(all)[0].String()[:6]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 4 {
		g.run("repack", "-adfq")
		g.run("multi-pack-index", "write")
	}
	wg.Wait()
}

func TestAlternates(t *testing.T) {
	g, all := smallRepo(t)
	compare := func(name, text string, c storeConfig) {
		t.Helper()
		r := newTestGit(t)
		r.write(".git/objects/info/alternates", text)
		c.objectDir = r.objectDir()
		s := openTestStore(t, c)
		for id := range all {
			_, err := s.read(id, noLimit)
			if git := r.code("cat-file", "-e", id.String()) == 0; git != (err == nil) {
				t.Errorf("%s: git finds it: %v, here: %v", name, git, err)
			}
		}
	}
	dir := g.objectDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	octal := strings.ReplaceAll(dir, "/", `\057`)
	for _, c := range []struct{ name, text string }{
		{"plain", dir + "\n"},
		{"no newline", dir},
		{"comment", "#" + dir + "\n# c\n" + dir + "\n"},
		{"only a comment", "#" + dir + "\n"},
		{"quoted", `"` + dir + "\"\n"},
		{"quoted octal", `"` + octal + "\"\n"},
		{"broken quotes", `"` + dir + "\n"},
		{"two on a line", `"` + dir + `"x` + "\n"},
		{"trailing slash", dir + "///\n"},
		{"carriage return", dir + "\r\n"},
		{"blank before", " " + dir + "\n"},
		{"dots", dir + "/../objects\n"},
		{"through a link", link + "\n"},
		{"missing first", "/nowhere/objects\n" + dir + "\n"},
		{"a file", dir + "/../HEAD\n"},
		{"itself", ".\n" + dir + "\n"},
		{"empty", "\n\n"},
	} {
		compare(c.name, c.text, storeConfig{hashSize: testSize()})
	}
}

func TestAlternateMissing(t *testing.T) {
	g := newTestGit(t)
	g.write(".git/objects/info/alternates", "/nowhere/objects\n")
	_, err := g.store().read(testID([]byte{1}), noLimit)
	wantFault(t, err, Corrupt)
	if strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a path in the message: %v", err)
	}
}

func TestAlternateFromEnvironment(t *testing.T) {
	g, all := smallRepo(t)
	r := newTestGit(t)
	s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: r.objectDir(), alternates: []string{g.objectDir()}})
	if _, err := s.read(keys(all)[0], noLimit); err != nil {
		t.Error(err)
	}
}

// Alternates of alternates, each found by a path relative to the one before,
// as deep as git goes; and a circle.
func TestAlternatesNested(t *testing.T) {
	root := t.TempDir()
	g := &testGit{t: t, dir: root, now: 1700000000}
	const depth = 9
	ids := make([]OID, depth)
	for i := range depth {
		r := &testGit{t: t, dir: filepath.Join(root, fmt.Sprint("r", i)), now: g.now}
		g.run("init", "-q", r.dir)
		id, err := ParseOID(r.feed(fmt.Sprint("object ", i), "hash-object", "-w", "--stdin"))
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = id
		r.write(".git/objects/info/alternates", fmt.Sprintf("../../../r%d/.git/objects\n", (i+1)%depth))
	}
	r := &testGit{t: t, dir: filepath.Join(root, "r0")}
	found := 0
	for i, id := range ids {
		_, err := r.store().read(id, noLimit)
		git := r.code("cat-file", "-e", id.String()) == 0
		if git != (err == nil) {
			t.Errorf("object %d alternates away: git finds it: %v, here: %v", i, git, err)
		}
		if git {
			found++
		} else {
			wantFault(t, err, Corrupt)
		}
	}
	if found < 5 || found == depth {
		t.Errorf("git followed to %d objects", found)
	}
}

// Misses beside a pack that does not belong to its index neither pile up
// mappings nor stop being corrupt.
func TestManyMisses(t *testing.T) {
	g := newTestGit(t)
	g.fill(2)
	g.run("repack", "-adq")
	pack := g.packFiles(".pack")[0]
	os.Chmod(pack, 0o666)
	b, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	tip := g.oid("HEAD")
	b[len(b)-1] ^= 1
	if err := os.WriteFile(pack, b, 0o666); err != nil {
		t.Fatal(err)
	}
	s := g.store()
	id := tip
	for range 300 {
		_, err := s.read(id, noLimit)
		wantFault(t, err, Corrupt)
	}
	if n := len(s.retired); n > 1 {
		t.Errorf("%d packs kept open that are not listed", n)
	}
}

// Where files are not mapped, packs and indexes are read piece by piece.
func TestPiecewise(t *testing.T) {
	for _, shape := range []string{"--depth=50", "--depth=0"} {
		g := newTestGit(t)
		g.fill(6)
		g.run("repack", "-adfq", shape)
		piecewise := func(name string) *view {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			st, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			return &view{file: f, size: st.Size()}
		}
		p := &pack{hashSize: testSize()}
		if _, err := p.idx.get(func() (*idx, error) { return parseIdx(piecewise(g.packFiles(".idx")[0]), testSize()) }); err != nil {
			t.Fatal(err)
		}
		if _, err := p.data.get(func() (*packData, error) { return parsePack(piecewise(g.packFiles(".pack")[0]), testSize()) }); err != nil {
			t.Fatal(err)
		}
		var bases baseCache
		for id, want := range g.objects() {
			off, ok, err := p.find(id)
			if err != nil || !ok {
				t.Fatalf("find %v: %v, %v", id, ok, err)
			}
			kind, data, err := p.read(off, noLimit, &bases)
			if err != nil || kindType(kind) != want.Type || !bytes.Equal(data, want.Data) {
				t.Errorf("read %v: %v", id, err)
			}
			kind, size, err := p.stat(off)
			if err != nil || kindType(kind) != want.Type || size != int64(len(want.Data)) {
				t.Errorf("stat %v: %v", id, err)
			}
		}
		if err := p.verify(); err != nil {
			t.Error(err)
		}
	}
}
