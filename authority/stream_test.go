package authority

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestStreamEqualsDigest digests files of lengths around the buffers while they
// are read, and compares with the digest of the whole.
func TestStreamEqualsDigest(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(t.Context(), Config{Dir: dir, Root: dir, MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, size := range []int{streamAbove, streamAbove + 1, ahead * streamAbove, ahead*streamAbove - 1, 3*ahead*streamAbove + 7} {
		data := pattern(size)
		if err := os.WriteFile(filepath.Join(dir, "f"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, tag := range []Tag{BLAKE3, SHA256, GitBlob} {
			stated := Digest(Like(tag, false), data)
			o := observeFile(t, w, "f")
			if f, ok, err := o.Stream(t.Context(), stated); err != nil || !ok || f.Identity != stated {
				t.Errorf("%d bytes, %s: %v, %t, %v", size, tag, f.Identity, ok, err)
			}
			if _, ok, err := o.Stream(t.Context(), Digest(Like(tag, false), data[1:])); err != nil || ok {
				t.Errorf("%d bytes, %s: another identity is taken for it (%v)", size, tag, err)
			}
		}
	}
}

func observeFile(t *testing.T, w *Workspace, p string) *Observation {
	t.Helper()
	l, err := ParseLocator(fileKind, p)
	if err != nil {
		t.Fatal(err)
	}
	o, err := l.Observe(t.Context(), w, "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestStreamOfShortFiles leaves what is short to be held.
func TestStreamOfShortFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), pattern(streamAbove-1), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Open(t.Context(), Config{Dir: dir, Root: dir, MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, ok, err := observeFile(t, w, "f").Stream(t.Context(), BLAKE3Sum(pattern(streamAbove-1))); ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
}

// TestStreamEnds ends the digest of a reader that fails, and of one that never
// ends when the context does.
func TestStreamEnds(t *testing.T) {
	broken := errors.New("broken")
	d, _ := newDigest(Like(BLAKE3, false), 0)
	_, err := d.readFrom(t.Context(), readerFunc(func([]byte) (int, error) { return 0, broken }), "f")
	if f, ok := errors.AsType[*Fault](err); !ok || !errors.Is(f, broken) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	endless := readerFunc(func(p []byte) (int, error) {
		if reads++; reads == 3*ahead {
			cancel()
		}
		return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
	})
	_, err = d.readFrom(ctx, endless, "f")
	if f, ok := errors.AsType[*Fault](err); !ok || f.Code != MissingLimit {
		t.Errorf("%v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
