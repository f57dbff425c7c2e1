package gitref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestObjectsOfOtherStoresAreFound(t *testing.T) {
	a := richRepo(t)
	b := &testGit{t: t, dir: filepath.Join(t.TempDir(), "b"), now: a.now}
	a.run("clone", "-q", "-s", a.dir, b.dir)
	alternates := filepath.Join(b.objectDir(), "info/alternates")
	rel, err := filepath.Rel(b.objectDir(), a.objectDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{rel + "\n", "# comment\n\n" + rel, b.objectDir() + "\n" + rel + "\n", "../objects\n" + rel + "\n"} {
		put(t, alternates, text)
		rev, err := b.open().Resolve(t.Context(), "HEAD:d/e/h")
		if err != nil || rev.OID != a.oid("HEAD:d/e/h") {
			t.Errorf("alternates %q: %s, %v", text, rev.OID, err)
		}
	}
	put(t, alternates, "../objects\n")
	_, err = b.open().Resolve(t.Context(), "HEAD:d/e/h")
	wantFault(t, err, NoObject)
}

func TestDamagedStoresAreCorruptNotAbsent(t *testing.T) {
	g := richRepo(t)
	g.run("repack", "-adq")
	g.write("later", "x\n")
	g.commit("later")
	g.run("repack", "-dq")
	packs, err := filepath.Glob(filepath.Join(g.objectDir(), "pack/*.idx"))
	if err != nil || len(packs) != 2 {
		t.Fatal(packs, err)
	}
	old, fresh := g.oid("HEAD~1"), g.oid("HEAD:later")
	for _, idx := range packs {
		whole, err := os.ReadFile(idx)
		if err != nil {
			t.Fatal(err)
		}
		chmod(t, idx, 0o666)
		put(t, idx, "garbage")
		r := g.open()
		_, oldErr := r.Read(t.Context(), old, 1<<20)
		_, freshErr := r.Read(t.Context(), fresh, 1<<20)
		if (oldErr == nil) == (freshErr == nil) {
			t.Errorf("with one of two packs damaged: %v, %v", oldErr, freshErr)
		}
		for _, err := range []error{oldErr, freshErr} {
			if err != nil {
				wantFault(t, err, Corrupt)
			}
		}
		_, err = r.Resolve(t.Context(), strings.Repeat("1", 40))
		wantFault(t, err, Corrupt)
		_, err = r.Resolve(t.Context(), strings.Repeat("1", 7))
		wantFault(t, err, Corrupt)
		put(t, idx, string(whole))
	}
}

func TestLooseObjectWithOtherContentIsCorrupt(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "one\n")
	g.write("g", "two\n")
	g.commit("c")
	path := func(id OID) string { return filepath.Join(g.objectDir(), id.String()[:2], id.String()[2:]) }
	f, h := g.oid("HEAD:f"), g.oid("HEAD:g")
	data, err := os.ReadFile(path(h))
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, path(f), 0o666)
	put(t, path(f), string(data))
	_, err = g.open().Read(t.Context(), f, 1<<20)
	wantFault(t, err, Corrupt)
	tree := g.oid("HEAD^{tree}")
	chmod(t, path(tree), 0o666)
	put(t, path(tree), string(data))
	_, err = g.open().Resolve(t.Context(), "HEAD:g")
	wantFault(t, err, Corrupt)
}

func TestBrokenCommitGraphIsPassedOver(t *testing.T) {
	g := richRepo(t)
	g.run("commit-graph", "write", "--reachable", "--split")
	compareHistory(t, g, g.open())
	layers, err := filepath.Glob(filepath.Join(g.objectDir(), "info/commit-graphs/*.graph"))
	if err != nil || len(layers) == 0 {
		t.Fatal(layers, err)
	}
	chmod(t, layers[0], 0o666)
	put(t, layers[0], "CGPH garbage")
	compareHistory(t, g, g.open())
}
