package resolver

import (
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
)

// TestRecordsShareWhatIsListed resolves many pointers that each fit more places
// than a record lists: all records together stay within one bound, and every
// place that is left out is counted.
func TestRecordsShareWhatIsListed(t *testing.T) {
	const places, pointers = 900, 1024
	w, _ := openFolder(t, "a.md", strings.Repeat("# h\n", places))
	pointer := "ctxptr:file:a.md@" + anyIdentity + ":matches_current#heading=h"
	for _, n := range []int{1, pointers} {
		total := 0
		for i, r := range resolveTexts(t, w, Options{}, slices.Repeat([]string{pointer}, n)...) {
			if r.Code != authority.AmbiguousSelection || len(r.Candidates) == 0 || len(r.Candidates)+r.Omitted != places {
				t.Fatalf("record %d of %d: %s, %d listed, %d omitted", i, n, r.Code, len(r.Candidates), r.Omitted)
			}
			total += len(r.Candidates)
		}
		if want := min(n*places, maxListed); total != want {
			t.Errorf("%d records list %d places, want %d", n, total, want)
		}
	}
}
