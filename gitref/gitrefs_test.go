package gitref

import (
	"context"
	"testing"
)

// throughGit makes the git binary answer for the refs of an ordinary repository,
// as it does for one whose ref storage is not read natively.
func (g *testGit) throughGit() *Repo {
	g.t.Helper()
	r := g.open()
	r.refs = &pinnedRefs{refSource: &gitRefs{git: r.binary()}}
	return r
}

// handOver makes the git binary answer for all of r, as for a repository of a format
// that is not known here.
func handOver(r *Repo) error {
	r.refs.close()
	if err := r.objects.close(); err != nil {
		return err
	}
	r.objects, r.format.foreign = nil, []string{"extensions.unheard"}
	return r.connect(context.Background())
}

func TestRefsThroughGitEqualGit(t *testing.T) {
	g := richRepo(t)
	hardenRefs(g)
	r := g.throughGit()
	if n := compareRefs(t, g, r); n < 20 {
		t.Errorf("%d refs were compared", n)
	}
	head, err := r.Ref(t.Context(), "HEAD")
	if err != nil || head.Symref != "refs/heads/main" || head.OID != g.oid("HEAD") {
		t.Errorf("HEAD is %+v, %v", head, err)
	}
	for _, rev := range []string{"main", "HEAD~1", "origin", "v1", "sym"} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got.OID != g.oid(rev) {
			t.Errorf("%s is %s, %v", rev, got.OID, err)
		}
	}
	_, err = r.Resolve(t.Context(), "twin")
	wantFault(t, err, AmbiguousRef)
	_, err = r.Ref(t.Context(), "refs/heads/nope")
	wantFault(t, err, NoRef)
	if found := r.hasReplacements(); found {
		t.Error("replacements found")
	}
	g.run("replace", "HEAD", "HEAD~1")
	if found := g.throughGit().hasReplacements(); !found {
		t.Error("no replacements found")
	}
}

func TestHeadThroughGit(t *testing.T) {
	g := newTestGit(t)
	_, err := g.throughGit().Ref(t.Context(), "HEAD")
	wantFault(t, err, NoRef)
	c := g.commit("c")
	g.run("checkout", "-q", "--detach")
	ref, err := g.throughGit().Ref(t.Context(), "HEAD")
	if err != nil || ref.OID != c || ref.Symref != "" {
		t.Errorf("detached: %+v, %v", ref, err)
	}
	// With a branch of that name nothing tells which of both git would answer for.
	g.run("update-ref", "refs/heads/HEAD", c.String())
	_, err = g.throughGit().Ref(t.Context(), "HEAD")
	wantFault(t, err, Unsupported)
	g.run("update-ref", "refs/heads/HEAD", g.run("commit-tree", "-m", "x", "HEAD^{tree}"))
	if ref, err := g.throughGit().Ref(t.Context(), "HEAD"); err != nil || ref.OID != c {
		t.Errorf("beside a branch of its name: %+v, %v", ref, err)
	}
	g.run("update-ref", "ORIG_HEAD", c.String())
	if ref, err := g.throughGit().Ref(t.Context(), "ORIG_HEAD"); err != nil || ref.OID != c {
		t.Errorf("ORIG_HEAD is %+v, %v", ref, err)
	}
	_, err = g.throughGit().Ref(t.Context(), "MERGE_HEAD")
	wantFault(t, err, NoRef)
}

func TestShallowHistoryThroughGitIsUnknown(t *testing.T) {
	src := newTestGit(t)
	for range 5 {
		src.commit("c")
	}
	g := src.clone("--depth", "2")
	g.foreign = true
	r := g.open()
	if yes, err := r.IsAncestor(t.Context(), g.oid("HEAD~1"), g.oid("HEAD")); err != nil || !yes {
		t.Errorf("HEAD~1 is an ancestor: %t, %v", yes, err)
	}
	orphan, err := ParseOID(g.run("commit-tree", "-m", "orphan", "HEAD^{tree}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.IsAncestor(t.Context(), orphan, g.oid("HEAD"))
	wantFault(t, err, Shallow)
	_, err = r.MergeBases(t.Context(), orphan, g.oid("HEAD"))
	wantFault(t, err, Shallow)
	_, err = r.Resolve(t.Context(), "HEAD~2")
	wantFault(t, err, Shallow)
	_, err = r.IsAncestor(t.Context(), g.oid("HEAD^{tree}"), g.oid("HEAD"))
	wantFault(t, err, WrongType)
}
