package gitref

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// spellIndex spells the index as git ls-files --stage --debug -z does.
func spellIndex(t *testing.T, r *Repo) string {
	t.Helper()
	var b strings.Builder
	for e, err := range r.Tracked(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(spellEntry(e))
	}
	return b.String()
}

func spellEntry(e IndexEntry) string {
	flags := uint32(e.Stage) << 12
	for bit, on := range map[uint32]bool{0x8000: e.AssumeValid, 1 << 29: e.IntentToAdd, 1 << 30: e.SkipWorktree} {
		if on {
			flags |= bit
		}
	}
	return fmt.Sprintf("%06o %s %d\t%s\x00  ctime: %d:%d\n  mtime: %d:%d\n  dev: %d\tino: %d\n  uid: %d\tgid: %d\n  size: %d\tflags: %x\n",
		uint32(e.Mode), e.OID, e.Stage, e.Path, e.CTimeSec, e.CTimeNsec, e.MTimeSec, e.MTimeNsec, e.Dev, e.Ino, e.UID, e.GID, e.Size, flags)
}

// maskFlags leaves of git's flags those an index file holds.
func maskFlags(listing string) string {
	lines := strings.SplitAfter(listing, "\n")
	for i, line := range lines {
		if head, hex, ok := strings.Cut(line, "\tflags: "); ok {
			var flags uint32
			fmt.Sscanf(hex, "%x", &flags)
			lines[i] = fmt.Sprintf("%s\tflags: %x\n", head, flags&(0xb000|3<<29))
		}
	}
	return strings.Join(lines, "")
}

func compareIndex(t *testing.T, g *testGit, r *Repo) int {
	t.Helper()
	want := maskFlags(g.run("ls-files", "--stage", "--debug", "-z") + "\n")
	if want == "\n" {
		want = ""
	}
	got := spellIndex(t, r)
	if got != want {
		t.Errorf("index reads\n%s\ngit lists\n%s", strings.ReplaceAll(got, "\x00", "\n"), strings.ReplaceAll(want, "\x00", "\n"))
	}
	byPath := map[string]string{}
	n := 0
	for e := range r.Tracked(t.Context()) {
		byPath[e.Path] += spellEntry(e)
		n++
	}
	for path, want := range byPath {
		entries, err := r.Index(t.Context(), path)
		got := ""
		for _, e := range entries {
			got += spellEntry(e)
		}
		if err != nil || got != want {
			t.Errorf("index of %q is %q, %v", path, got, err)
		}
		for _, twin := range []string{path + "/", strings.ToUpper(path), path + "\x00", path[:len(path)-1]} {
			if entries, err := r.Index(t.Context(), twin); err != nil || len(entries) > 0 != (byPath[twin] != "") {
				t.Errorf("index of %q is %v, %v", twin, entries, err)
			}
		}
	}
	compareFolders(t, r)
	return n
}

// compareFolders compares the first entry below every folder of the index, and below
// what is none, with the first that is listed.
func compareFolders(t *testing.T, r *Repo) {
	t.Helper()
	first := map[string]string{}
	for e := range r.Tracked(t.Context()) {
		for i := range len(e.Path) {
			if folder := e.Path[:i]; e.Path[i] == '/' && first[folder] == "" {
				first[folder] = spellEntry(e)
			}
		}
		if _, known := first[e.Path]; !known {
			first[e.Path] = ""
		}
	}
	for folder, want := range first {
		e, found, err := r.FirstBelow(t.Context(), folder)
		if err != nil || found != (want != "") || found && spellEntry(e) != want {
			t.Errorf("below %q stands %+v, %t, %v, want %q", folder, e, found, err, want)
		}
	}
}

func TestIndexEqualsGit(t *testing.T) {
	for _, c := range []struct {
		name   string
		native bool
		change func(t *testing.T, g *testGit)
	}{
		{"version 2", true, func(t *testing.T, g *testGit) { g.run("update-index", "--index-version", "2") }},
		{"version 3", true, func(t *testing.T, g *testGit) { conflictIndex(g); g.run("update-index", "--index-version", "3") }},
		{"version 4", true, func(t *testing.T, g *testGit) { conflictIndex(g); g.run("update-index", "--index-version", "4") }},
		{"without checksum", true, func(t *testing.T, g *testGit) { conflictIndex(g); zeroTrailer(t, g) }},
		{"optional extensions", true, func(t *testing.T, g *testGit) {
			g.run("-c", "index.threads=2", "-c", "core.untrackedCache=true", "update-index", "--untracked-cache", "--force-write-index")
			g.run("status")
		}},
		{"split", false, func(t *testing.T, g *testGit) {
			conflictIndex(g)
			g.run("update-index", "--split-index")
			g.write("f", "new\n")
			g.run("add", "f")
		}},
		{"sparse", false, func(t *testing.T, g *testGit) {
			g.run("reset", "-q", "--hard")
			g.run("sparse-checkout", "set", "--cone", "--sparse-index", "long")
		}},
		{"sparse without cone", true, func(t *testing.T, g *testGit) {
			g.run("reset", "-q", "--hard")
			g.run("sparse-checkout", "set", "--no-cone", "/f")
		}},
		{"none", true, func(t *testing.T, g *testGit) {
			g.run("rm", "-rq", "--cached", ".")
			os.Remove(filepath.Join(g.dir, ".git/index"))
		}},
		{"empty", true, func(t *testing.T, g *testGit) { g.run("rm", "-rq", "--cached", ".") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := richRepo(t)
			c.change(t, g)
			r := g.open()
			n := compareIndex(t, g, r)
			if empty := c.name == "none" || c.name == "empty"; (n == 0) != empty {
				t.Errorf("%d entries", n)
			}
			src, err := r.openIndex(t.Context())
			if _, native := src.(*indexFile); err != nil || native != c.native {
				t.Errorf("read natively: %t, %v", native, err)
			}
			if c.native {
				return
			}
			_, err = g.open("PATH=/nowhere").Index(t.Context(), "f")
			wantFault(t, err, Unsupported)
		})
	}
}

