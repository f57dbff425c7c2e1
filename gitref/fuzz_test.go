package gitref

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func memoryView(b []byte) *view { return &view{data: b, size: int64(len(b))} }

// seedRepo returns a repository with deltas, two packs, a multi-pack-index and
// a chain of commit-graphs, for the seeds of fuzz targets. Every fuzz worker
// makes its own, so it takes few calls of git.
func seedRepo(f *testing.F) *testGit {
	f.Helper()
	g := newTestGit(f)
	var text, stream strings.Builder
	for i := range 4 {
		fmt.Fprintf(&text, "line %d\n%s\n", i, strings.Repeat("x", 50+i))
		fmt.Fprintf(&stream, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 1\nm\n", i, i+1, 1700000000+i)
		if i > 0 {
			fmt.Fprintf(&stream, "from :%d\n", i)
		}
		fmt.Fprintf(&stream, "M 100644 inline d/f\ndata %d\n%s\n", text.Len(), text.String())
	}
	g.feed(stream.String(), "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet")
	g.feed("blob\ndata 3\nabc\nreset refs/heads/x\nfrom refs/heads/c2\n", "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet")
	g.run("multi-pack-index", "write")
	g.feed(g.run("rev-parse", "c1")+"\n", "commit-graph", "write", "--stdin-commits", "--split")
	g.run("commit-graph", "write", "--reachable", "--split=no-merge")
	return g
}

func seedFiles(f *testing.F, pattern string) {
	f.Helper()
	g := seedRepo(f)
	names, err := filepath.Glob(filepath.Join(g.objectDir(), pattern))
	if err != nil || len(names) == 0 {
		f.Fatalf("no seed matches %s: %v", pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

func testID(b []byte) OID {
	id := OID{size: uint8(testSize())}
	copy(id.sum[:id.size], b)
	return id
}

// FuzzIdx demands that whatever parses finds each id it lists, in order, within
// bounds.
func FuzzIdx(f *testing.F) {
	seedFiles(f, "pack/*.idx")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := parseIdx(memoryView(b), testSize())
		if err != nil {
			return
		}
		for i := range min(x.count, 200) {
			raw, err := x.id(i)
			if err != nil {
				t.Fatal(err)
			}
			pos, ok, err := x.find(testID(raw))
			if got, e := x.id(pos); ok && (e != nil || err != nil || !bytes.Equal(got, raw)) {
				t.Fatalf("found another id: %v, %v", err, e)
			}
			if off, err := x.offset(i); err == nil && off < 0 {
				t.Fatal("a negative offset")
			}
			p, _ := parsePrefix(hex.EncodeToString(raw[:3]), testSize())
			if err := x.expand(p, func(raw []byte) {
				if !p.covers(raw) {
					t.Fatal("expanded to an id that is not covered")
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		_ = x.verify()
	})
}

func FuzzMidx(f *testing.F) {
	seedFiles(f, "pack/multi-pack-index")
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMidx(memoryView(b), testSize())
		if err != nil {
			return
		}
		for i := range min(m.count, 200) {
			raw, err := m.id(i)
			if err != nil {
				t.Fatal(err)
			}
			pack, off, ok, _ := m.find(testID(raw))
			if ok && (pack < 0 || pack >= len(m.stems) || off < 0) {
				t.Fatalf("pack %d, offset %d", pack, off)
			}
		}
		for _, stem := range m.stems {
			if !m.names(stem) || strings.Contains(stem, "/") {
				t.Fatalf("pack name %q", stem)
			}
		}
		_ = m.verify()
	})
}

// FuzzPack reads from every offset of a pack.
func FuzzPack(f *testing.F) {
	seedFiles(f, "pack/*.pack")
	f.Add(fuzzPackSeed(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 16
		p := &pack{stem: "nowhere", hashSize: testSize()}
		if _, err := p.data.get(func() (*packData, error) { return parsePack(memoryView(b), testSize()) }); err != nil {
			return
		}
		var bases baseCache
		for off := range int64(min(len(b), 400)) {
			kind, data, err := p.read(off, limit, &bases)
			if err == nil && (len(data) > limit || kind < kindCommit || kind > kindTag) {
				t.Fatalf("offset %d: kind %d, %d bytes", off, kind, len(data))
			}
			statKind, size, statErr := p.stat(off)
			if err == nil && (statErr != nil || statKind != kind || size != int64(len(data))) {
				t.Fatalf("offset %d: stat says %d, %d, %v; read %d, %d", off, statKind, size, statErr, kind, len(data))
			}
		}
	})
}

// fuzzPackSeed is a small pack with a chain of two deltas.
func fuzzPackSeed(f *testing.F) []byte {
	b := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x03")
	last := 0
	add := func(e, stream []byte, delta bool) {
		at := len(b)
		if delta {
			e = append(e, byte(at-last))
		}
		b = append(append(b, e...), stream...)
		last = at
	}
	add(packEntry(kindBlob, 10), deflate(f, []byte("0123456789"), 9), false)
	add(packEntry(kindOfsDelta, 7), deflate(f, []byte{10, 4, 0x90, 3, 1, 'x', 0}[:7], 9), true)
	add(packEntry(kindOfsDelta, 4), deflate(f, []byte{4, 2, 0x90, 2}, 9), true)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

func FuzzLoose(f *testing.F) {
	f.Add(deflate(f, []byte("blob 3\x00abc"), 9))
	f.Add(deflate(f, []byte("tree 0\x00"), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 16
		h, data, err := readLoose(memoryView(b), limit)
		if err != nil {
			return
		}
		// What parses is the one spelling of its head.
		if want := appendHead(nil, kindType(h.kind), h.size); !bytes.HasPrefix(data, want) || len(want) != h.len {
			t.Fatalf("head %q, want %q", data[:h.len], want)
		}
		if h.size != int64(len(data)-h.len) || h.size > limit {
			t.Fatalf("size %d of %d bytes", h.size, len(data))
		}
		if again, err := statLoose(memoryView(b)); err != nil || again != h {
			t.Fatalf("stat says %v, %v", again, err)
		}
	})
}

// FuzzDelta compares applyDelta with an interpreter that grows its result byte
// by byte, and with the promise that nothing is allocated for a lie.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("0123456789"), []byte{10, 5, 0x91, 2, 3, 2, 'a', 'b'})
	f.Add([]byte{}, []byte{0, 3, 3, 'a', 'b', 'c'})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		const limit = 1 << 20
		got, err := applyDelta(nil, base, delta, limit)
		want, ok := slowDelta(base, delta, limit)
		if ok != (err == nil) || ok && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; want %d bytes, %v", len(got), err, len(want), ok)
		}
	})
}

func slowDelta(base, delta []byte, limit int64) (out []byte, ok bool) {
	defer func() {
		// Running off the end of the delta is what makes it malformed.
		if recover() != nil {
			out, ok = nil, false
		}
	}()
	next := func() byte { c := delta[0]; delta = delta[1:]; return c }
	size := func() (n int64) {
		for shift := 0; ; shift += 7 {
			c := next()
			n |= int64(c&0x7f) << shift
			if c < 0x80 {
				return n
			}
			if shift == 56 {
				panic("too long")
			}
		}
	}
	if size() != int64(len(base)) {
		return nil, false
	}
	total := size()
	for len(delta) > 0 && int64(len(out)) <= min(total, limit) {
		op := next()
		if op == 0 {
			return nil, false
		}
		if op < 0x80 {
			for range op {
				out = append(out, next())
			}
			continue
		}
		var off, n int
		for i := range 4 {
			if op>>i&1 != 0 {
				off |= int(next()) << (8 * i)
			}
		}
		for i := range 3 {
			if op>>(4+i)&1 != 0 {
				n |= int(next()) << (8 * i)
			}
		}
		if n == 0 {
			n = 0x10000
		}
		out = append(out, base[off:off+n:len(base)]...)
	}
	return out, int64(len(out)) == total && total <= limit
}

// FuzzTree demands that the entries of a tree are its bytes, and that looking
// for the name of one finds the first of that name.
func FuzzTree(f *testing.F) {
	entry := "100644 name\x00" + strings.Repeat("a", 32)
	f.Add([]byte("40000 d\x00"+strings.Repeat("b", 20)+"100755 e\x00"+strings.Repeat("c", 20)), "d", false)
	f.Add([]byte(entry+entry), "name", true)
	f.Fuzz(func(t *testing.T, b []byte, name string, wide bool) {
		size := 20
		if wide {
			size = 32
		}
		rest := b
		var first *Entry
		err := eachTreeEntry(b, size, func(got []byte, e Entry) bool {
			at := bytes.IndexByte(rest, ' ') + 1
			whole := at + len(got) + 1 + size
			if len(got) == 0 || !bytes.Equal(rest[at:at+len(got)], got) || !bytes.Equal(rest[whole-size:whole], e.OID.Bytes()) {
				t.Fatalf("entry %q %v is not what stands there", got, e)
			}
			if rest = rest[whole:]; string(got) == name && first == nil {
				first = &e
			}
			return true
		})
		if err == nil && len(rest) != 0 {
			t.Fatalf("%d bytes are no entry", len(rest))
		}
		if got, ok, err := treeEntry(b, name, size); err == nil && ok && (first == nil || got != *first) {
			t.Fatalf("found %v, listed %v", got, first)
		}
	})
}

func FuzzCommit(f *testing.F) {
	tree := strings.Repeat("a", 40)
	f.Add([]byte("tree " + tree + "\nparent " + tree + "\nauthor A <a> 1 +0\ncommitter C <c> 12 +0\n\nm"))
	f.Add([]byte("object " + tree + "\ntype blob\ntag t\ntagger T <t> 1 +0\n\nm"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := parseCommit(b, testSize()); err == nil {
			text := "tree " + c.tree.String() + "\n"
			for _, p := range c.parents {
				text += "parent " + p.String() + "\n"
			}
			if len(b) < len(text) || !strings.EqualFold(string(b[:len(text)]), text) || c.committerTime < 0 {
				t.Fatalf("parsed %q from %q", text, b)
			}
		}
		if tag, err := parseTag(b, testSize()); err == nil {
			text := "object " + tag.object.String() + "\ntype " + string(tag.typ) + "\ntag "
			if len(b) < len(text) || !strings.EqualFold(string(b[:len(text)]), text) {
				t.Fatalf("parsed %q from %q", text, b)
			}
		}
	})
}

// FuzzGraph looks at every commit of a commit-graph file.
func FuzzGraph(f *testing.F) {
	seedFiles(f, "info/commit-graphs/*.graph")
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := newGraph([]*view{memoryView(b)}, nil, testSize())
		if err != nil {
			return
		}
		for pos := range min(g.count, 200) {
			id, err := g.id(pos)
			if err != nil {
				t.Fatal(err)
			}
			if at, ok, err := g.find(id); err != nil || ok && (at < 0 || at >= g.count) {
				t.Fatalf("found at %d of %d, %v", at, g.count, err)
			}
			c, err := g.commit(pos)
			if err != nil {
				continue
			}
			parents, _ := g.parents(nil, pos, c)
			for _, p := range parents {
				if p < 0 || int(p) >= g.count {
					t.Fatalf("parent %d of %d", p, g.count)
				}
			}
		}
		_ = g.verify()
	})
}

func FuzzGraphChain(f *testing.F) {
	f.Add([]byte(strings.Repeat("a", 40) + "\n" + strings.Repeat("0", 40) + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		sums, err := parseGraphChain(b, testSize())
		if err != nil {
			return
		}
		var text string
		for _, sum := range sums {
			text += hex.EncodeToString(sum) + "\n"
		}
		if !strings.EqualFold(text, string(b)) {
			t.Fatalf("%q parses to %q", b, text)
		}
	})
}

func FuzzAlternates(f *testing.F) {
	f.Add("/a\n#b\n\"c\\057\\n\"\n../d")
	f.Fuzz(func(t *testing.T, text string) {
		total := 0
		for _, path := range parseAlternates(text) {
			if path == "" {
				t.Fatal("an empty path")
			}
			total += len(path)
		}
		if total > len(text) {
			t.Fatalf("%d bytes of paths from %d", total, len(text))
		}
	})
}
