package authority

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestUnwrittenSaysWhy tells a full disk from what may not be written.
func TestUnwrittenSaysWhy(t *testing.T) {
	full := error(syscall.ENOSPC)
	if runtime.GOOS == "windows" {
		full = syscall.Errno(112)
	}
	for cause, want := range map[error]Code{full: MissingLimit, syscall.EACCES: MissingPermission} {
		err := &fs.PathError{Op: "write", Path: "/abs/f", Err: cause}
		f := unwritten("f", errors.Join(err, nil))
		if f.Code != want || !strings.HasPrefix(f.Proof, `"f" cannot be written: `) || strings.Contains(f.Proof, "/abs") {
			t.Errorf("%v became %v, want %s", cause, f, want)
		}
	}
}

// TestReplace writes what it may, refuses what it must, and leaves nothing beside.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("n", 255)
	for name, data := range map[string]string{"kept": "old", "changed": "other", long: "old", "folder/x": "x"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(data), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(t.Context(), Config{Dir: dir, Root: dir, MaxBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	stated := BLAKE3Sum([]byte("old"))
	for _, c := range []struct {
		path   string
		stated Identity
		code   Code // "" when it is written
	}{
		{"kept", stated, ""},
		{long, stated, ""},
		{"new", Identity{}, ""},
		{"changed", stated, AmbiguousObservation},
		{"changed", Identity{}, AmbiguousObservation},
		{"folder", stated, MissingNotRegular},
		{"gone", stated, MissingAuthority},
	} {
		err := w.Replace(t.Context(), c.path, c.stated, []byte("new"))
		f, _ := errors.AsType[*Fault](err)
		if c.code == "" && err != nil || c.code != "" && (f == nil || f.Code != c.code) {
			t.Errorf("%.20s: %v, want %q", c.path, err, c.code)
		}
		data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.path)))
		if written := string(data) == "new"; written != (c.code == "") {
			t.Errorf("%.20s: written is %v", c.path, written)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "kept")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v now (%v)", info.Mode(), err)
	}
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("left behind: %v (%v)", names, err)
	}
}

// TestUnwritten holds that what cannot be written is named from the root, with what
// the system says.
func TestUnwritten(t *testing.T) {
	f := unwritten("docs/ctxptr.pins", &fs.PathError{Op: "write", Path: "/tmp/x", Err: syscall.ENOSPC})
	if want := `"docs/ctxptr.pins" cannot be written: ` + syscall.ENOSPC.Error(); f.Proof != want {
		t.Errorf("%s, want %s", f.Proof, want)
	}
}

// TestReplaceAtOnce lets many replace the same file: each that says so has replaced
// what it stated, so that the last content is of as many as were told it was written.
func TestReplaceAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no lock of folders")
	}
	dir := t.TempDir()
	const writers = 16
	var written atomic.Int64
	for range 20 {
		written.Store(0)
		if err := os.WriteFile(filepath.Join(dir, "list"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range writers {
			wait.Go(func() {
				w, err := Open(t.Context(), Config{Dir: dir, Root: dir, MaxBytes: 1000})
				if err != nil {
					t.Error(err)
					return
				}
				defer w.Close()
				old, err := os.ReadFile(filepath.Join(dir, "list"))
				if err != nil {
					t.Error(err)
				} else if w.Replace(t.Context(), "list", BLAKE3Sum(old), append(old, '.')) == nil {
					written.Add(1)
				}
			})
		}
		wait.Wait()
		got, err := os.ReadFile(filepath.Join(dir, "list"))
		if err != nil || int64(len(got)) != written.Load() {
			t.Fatalf("%d said it was written, and %d were (%v)", written.Load(), len(got), err)
		}
	}
}
