package gitref

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestWhatWasObservedStays(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "one\n")
	g.write(".gitattributes", "f text\n")
	a := g.commit("a")
	g.run("branch", "x")
	r := g.open()
	blob := g.oid("HEAD:f")
	if ref, err := r.Ref(t.Context(), "refs/heads/x"); err != nil || ref.OID != a {
		t.Fatal(ref, err)
	}
	if rev, err := r.Resolve(t.Context(), "HEAD"); err != nil || rev.OID != a {
		t.Fatal(rev, err)
	}
	_, err := r.Ref(t.Context(), "refs/heads/later")
	wantFault(t, err, NoRef)
	if entries, err := r.Index(t.Context(), "f"); err != nil || entries[0].OID != blob {
		t.Fatal(entries, err)
	}
	if s, err := r.ToGit(t.Context(), "f", []byte("x\r\n")); err != nil || string(s.Data) != "x\n" {
		t.Fatal(s, err)
	}
	g.write("f", "two\n")
	g.write(".gitattributes", "f -text\n")
	g.commit("b")
	g.run("branch", "-f", "x")
	g.run("branch", "later")
	g.run("config", "core.fileMode", "false")
	g.run("gc", "-q", "--prune=now")
	for name, want := range map[string]string{"HEAD": a.String(), "x": a.String(), "HEAD:f": blob.String(), ":f": blob.String()} {
		if rev, err := r.Resolve(t.Context(), name); err != nil || rev.OID.String() != want {
			t.Errorf("%s is now %s, %v", name, rev.OID, err)
		}
	}
	_, err = r.Ref(t.Context(), "refs/heads/later")
	wantFault(t, err, NoRef)
	if s, err := r.ToGit(t.Context(), "f", []byte("x\r\n")); err != nil || string(s.Data) != "x\n" {
		t.Errorf("attributes changed: %q, %v", s.Data, err)
	}
	if on, err := r.CoreFileMode(); !on || err != nil {
		t.Errorf("the configuration changed, %v", err)
	}
	if rev, err := g.open().Resolve(t.Context(), "HEAD"); err != nil || rev.OID == a {
		t.Errorf("a second observation is %s, %v", rev.OID, err)
	}
}

func TestSeveralGoroutinesShareARepo(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		g := richRepo(t)
		g.foreign = foreign
		conflictIndex(g)
		r := g.open()
		want := g.oid("HEAD:d/e/h")
		head := g.oid("HEAD")
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for j := range 20 {
					if rev, err := r.Resolve(t.Context(), fmt.Sprintf("HEAD~%d:d/e/h", (i+j)%4)); err != nil || rev.OID != want {
						t.Error(rev, err)
					}
					if _, err := r.Index(t.Context(), "conflict"); err != nil {
						t.Error(err)
					}
					if _, err := r.ToGit(t.Context(), "d/g", []byte("x\r\n")); err != nil {
						t.Error(err)
					}
					if _, err := r.Read(t.Context(), want, 100); err != nil {
						t.Error(err)
					}
					if ok, err := r.IsAncestor(t.Context(), head, head); err != nil || !ok {
						t.Error(ok, err)
					}
					r.Notes()
				}
			})
		}
		wg.Wait()
	}
}

func TestPathOfFourKilobytes(t *testing.T) {
	g := newTestGit(t)
	long := strings.TrimSuffix(strings.Repeat(strings.Repeat("p", 99)+"/", 41), "/")
	blob := g.feed("deep\n", "hash-object", "-w", "--stdin")
	g.feed("100644 "+blob+"\t"+long+"\n", "update-index", "--index-info")
	tree := g.run("write-tree")
	r := g.open()
	id, err := ParseOID(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"2", "4"} {
		g.run("update-index", "--index-version", version)
		if entries, err := g.open().Index(t.Context(), long); err != nil || len(entries) != 1 {
			t.Errorf("index version %s: %v, %v", version, entries, err)
		}
	}
	if e, err := r.Lookup(t.Context(), id, long); err != nil || e.OID.String() != blob {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = r.Lookup(t.Context(), id, long+"x")
	wantFault(t, err, NoPath)
}

func TestUninitialisedSubmoduleIsNamed(t *testing.T) {
	g := richRepo(t)
	r := g.open()
	_, err := r.Resolve(t.Context(), "HEAD:sub/x")
	wantFault(t, err, InSubmodule)
	rev, err := r.Resolve(t.Context(), "HEAD:sub")
	if err != nil || rev.Type != CommitObject {
		t.Errorf("%+v, %v", rev, err)
	}
	mkdir(t, filepath.Join(g.dir, "sub"))
	inside, err := g.tryOpen(filepath.Join(g.dir, "sub"))
	if err != nil || inside.Top() != g.dir {
		t.Errorf("from an uninitialised submodule git works in the repository around it: %v", err)
	}
}
