package gitref

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// open opens the repository from its top with the environment of the git
// commands the test runs, and further variables NAME=value.
func (g *testGit) open(env ...string) *Repo {
	g.t.Helper()
	r, err := g.tryOpen(g.dir, env...)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

func (g *testGit) tryOpen(dir string, env ...string) (*Repo, error) {
	g.t.Helper()
	r, err := Open(context.Background(), dir, Options{Getenv: g.getenv(env...)})
	if err == nil {
		g.t.Cleanup(func() {
			if err := r.Close(); err != nil {
				g.t.Error(err)
			}
		})
	}
	if err == nil && g.foreign {
		err = handOver(r)
	}
	return r, err
}

// getenv looks variables up as the git commands of the test see them.
func (g *testGit) getenv(env ...string) func(string) string {
	vars := map[string]string{}
	for _, list := range [][]string{g.command().Env, env} {
		for _, v := range list {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
	}
	return func(name string) string { return vars[name] }
}

// isNative reports whether objects and refs are read from the repository's files,
// and not by the git binary.
func isNative(r *Repo) bool {
	_, native := r.objects.(*store)
	return native
}

func TestOpenReadsAnOrdinaryRepository(t *testing.T) {
	g := newTestGit(t)
	g.write("a/b.txt", "hello\n")
	c := g.commit("one")
	r := g.open()
	rev, err := r.Resolve(t.Context(), "HEAD:a/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := g.oid("HEAD:a/b.txt"); rev.OID != want || rev.Type != BlobObject {
		t.Errorf("HEAD:a/b.txt is %s %s, want blob %s", rev.Type, rev.OID, want)
	}
	ref, err := r.Ref(t.Context(), "HEAD")
	if err != nil || ref.OID != c || ref.Symref != "refs/heads/main" || ref.PeeledType != CommitObject {
		t.Errorf("HEAD is %+v, %v", ref, err)
	}
	obj, err := r.Read(t.Context(), rev.OID, 100)
	if err != nil || string(obj.Data) != "hello\n" {
		t.Errorf("read %q, %v", obj.Data, err)
	}
	entries, err := r.Index(t.Context(), "a/b.txt")
	if err != nil || len(entries) != 1 || entries[0].OID != rev.OID || entries[0].Size != 6 {
		t.Errorf("index has %+v, %v", entries, err)
	}
	if r.Top() != g.dir || !isNative(r) || len(r.Notes()) != 0 {
		t.Errorf("top %s, native %t, notes %v", r.Top(), isNative(r), r.Notes())
	}
}

func TestRemoteURLIsTheFirstConfigured(t *testing.T) {
	g := newTestGit(t)
	g.run("config", "--add", "remote.Origin.url", "https://example.org/a b")
	g.run("config", "--add", "remote.Origin.url", "second")
	r := g.open()
	all := strings.Split(g.run("config", "--get-all", "remote.Origin.url"), "\n")
	if got, err := r.RemoteURLs("Origin"); err != nil || !slices.Equal(got, all[:1]) {
		t.Errorf("URLs %q, %v", got, err)
	}
	if got, err := r.RemoteURLs("origin"); err != nil || got != nil {
		t.Errorf("another remote's URLs %q, %v", got, err)
	}
}
