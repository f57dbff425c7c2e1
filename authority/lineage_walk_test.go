package authority

import (
	"slices"
	"testing"

	"ctxptr/gitref"
)

// TestBehindTheSame asks of three branches whether one of them or the commit that joins
// them descends from each: it is asked first from then on, so that of n branches not
// every one is held against all others.
func TestBehindTheSame(t *testing.T) {
	g := newTestRepo(t)
	g.write("a", "1")
	g.commit()
	base := g.run("rev-parse", "HEAD")
	tree := g.run("rev-parse", "HEAD^{tree}")
	var commits []gitref.OID
	merge := []string{"commit-tree", tree, "-m", "joined"}
	add := func(args ...string) string {
		id := g.run(args...)
		oid, err := gitref.ParseOID(id)
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, oid)
		return id
	}
	for _, name := range []string{"one", "two", "three"} {
		merge = append(merge, "-p", add("commit-tree", tree, "-p", base, "-m", name))
	}
	add(merge...)
	w := g.open(Config{})
	repo, err := w.worktree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &lineageSearch{descent: &descent{repo: repo}}
	others := slices.Clone(commits)
	for i, c := range commits {
		behind, cut, err := s.behindAny(t.Context(), others, c)
		if want := i < 3; behind != want || len(cut) > 0 || err != nil {
			t.Errorf("commit %d: got %t, %v, %v", i, behind, cut, err)
		}
		if others[0] != commits[3] {
			t.Errorf("after commit %d the one that joins them is not asked first", i)
		}
	}
}
