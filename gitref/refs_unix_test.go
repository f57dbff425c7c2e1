//go:build unix

package gitref

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestFIFOsNeverBlock(t *testing.T) {
	g := newTestGit(t)
	g.write("d/f", "x\n")
	c := g.commit("c")
	for _, name := range []string{".git/refs/heads/fifo", ".git/FETCH_HEAD", ".git/shallow", "d/.gitattributes", ".gitattributes"} {
		if err := syscall.Mkfifo(filepath.Join(g.dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := g.open()
	for _, name := range []string{"refs/heads/fifo", "FETCH_HEAD"} {
		_, err := r.Ref(t.Context(), name)
		wantFault(t, err, BrokenRef)
	}
	_, err := r.Resolve(t.Context(), "fifo")
	wantFault(t, err, BrokenRef)
	if rev, err := r.Resolve(t.Context(), "HEAD"); err != nil || rev.OID != c {
		t.Errorf("HEAD is %s, %v", rev.OID, err)
	}
	if _, err := r.ToGit(t.Context(), "d/f", []byte("x\n")); err != nil {
		t.Errorf("attributes: %v", err)
	}
	_, err = r.Resolve(t.Context(), "HEAD~1")
	wantFault(t, err, Corrupt)

	odd := newTestGit(t)
	if err := syscall.Mkfifo(filepath.Join(odd.dir, ".git/packed-refs"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = odd.open().Ref(t.Context(), "refs/heads/x")
	wantFault(t, err, Corrupt)
	if err := syscall.Mkfifo(filepath.Join(odd.dir, ".git/index"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = odd.open().Index(t.Context(), "f")
	wantFault(t, err, Corrupt)
}
