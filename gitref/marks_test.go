package gitref

import (
	"math/rand/v2"
	"testing"
)

// TestMarks sets flags all over a graph and behind it, few and many, and finds
// each again as it was left.
func TestMarks(t *testing.T) {
	for _, shape := range []struct{ graph, all, commits int32 }{
		{0, 10, 100}, {0, 40_000, 5000}, {90_000, 90_000, 100}, {90_000, 90_000, maxMarkPieces}, {90_000, 91_000, 5000}, {1, 3, 10},
	} {
		random := rand.New(rand.NewPCG(1, uint64(shape.commits)))
		m, want := newMarks(shape.graph), map[int32]uint8{}
		for range shape.commits {
			n, flag := random.Int32N(shape.all), uint8(1)<<random.IntN(8)
			if got := m.at(n); *got != want[n] {
				t.Fatalf("%+v: commit %d has the flags %08b, want %08b", shape, n, *got, want[n])
			} else {
				*got |= flag
			}
			want[n] |= flag
		}
		if small := shape.commits <= maxMarkPieces && shape.all == shape.graph; small && m.table != nil {
			t.Fatalf("%+v: a short walk has a table", shape)
		}
		for n := range shape.all {
			if got := *m.at(n); got != want[n] {
				t.Fatalf("%+v: in the end commit %d has the flags %08b, want %08b", shape, n, got, want[n])
			}
		}
	}
}
