package gitref

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A file of the store that only has the name of one must not be waited for.
func TestFIFO(t *testing.T) {
	for _, name := range []string{"loose", "pack/pack-x.idx", "pack/pack-x.pack", "pack/multi-pack-index", "info/alternates"} {
		g, all := smallRepo(t)
		g.run("repack", "-adq")
		id := testID([]byte{1, 2, 3})
		path := filepath.Join(g.objectDir(), name)
		if name == "loose" {
			path = loosePath(g.objectDir(), id)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
		s := g.store()
		if _, err := s.read(keys(all)[0], noLimit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, err := s.read(id, noLimit)
		if want := map[bool]Fault{true: NoObject, false: Corrupt}[name == "pack/multi-pack-index"]; faultIn(err) != want {
			t.Errorf("%s: fault %d, %v", name, faultIn(err), err)
		}
	}
}

func TestFIFOGraph(t *testing.T) {
	g, _ := smallRepo(t)
	old, tip := g.oid("HEAD~2"), g.oid("HEAD")
	if err := unix.Mkfifo(filepath.Join(g.objectDir(), "info", "commit-graph"), 0o666); err != nil {
		t.Fatal(err)
	}
	h := newHistory(g.store(), testSize(), nil, false, []string{g.objectDir()})
	if yes, err := h.isAncestor(old, tip); err != nil || !yes {
		t.Errorf("beside a FIFO: %v, %v", yes, err)
	}
}

// asNobody runs f in a thread whose file access is that of an ordinary user.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		// The thread ends with the goroutine: it is never unlocked.
		runtime.LockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	<-done
}

func TestDenied(t *testing.T) {
	g, all := smallRepo(t)
	id := keys(all)[0]
	absent := testID([]byte{1, 2, 3})
	loose := loosePath(g.objectDir(), id)
	// Where tests run, the folders above must be open to everyone.
	for dir := g.objectDir(); dir != "/"; dir = filepath.Dir(dir) {
		if st, err := os.Stat(dir); err == nil && st.Mode().Perm()&0o005 != 0o005 {
			os.Chmod(dir, st.Mode().Perm()|0o055)
		}
	}
	if err := os.Chmod(loose, 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		_, err := g.store().read(id, noLimit)
		wantFault(t, err, Denied)
		_, err = g.store().read(absent, noLimit)
		wantFault(t, err, NoObject)
	})
	if err := os.Chmod(loose, 0o444); err != nil {
		t.Fatal(err)
	}
	g.run("repack", "-adq")
	if err := os.Chmod(g.packFiles(".idx")[0], 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		for _, id := range []OID{id, absent} {
			_, err := g.store().read(id, noLimit)
			wantFault(t, err, Denied)
		}
		_, err := g.store().expand("0123")
		wantFault(t, err, Denied)
	})
}

// TestOpenFolderFollowsNoLink opens folders by paths in which a link stands.
func TestOpenFolderFollowsNoLink(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(top, "d/e"), 0o777), os.Symlink("d", filepath.Join(top, "link"))); err != nil {
		t.Fatal(err)
	}
	for name, opens := range map[string]bool{"d": true, "d/e": true, "link": false, "link/e": false, "gone/e": false} {
		d, err := openFolder(filepath.Join(top, name))
		if (err == nil) != opens {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			d.release()
		}
	}
}
