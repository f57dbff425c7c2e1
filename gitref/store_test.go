package gitref

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const noLimit = 1 << 40

// fill makes a history of files that git will find worth deltas, with
// directories, a symlink, tags of all kinds and objects of size zero.
func (g *testGit) fill(commits int) {
	g.t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "line %d %x\n", i, rnd.Uint64())
	}
	g.write("empty", "")
	if err := os.Symlink("a/b", filepath.Join(g.dir, "link")); err != nil {
		g.t.Fatal(err)
	}
	noise := make([]byte, 40000)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	g.write("noise", string(noise))
	g.write("zeros", strings.Repeat("\x00", 300000))
	for i := range commits {
		fmt.Fprintf(&text, "more %d %x\n", i, rnd.Uint64())
		g.write("a/b", text.String())
		g.write(fmt.Sprintf("d%d/f%d", i%5, i), fmt.Sprint(i))
		g.commit(fmt.Sprint("commit ", i))
	}
	g.run("tag", "light")
	g.run("tag", "-a", "-m", "a tag", "annotated")
	g.run("tag", "-a", "-m", "a tag of a tag", "nested", "annotated")
	g.run("tag", "-a", "-m", "a tag of a blob", "blob", "HEAD:empty")
	g.run("tag", "-a", "-m", "a tag of a tree", "tree", "HEAD:a")
}

// shapes are the ways git can keep one set of objects.
var shapes = []struct {
	name string
	make func(g *testGit)
}{
	{"loose", func(g *testGit) {}},
	{"packed", func(g *testGit) { g.run("repack", "-adq") }},
	{"deep", func(g *testGit) { g.run("repack", "-adfq", "--depth=200", "--window=60") }},
	{"ref-delta", func(g *testGit) { g.run("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq") }},
	{"stored", func(g *testGit) { g.run("-c", "core.compression=0", "repack", "-adFq") }},
	{"several packs", func(g *testGit) {
		g.run("repack", "-dq")
		g.write("later", "later")
		g.commit("later")
		g.run("repack", "-dq")
		g.write("loose", "loose")
		g.commit("loose")
	}},
	{"duplicate packs", func(g *testGit) {
		g.run("repack", "-aq")
		g.write("later", "later")
		g.commit("later")
		g.run("repack", "-aq")
	}},
	{"split packs", func(g *testGit) { g.run("repack", "-adq", "--max-pack-size=1m"); g.run("repack", "-adq") }},
	{"midx", func(g *testGit) {
		g.run("repack", "-dq")
		g.write("later", "later")
		g.commit("later")
		g.run("repack", "-dq")
		g.run("multi-pack-index", "write")
		g.write("latest", "latest")
		g.commit("latest")
		g.run("repack", "-dq")
	}},
	{"idx v1", func(g *testGit) { g.run("repack", "-adq"); g.reindex("--index-version=1") }},
	{"idx v2 with 64-bit offsets", func(g *testGit) { g.run("repack", "-adq"); g.reindex("--index-version=2,0x100") }},
	{"midx with 64-bit offsets", func(g *testGit) {
		g.run("repack", "-adq")
		g.reindex("--index-version=2,0x100")
		g.run("multi-pack-index", "write")
	}},
	{"renamed pack", func(g *testGit) {
		g.run("repack", "-adq")
		for _, name := range g.packFiles("") {
			os.Rename(name, filepath.Join(filepath.Dir(name), "other"+filepath.Ext(name)))
		}
	}},
	{"gc", func(g *testGit) { g.run("gc", "-q") }},
	{"alternate", func(g *testGit) { g.makeAlternate() }},
}

// packFiles returns the files of the pack folder that end in suffix.
func (g *testGit) packFiles(suffix string) []string {
	g.t.Helper()
	names, err := filepath.Glob(filepath.Join(g.objectDir(), "pack", "pack-*"+suffix))
	if err != nil || len(names) == 0 {
		g.t.Fatalf("no pack files %q: %v", suffix, err)
	}
	return names
}

// reindex writes the index of the only pack again with the given option.
func (g *testGit) reindex(option string) {
	g.t.Helper()
	name := g.packFiles(".pack")[0]
	idx := strings.TrimSuffix(name, ".pack") + ".idx"
	if err := os.Remove(idx); err != nil {
		g.t.Fatal(err)
	}
	g.run("index-pack", option, "-o", idx, name)
}

// makeAlternate moves what there is to an alternate and adds to the repository.
func (g *testGit) makeAlternate() {
	g.t.Helper()
	other := filepath.Join(g.dir, "..", "alt objects")
	g.run("repack", "-dq")
	g.write("half loose", "half loose")
	g.commit("half loose")
	if err := os.Rename(g.objectDir(), other); err != nil {
		g.t.Fatal(err)
	}
	g.write(".git/objects/info/alternates", "# a comment\n\n../../../alt objects\n")
	g.write("own", "own")
	g.commit("own")
}

