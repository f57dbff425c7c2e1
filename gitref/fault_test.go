package gitref

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// smallRepo has few objects of every type, some of them deltas.
func smallRepo(t *testing.T) (*testGit, map[OID]Object) {
	t.Helper()
	g := newTestGit(t)
	var text strings.Builder
	for i := range 3 {
		for range 8 {
			fmt.Fprintf(&text, "line %d of a text that grows\n", text.Len())
		}
		g.write("d/f", text.String())
		g.commit(fmt.Sprint(i))
	}
	g.run("tag", "-a", "-m", "tag", "v1")
	return g, g.objects()
}

// damage calls try with the file's bytes changed in every place, grown, and cut
// to every length; the file is restored afterwards.
func damage(t *testing.T, name string, try func(what string)) {
	t.Helper()
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(name, 0o666)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(off int, b ...byte) {
		t.Helper()
		if _, err := f.WriteAt(b, int64(off)); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range good {
		for _, bits := range []byte{0x01, 0xff} {
			put(i, c^bits)
			try(fmt.Sprintf("byte %d of %d xor %#x", i, len(good), bits))
		}
		put(i, c)
	}
	put(len(good), 0)
	try("one byte longer")
	for n := len(good) - 1; n >= 0; n-- {
		if err := f.Truncate(int64(n)); err != nil {
			t.Fatal(err)
		}
		try(fmt.Sprintf("cut to %d of %d", n, len(good)))
	}
	put(0, good...)
}

// wantRightOrCorrupt reads every object and expands an id: each answer must be
// right, or the statement that the store is corrupt.
func wantRightOrCorrupt(t *testing.T, g *testGit, all []Object, what string) (corrupt int) {
	t.Helper()
	s, err := openStore(storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i := range all {
		want := all[(i+len(what)*5)%len(all)]
		got, err := s.read(want.OID, noLimit)
		switch {
		case err != nil && faultOf(err) == Corrupt:
			corrupt++
		case err != nil:
			t.Errorf("%s: read %v: fault %d, %v", what, want.OID, faultOf(err), err)
		case got.Type != want.Type || !bytes.Equal(got.Data, want.Data):
			t.Errorf("%s: read %v: wrong content", what, want.OID)
		}
		if corrupt == 3 {
			// A failing read looks everywhere, which is slow; the order changes.
			break
		}
	}
	some := all[len(what)*7%len(all)].OID
	if _, _, err := s.stat(some); err != nil && faultOf(err) != Corrupt {
		t.Errorf("%s: stat %v: fault %d, %v", what, some, faultOf(err), err)
	}
	ids, err := s.expand(some.String()[:10])
	if err != nil && faultOf(err) != Corrupt || err == nil && (len(ids) != 1 || ids[0] != some) {
		t.Errorf("%s: expand %v: %v, %v", what, some, ids, err)
	}
	absent := testID([]byte{1, 2, 3})
	if _, err := s.read(absent, noLimit); faultOf(err) != NoObject && faultOf(err) != Corrupt {
		t.Errorf("%s: an object that is nowhere: %v", what, err)
	}
	return corrupt
}

func TestDamagedPack(t *testing.T) {
	for _, c := range []struct {
		name, suffix string
		prepare      func(g *testGit)
	}{
		{"idx v2", ".idx", func(g *testGit) {}},
		{"idx v1", ".idx", func(g *testGit) { g.reindex("--index-version=1") }},
		{"idx with 64-bit offsets", ".idx", func(g *testGit) { g.reindex("--index-version=2,0x80") }},
		{"pack", ".pack", func(g *testGit) {}},
		{"pack of ref-deltas", ".pack", func(g *testGit) {
			g.run("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g, all := smallRepo(t)
			g.run("repack", "-adq", "--depth=10", "--window=10")
			c.prepare(g)
			if n := wantRightOrCorrupt(t, g, inOrder(all), "sound"); n > 0 {
				t.Fatalf("%d objects corrupt before any damage", n)
			}
			seen, list := 0, inOrder(all)
			damage(t, g.packFiles(c.suffix)[0], func(what string) { seen += wantRightOrCorrupt(t, g, list, what) })
			if seen == 0 {
				t.Error("no damage was ever noticed")
			}
		})
	}
}

func TestDamagedLoose(t *testing.T) {
	g, all := smallRepo(t)
	for id := range all {
		damage(t, loosePath(g.objectDir(), id), func(what string) {
			s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
			got, err := s.read(id, noLimit)
			if err != nil && faultOf(err) != Corrupt || err == nil && !bytes.Equal(got.Data, all[id].Data) {
				t.Errorf("%s: read %v: %v", what, id, err)
			}
		})
	}
}

// A multi-pack-index only repeats what the packs' own indexes say, so no damage
// to it may matter while they are there.
func TestDamagedMidx(t *testing.T) {
	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprintf("without idx files %v", alone), func(t *testing.T) {
			t.Parallel()
			g, _ := smallRepo(t)
			g.run("repack", "-dq")
			g.write("later", "later")
			g.commit("later")
			g.run("repack", "-dq")
			g.run("multi-pack-index", "write")
			all := inOrder(g.objects())
			if alone {
				for _, name := range g.packFiles(".idx") {
					os.Remove(name)
				}
			}
			seen := 0
			damage(t, filepath.Join(g.objectDir(), "pack", midxName), func(what string) {
				n := wantRightOrCorrupt(t, g, all, what)
				if seen += n; n > 0 && !alone {
					t.Errorf("%s: %d objects are lost to a redundant file", what, n)
				}
			})
			if alone && seen == 0 {
				t.Error("no damage was ever noticed")
			}
		})
	}
}

// A commit-graph only repeats what the commits say, so no damage to it may
// change an answer.
func TestDamagedGraph(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(g *testGit, ids []OID) (file string)
	}{
		{"graph", func(g *testGit, ids []OID) string {
			g.run("commit-graph", "write", "--reachable")
			return "commit-graph"
		}},
		{"levels", func(g *testGit, ids []OID) string {
			g.run("-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable")
			return "commit-graph"
		}},
		{"chain", func(g *testGit, ids []OID) string { g.splitGraph(ids); return "commit-graphs/commit-graph-chain" }},
		{"lower layer", func(g *testGit, ids []OID) string {
			g.splitGraph(ids)
			return g.layerFile(0)
		}},
		{"upper layer", func(g *testGit, ids []OID) string {
			g.splitGraph(ids)
			return g.layerFile(1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newTestGit(t)
			ids := g.randomHistory(12, 11)
			g.run("repack", "-adq")
			file := c.make(g, ids)
			want := map[[2]OID]bool{}
			for i, d := range ids {
				reached := g.run("rev-list", d.String())
				for _, j := range []int{i / 2, (i + 5) % len(ids)} {
					want[[2]OID{ids[j], d}] = strings.Contains(reached, ids[j].String())
				}
			}
			s := g.store()
			damage(t, filepath.Join(g.objectDir(), "info", file), func(what string) {
				h := newHistory(s, testSize(), nil, false, []string{g.objectDir()})
				defer h.close()
				for pair, yes := range want {
					if got, err := h.isAncestor(pair[0], pair[1]); err != nil || got != yes {
						t.Fatalf("%s: isAncestor(%v) = %v, %v", what, pair, got, err)
					}
				}
			})
		})
	}
}

func (g *testGit) splitGraph(ids []OID) {
	g.t.Helper()
	for _, i := range []int{len(ids) / 2, len(ids) - 1} {
		g.feed(ids[i].String()+"\n", "commit-graph", "write", "--split=no-merge", "--stdin-commits")
	}
}

// layerFile returns the name below info of a layer of the chain.
func (g *testGit) layerFile(n int) string {
	g.t.Helper()
	b, err := os.ReadFile(filepath.Join(g.objectDir(), "info", "commit-graphs", "commit-graph-chain"))
	if err != nil {
		g.t.Fatal(err)
	}
	return "commit-graphs/graph-" + strings.Fields(string(b))[n] + ".graph"
}

// TestDamagedObjectsHistory damages the pack below a history without a graph.
func TestDamagedObjectsHistory(t *testing.T) {
	g, _ := smallRepo(t)
	g.run("repack", "-adq")
	ids := []OID{g.oid("HEAD~2"), g.oid("HEAD")}
	damage(t, g.packFiles(".pack")[0], func(what string) {
		s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
		got, err := newHistory(s, testSize(), nil, false, nil).isAncestor(ids[0], ids[1])
		if err != nil && faultOf(err) != Corrupt || err == nil && !got {
			t.Fatalf("%s: %v, %v", what, got, err)
		}
	})
}

func TestMissingParent(t *testing.T) {
	for _, promisor := range []bool{false, true} {
		g := newTestGit(t)
		first, middle, last := g.commit("1"), g.commit("2"), g.commit("3")
		if err := os.Remove(loosePath(g.objectDir(), middle)); err != nil {
			t.Fatal(err)
		}
		s := openTestStore(t, storeConfig{hashSize: testSize(), objectDir: g.objectDir(), promisor: promisor})
		_, err := newHistory(s, testSize(), nil, false, nil).isAncestor(first, last)
		want := Corrupt
		if promisor {
			want = NotLocal
		}
		wantFault(t, err, want)
		_, err = newHistory(s, testSize(), nil, false, nil).isAncestor(middle, last)
		if !promisor {
			want = NoObject
		}
		wantFault(t, err, want)
		_, err = newHistory(s, testSize(), nil, false, nil).isAncestor(g.oid("HEAD^{tree}"), last)
		wantFault(t, err, WrongType)
	}
}

// keys returns the ids in order, so that failures repeat.
func keys(all map[OID]Object) []OID { return slices.SortedFunc(maps.Keys(all), compareOID) }

// inOrder returns the objects in the order of their ids.
func inOrder(all map[OID]Object) []Object {
	var list []Object
	for _, id := range keys(all) {
		list = append(list, all[id])
	}
	return list
}