func TestPathOutsideTheSparseConeIsFound(t *testing.T) {
	g := richRepo(t)
	g.run("reset", "-q", "--hard")
	g.run("sparse-checkout", "set", "--cone", "--sparse-index", "long")
	r := g.open()
	if !isNative(r) {
		t.Error("the repository as a whole is not read natively")
	}
	entries, err := r.Index(t.Context(), "d/e/h")
	if err != nil || len(entries) != 1 || !entries[0].SkipWorktree || entries[0].OID != g.oid("HEAD:d/e/h") {
		t.Errorf("outside the cone: %+v, %v", entries, err)
	}
	entries, err = r.Index(t.Context(), "long/"+strings.Repeat("z", 200))
	if err != nil || len(entries) != 1 || entries[0].SkipWorktree {
		t.Errorf("inside the cone: %+v, %v", entries, err)
	}
	if rev, err := r.Resolve(t.Context(), ":d/e/h"); err != nil || rev.OID != g.oid("HEAD:d/e/h") {
		t.Errorf(":d/e/h is %s, %v", rev.OID, err)
	}
}

func indexBytes(t *testing.T, g *testGit) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(g.dir, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func zeroTrailer(t *testing.T, g *testGit) {
	t.Helper()
	data := indexBytes(t, g)
	clear(data[len(data)-testSize():])
	put(t, filepath.Join(g.dir, ".git/index"), string(data))
}

// smallIndex is an index with every kind of entry.
func smallIndex(t *testing.T, version string) []byte {
	t.Helper()
	g := newTestGit(t)
	g.write("a/b", "1\n")
	g.write("a/c", "2\n")
	g.write("f", "3\n")
	g.commit("c")
	conflict := g.run("rev-parse", "HEAD:f")
	g.feed("100644 "+conflict+" 1\tg\n100644 "+conflict+" 2\tg\n", "update-index", "--index-info")
	g.run("update-index", "--skip-worktree", "a/b")
	g.run("update-index", "--index-version", version)
	return indexBytes(t, g)
}

func allEntries(x *indexFile) []IndexEntry {
	var out []IndexEntry
	for i := range x.starts {
		out = append(out, x.entry(i))
	}
	return out
}

func TestDamagedIndexIsNeverMisread(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		data := smallIndex(t, version)
		whole, err := parseIndex(data, testSize())
		if err != nil || len(whole.starts) != 5 {
			t.Fatalf("version %s: %v, %v", version, whole, err)
		}
		for n := range data {
			if x, err := parseIndex(data[:n], testSize()); err == nil {
				t.Errorf("version %s cut to %d bytes reads as %d entries", version, n, len(x.starts))
			}
		}
		for i := range data {
			for _, bit := range []byte{1, 0x80, 0xff} {
				bad := bytes.Clone(data)
				bad[i] ^= bit
				if x, err := parseIndex(bad, testSize()); err == nil {
					t.Errorf("version %s with byte %d changed reads as %d entries", version, i, len(x.starts))
				} else if f := faultIn(err); f != Corrupt {
					t.Errorf("version %s with byte %d changed: %v", version, i, err)
				}
			}
		}
	}
}

// Without a checksum damage can go unseen, but must stay within bounds.
func TestDamagedIndexWithoutChecksumStaysBounded(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		data := smallIndex(t, version)
		clear(data[len(data)-testSize():])
		refused := 0
		for i := range len(data) - testSize() {
			for _, bit := range []byte{1, 2, 0x80, 0xff} {
				bad := bytes.Clone(data)
				bad[i] ^= bit
				x, err := parseIndex(bad, testSize())
				if err != nil {
					refused++
					if f := faultIn(err); f != Corrupt && f != Unsupported {
						t.Errorf("byte %d: %v", i, err)
					}
					continue
				}
				if entries := allEntries(x); len(entries) > 5 {
					t.Errorf("byte %d: %d entries", i, len(entries))
				}
			}
		}
		if refused == 0 {
			t.Error("no damage was seen at all")
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), make([]byte, 64)...))
	f.Fuzz(func(t *testing.T, body []byte) {
		x, err := parseIndex(append(bytes.Clone(body), make([]byte, testSize())...), testSize())
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%T", err)
			}
			return
		}
		entries := allEntries(x)
		if !slices.IsSortedFunc(entries, func(a, b IndexEntry) int {
			return strings.Compare(a.Path+"\x00"+fmt.Sprint(a.Stage), b.Path+"\x00"+fmt.Sprint(b.Stage))
		}) {
			t.Error("entries out of order")
		}
		for _, e := range entries {
			if found, _ := x.entries(t.Context(), e.Path); len(found) == 0 {
				t.Errorf("%q is not found", e.Path)
			}
		}
	})
}

func BenchmarkIndexOfALargeRepository(b *testing.B) {
	g := newTestGit(b)
	blob := g.feed("x", "hash-object", "-w", "--stdin")
	var list strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&list, "100644 %s\tdir%d/sub%d/file%d.txt\n", blob, i%100, i%1000, i)
	}
	g.feed(list.String(), "update-index", "--index-info")
	for b.Loop() {
		r := g.open()
		entries, err := r.Index(b.Context(), "dir7/sub7/file7.txt")
		if err != nil || len(entries) != 1 {
			b.Fatal(entries, err)
		}
	}
}