func TestStoreEqualsGit(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			g := newTestGit(t)
			g.fill(12)
			shape.make(g)
			compareStore(t, g, g.store())
		})
	}
}

// compareStore compares every object, and the abbreviations around it.
func compareStore(t *testing.T, g *testGit, s *store) {
	t.Helper()
	all := g.objects()
	if len(all) < 40 {
		t.Fatalf("only %d objects", len(all))
	}
	compareExpand(t, g, s, slices.Collect(maps.Keys(all))...)
	for id, want := range all {
		typ, size, err := s.stat(id)
		if err != nil || typ != want.Type || size != int64(len(want.Data)) {
			t.Fatalf("stat %v = %v, %d, %v; git says %v, %d", id, typ, size, err, want.Type, len(want.Data))
		}
		got, err := s.read(id, noLimit)
		if err != nil || got.OID != id || got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
			t.Fatalf("read %v = %v, %d bytes, %v; git has %d", id, got.Type, len(got.Data), err, len(want.Data))
		}
		if _, err := s.read(id, int64(len(want.Data))-1); id != emptyTree {
			wantFault(t, err, OverLimit)
		}
		absent := id
		absent.sum[19] ^= 1
		if _, there := all[absent]; !there {
			_, _, err := s.stat(absent)
			wantFault(t, err, NoObject)
			_, err = s.read(absent, noLimit)
			wantFault(t, err, NoObject)
		}
	}
}

// compareExpand compares the abbreviations of some ids, all in one call of git.
func compareExpand(t *testing.T, g *testGit, s *store, ids ...OID) {
	t.Helper()
	args := []string{"rev-parse"}
	var lines []string
	for _, id := range ids {
		for _, n := range []int{4, 5, 7, 40} {
			prefix := id.String()[:n]
			args = append(args, "--disambiguate="+prefix)
			got, err := s.expand(prefix)
			if err != nil {
				t.Fatalf("expand %s: %v", prefix, err)
			}
			for _, id := range got {
				lines = append(lines, id.String())
			}
		}
	}
	if want := g.run(args...); strings.Join(lines, "\n") != want {
		t.Errorf("expand %s = %q, git says %q", args, lines, want)
	}
}

// git 2.39 lists but cannot read what only a multi-pack-index finds; later
// versions can.
func TestStoreMidxWithoutIndexes(t *testing.T) {
	g := newTestGit(t)
	g.fill(3)
	g.run("repack", "-dq")
	g.write("later", "later")
	g.commit("later")
	g.run("repack", "-dq")
	g.run("multi-pack-index", "write")
	all := g.objects()
	for _, name := range g.packFiles(".idx") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	s := g.store()
	for id, want := range all {
		got, err := s.read(id, noLimit)
		if err != nil || got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("read %v: %v", id, err)
		}
	}
	compareExpand(t, g, s, slices.Collect(maps.Keys(all))...)
	_, _, err := s.stat(testID([]byte{1}))
	wantFault(t, err, NoObject)
}

// Enough objects that some share four digits, half of them loose.
func TestExpandAmbiguous(t *testing.T) {
	g := newTestGit(t)
	for half, limit := range []string{"0", "100000"} {
		var stream strings.Builder
		for i := range 800 {
			body := fmt.Sprint(half, " ", i)
			fmt.Fprintf(&stream, "blob\ndata %d\n%s\n", len(body), body)
		}
		g.feed(stream.String(), "-c", "fastimport.unpackLimit="+limit, "fast-import", "--quiet")
	}
	count := map[string]int{}
	for id := range g.objects() {
		count[id.String()[:4]]++
	}
	s := g.store()
	args := []string{"rev-parse"}
	var lines []string
	for _, prefix := range slices.Sorted(maps.Keys(count)) {
		if count[prefix] < 2 {
			continue
		}
		got, err := s.expand(strings.ToUpper(prefix))
		if err != nil || len(got) != count[prefix] {
			t.Errorf("expand %s: %v, %v; want %d", prefix, got, err, count[prefix])
		}
		for _, id := range got {
			lines = append(lines, id.String())
		}
		args = append(args, "--disambiguate="+prefix)
	}
	if len(args) < 5 {
		t.Fatalf("only %d abbreviations are ambiguous", len(args)-1)
	}
	want := strings.Split(g.run(args...), "\n")
	slices.Sort(want)
	slices.Sort(lines)
	if !slices.Equal(lines, want) {
		t.Errorf("expanded to %v, git says %v", lines, want)
	}
}
