//go:build unix

package authority

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ctxptr/authority/selector"
)

// arena is a root with a file beside which, outside the root, stands a secret.
type arena struct {
	root, outside string
	w             *Workspace
}

const (
	inside = "inside the root\n"
	secret = "outside the root\n"
)

func newArena(t *testing.T) arena {
	t.Helper()
	top := t.TempDir()
	a := arena{root: filepath.Join(top, "root"), outside: filepath.Join(top, "outside")}
	for dir, text := range map[string]string{a.root: inside, a.outside: secret} {
		for _, sub := range []string{"", "d"} {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, sub, "f"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	var err error
	a.w, err = Open(t.Context(), Config{Dir: a.root, Root: a.root, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.w.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// read reads the file at a locator as a resolution does: look, then read.
func (a arena) read(t *testing.T, locator string) (string, error) {
	t.Helper()
	l, err := ParseLocator(fileKind, locator)
	if err != nil {
		t.Fatal(err)
	}
	o, err := l.Observe(t.Context(), a.w, "")
	if err != nil {
		return "", err
	}
	f, err := o.Match(t.Context(), Like(BLAKE3, false), selector.Selector{})
	return string(f.Bytes), err
}

// race reads locator while swap goes back and forth, and holds that what is
// read is what stands inside the root, or an exact fault.
func (a arena) race(t *testing.T, locator string, swap func(back bool) error) {
	t.Helper()
	const swaps = 3000
	done := make(chan error, 1)
	go func() {
		for i := range swaps {
			if err := swap(i%2 == 1); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	seen := map[Code]int{}
	for {
		text, err := a.read(t, locator)
		f, blocked := errors.AsType[*Fault](err)
		switch {
		case err == nil && text != inside:
			t.Fatalf("read %q, which does not stand inside the root", text)
		case err == nil:
			seen["read"]++
		case !blocked:
			t.Fatalf("an error of no known type: %v", err)
		default:
			seen[f.Code]++
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			a.checkSeen(t, seen)
			return
		default:
		}
	}
}

// checkSeen refuses codes that none of the swapped states explains, and a race
// in which nothing was raced.
func (a arena) checkSeen(t *testing.T, seen map[Code]int) {
	t.Helper()
	total := 0
	for code, n := range seen {
		total += n
		switch code {
		case "read", MissingNotRegular, MissingAuthority, AmbiguousObservation:
		default:
			t.Errorf("%d times %s", n, code)
		}
	}
	if total < 2 {
		t.Errorf("%d reads beside the swaps: the test saw nothing", total)
	}
}

func TestSymlinkSwappedForFile(t *testing.T) {
	a := newArena(t)
	file, link, kept := filepath.Join(a.root, "f"), filepath.Join(a.root, "link"), filepath.Join(a.root, "kept")
	a.race(t, "f", func(back bool) error {
		if back {
			return os.Rename(kept, file)
		}
		return errors.Join(os.Link(file, kept), os.Symlink(filepath.Join(a.outside, "f"), link), os.Rename(link, file))
	})
}

func TestSymlinkSwappedForFolder(t *testing.T) {
	a := newArena(t)
	dir, kept := filepath.Join(a.root, "d"), filepath.Join(a.root, "kept")
	a.race(t, "d/f", func(back bool) error {
		if back {
			return errors.Join(os.Remove(dir), os.Rename(kept, dir))
		}
		return errors.Join(os.Rename(dir, kept), os.Symlink(filepath.Join(a.outside, "d"), dir))
	})
}

// TestRelativeSymlinkSwappedForFolder leaves the root by .. instead.
func TestRelativeSymlinkSwappedForFolder(t *testing.T) {
	a := newArena(t)
	dir, kept := filepath.Join(a.root, "d"), filepath.Join(a.root, "kept")
	a.race(t, "d/f", func(back bool) error {
		if back {
			return errors.Join(os.Remove(dir), os.Rename(kept, dir))
		}
		return errors.Join(os.Rename(dir, kept), os.Symlink("../outside/d", dir))
	})
}

// TestPipeSwappedForFile would never end if opening what was swapped in waited
// for a writer.
func TestPipeSwappedForFile(t *testing.T) {
	a := newArena(t)
	file, pipe, kept := filepath.Join(a.root, "f"), filepath.Join(a.root, "pipe"), filepath.Join(a.root, "kept")
	a.race(t, "f", func(back bool) error {
		if back {
			return os.Rename(kept, file)
		}
		return errors.Join(os.Link(file, kept), syscall.Mkfifo(pipe, 0o666), os.Rename(pipe, file))
	})
}

// TestFolderSwappedBeforeItIsWalked swaps what stands at a folder, or on the way to
// it, between the look and the walk: what stands outside the root is never
// identified, nor what is no folder.
func TestFolderSwappedBeforeItIsWalked(t *testing.T) {
	for _, c := range []struct {
		name, locator, swapped string
		git                    bool
		swap                   func(a arena, at string) error
	}{
		{"link on the way", "d/sub", "d", false, func(a arena, at string) error { return os.Symlink(filepath.Join(a.outside, "d"), at) }},
		{"link", "d", "d", false, func(a arena, at string) error { return os.Symlink(filepath.Join(a.outside, "d"), at) }},
		{"file", "d", "d", false, func(_ arena, at string) error { return os.WriteFile(at, nil, 0o666) }},
		{"link in a repository", "d", "d", true, func(a arena, at string) error { return os.Symlink(filepath.Join(a.outside, "d"), at) }},
		{"file in a repository", "d/sub", "d/sub", true, func(_ arena, at string) error { return os.WriteFile(at, nil, 0o666) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t)
			for _, top := range []string{a.root, a.outside} {
				if err := errors.Join(os.Mkdir(filepath.Join(top, "d/sub"), 0o777), os.Link(filepath.Join(top, "f"), filepath.Join(top, "d/sub/f"))); err != nil {
					t.Fatal(err)
				}
			}
			if c.git {
				g := &testRepo{t: t, dir: a.root}
				g.run("init", "-q")
			}
			l, err := ParseLocator(dirKind, c.locator)
			if err != nil {
				t.Fatal(err)
			}
			o, err := l.Observe(t.Context(), a.w, "")
			if err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(a.root, filepath.FromSlash(c.swapped))
			if err := errors.Join(os.Rename(at, at+"-kept"), c.swap(a, at)); err != nil {
				t.Fatal(err)
			}
			f, err := o.Match(t.Context(), Like(BLAKE3, false), selector.Selector{})
			if fault, ok := errors.AsType[*Fault](err); !ok || fault.Code != AmbiguousObservation && fault.Code != MissingSelection {
				t.Errorf("%v, %v; a folder stood there", f, err)
			}
		})
	}
}
