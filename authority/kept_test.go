package authority

import (
	"runtime"
	"testing"

	"ctxptr/authority/selector"
)

// TestRangeKeepsNoComposer holds what a record holds of many ranges, and asks how
// much memory that keeps.
func TestRangeKeepsNoComposer(t *testing.T) {
	g := newTestRepo(t)
	g.write("f", "one\n")
	g.commit()
	w := g.open(Config{})
	l, err := ParseLocator(rangeKind, "HEAD..HEAD")
	if err != nil {
		t.Fatal(err)
	}
	const ranges = 400
	var counts [ranges]*int
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range counts {
		o, err := l.Observe(t.Context(), w, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Match(t.Context(), Like(BLAKE3, false), selector.Selector{}); err != nil {
			t.Fatal(err)
		}
		counts[i] = o.ChangedPaths
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > ranges<<12 {
		t.Errorf("%d counts keep %d bytes", ranges, kept)
	}
	for _, n := range counts {
		if n == nil || *n != 0 {
			t.Fatalf("a range of nothing has changed paths: %v", n)
		}
	}
}
