package gitref

import (
	"os"
	"strings"
	"testing"
)

// TestWholeFindsEveryObjectThatIsGone removes each object of a tree in turn.
func TestWholeFindsEveryObjectThatIsGone(t *testing.T) {
	g := richRepo(t)
	tree := g.oid("HEAD^{tree}")
	ids := map[string]bool{}
	for line := range strings.SplitSeq(g.run("ls-tree", "-r", "-t", "HEAD"), "\n") {
		if f := strings.Fields(line); f[1] != "commit" {
			ids[f[2]] = true
		}
	}
	ids[tree.String()] = true
	n, err := g.open().Whole(t.Context(), tree, noLimit)
	if err != nil || n != len(ids) || n < 14 {
		t.Fatalf("%d objects (%v), git lists %d", n, err, len(ids))
	}
	for id := range ids {
		name := loosePath(g.objectDir(), mustOID(t, id))
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, harm := range []struct {
			write string
			want  Fault
		}{{"", NoObject}, {"garbage", Corrupt}} {
			os.Remove(name)
			if harm.write != "" {
				g.write(name[len(g.dir)+1:], harm.write)
			}
			_, err := g.open().Whole(t.Context(), tree, noLimit)
			wantFault(t, err, harm.want)
		}
		os.Remove(name)
		g.write(name[len(g.dir)+1:], string(data))
	}
}

// TestWholeHasBounds holds that a blob over the limit is no proof, and that a
// tree that calls a blob a tree is a contradiction.
func TestWholeHasBounds(t *testing.T) {
	g := newTestGit(t)
	blob := mustOID(t, g.feed("0123456789", "hash-object", "-w", "--stdin"))
	r := g.open()
	_, err := r.Whole(t.Context(), g.tree(treeLine("100644", "f", blob)), 9)
	wantFault(t, err, OverLimit)
	_, err = r.Whole(t.Context(), g.tree(treeLine("40000", "d", blob)), noLimit)
	wantFault(t, err, Corrupt)
	inner := g.tree(treeLine("100644", "f", blob))
	_, err = r.Whole(t.Context(), g.tree(treeLine("100644", "f", inner)), noLimit)
	wantFault(t, err, Corrupt)
}
