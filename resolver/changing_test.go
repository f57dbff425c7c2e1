package resolver

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ctxptr/authority"
)

// whileChanging runs look until change has been called many times beside it.
func whileChanging(t *testing.T, change func(i int) error, look func()) {
	t.Helper()
	const changes = 400
	done := make(chan error, 1)
	go func() {
		for i := range changes {
			if err := change(i); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		look()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

// TestReplacedWhileRead resolves a file that another process replaces all the
// time, as editors do. Every answer is that of one content or an exact block.
func TestReplacedWhileRead(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("alpha\n"), 40_000), bytes.Repeat([]byte("beta!\n"), 40_000)}
	ids := []string{authority.BLAKE3Sum(contents[0]).String(), authority.BLAKE3Sum(contents[1]).String()}
	w, file := openFolder(t, "a.md", string(contents[0]))
	pointer := "ctxptr:file:a.md@" + ids[0] + ":matches_current"
	next := filepath.Join(filepath.Dir(file), "next")
	change := func(i int) error {
		if err := os.WriteFile(next, contents[(i+1)%2], 0o666); err != nil {
			return err
		}
		return os.Rename(next, file)
	}
	looks := 0
	whileChanging(t, change, func() {
		looks++
		r := resolveTexts(t, w, Options{Keep: true}, pointer)[0]
		data, _ := r.Bytes()
		switch {
		case r.Outcome == Resolved && r.Identity == ids[0] && bytes.Equal(data, contents[0]):
		case r.Code == authority.StaleIdentity && r.Observed.Identity == ids[1]:
		case r.Code == authority.AmbiguousObservation:
		default:
			t.Errorf("%s %s: %s, observed %+v", r.Outcome, r.Code, r.MissingProof, r.Observed)
		}
		r = resolveTexts(t, w, Options{Refresh: true}, pointer)[0]
		switch {
		case r.Outcome == Resolved && r.Identity == ids[0]:
		case r.Outcome == Refreshed && (r.Identity == ids[0] || r.Identity == ids[1]):
		case r.Code == authority.AmbiguousObservation && r.Refresh == RefreshFailed:
		default:
			t.Errorf("refresh: %s %s: %s, observed %+v", r.Outcome, r.Code, r.MissingProof, r.Observed)
		}
	})
	if looks < 2 {
		t.Errorf("%d looks beside the writer: the test saw nothing", looks)
	}
}

// TestWrittenWhileRead resolves a file that is written in place all the time,
// longer and shorter: what is resolved has exactly the stated bytes, and nothing
// that a file only held half written is ever adopted.
func TestWrittenWhileRead(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("alpha\n"), 40_000), bytes.Repeat([]byte("beta\n"), 30_000)}
	ids := []string{authority.BLAKE3Sum(contents[0]).String(), authority.BLAKE3Sum(contents[1]).String()}
	w, file := openFolder(t, "a.md", string(contents[0]))
	pointer := "ctxptr:file:a.md@" + ids[0] + ":matches_current"
	change := func(i int) error { return os.WriteFile(file, contents[(i+1)%2], 0o666) }
	looks := 0
	whileChanging(t, change, func() {
		looks++
		r := resolveTexts(t, w, Options{Keep: true}, pointer)[0]
		data, _ := r.Bytes()
		switch {
		case r.Outcome == Resolved && r.Identity == ids[0] && bytes.Equal(data, contents[0]):
		case r.Code == authority.StaleIdentity && r.Observed.Identity != ids[0]:
		case r.Code == authority.AmbiguousObservation:
		default:
			t.Errorf("%s %s: %s, observed %+v", r.Outcome, r.Code, r.MissingProof, r.Observed)
		}
	})
	if looks < 2 {
		t.Errorf("%d looks beside the writer: the test saw nothing", looks)
	}
}
