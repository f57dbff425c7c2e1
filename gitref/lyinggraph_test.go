package gitref

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A commit-graph may say what the commits do not and have a right checksum: along
// every trail the objects are asked, in the first question and in later ones, so that
// what is said to be an ancestor is one.
func TestLyingGraph(t *testing.T) {
	g := newTestGit(t)
	ids := g.randomHistory(14, 11)
	g.run("commit-graph", "write", "--reachable")
	behind := map[OID]string{}
	for _, id := range ids {
		behind[id] = g.run("rev-list", id.String())
	}
	file, s := filepath.Join(g.objectDir(), "info", "commit-graph"), g.store()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, file, 0o666)
	rnd := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 500 {
		put(t, file, string(lyingGraph(t, slices.Clone(whole), rnd)))
		h := newHistory(s, testSize(), nil, false, []string{g.objectDir()})
		for range 6 {
			a, d := ids[rnd.IntN(len(ids))], ids[rnd.IntN(len(ids))]
			got, err := h.isAncestor(a, d)
			if err != nil || got && !strings.Contains(behind[d], a.String()) {
				t.Fatalf("isAncestor(%v, %v) = %v, %v", a, d, got, err)
			}
			if got && a != d && h.graph != nil {
				found++
			}
		}
		if err := h.close(); err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no graph was believed")
	}
}

// lyingGraph changes parents, lists of parents, generations and dates of a graph,
// and makes its checksum right again.
func lyingGraph(t *testing.T, b []byte, rnd *rand.Rand) []byte {
	t.Helper()
	g, err := newGraph([]*view{memoryView(b)}, nil, testSize())
	if err != nil {
		t.Fatal(err)
	}
	l := g.layers[0]
	commit := func() uint32 { return uint32(rnd.IntN(l.count)) }
	for range 1 + rnd.IntN(3) {
		at := l.data.off + int64(commit())*int64(testSize()+commitFixed) + int64(testSize())
		switch rnd.IntN(4) {
		case 0, 1:
			word := []uint32{commit(), commit(), graphNoParent, graphManyBit | rnd.Uint32N(4)}[rnd.IntN(4)]
			binary.BigEndian.PutUint32(b[at+4*rnd.Int64N(2):], word)
		case 2:
			at := l.edges.off + 4*rnd.Int64N(l.edges.size/4)
			binary.BigEndian.PutUint32(b[at:], commit()|rnd.Uint32N(2)<<31)
		case 3:
			b[at+8+rnd.Int64N(8)] = byte(rnd.IntN(256))
		}
	}
	body := len(b) - testSize()
	copy(b[body:], sumOf(testSize(), b[:body]).Bytes())
	return b
}
