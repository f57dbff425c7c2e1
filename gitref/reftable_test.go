package gitref

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// tableVector is a stored repository with reftables and its answers.
type tableVector struct {
	name      string
	dir       string     // where its worktrees were unpacked
	refs      [][]string // worktree, name, id and what it points to at last; "-" for none
	revisions [][]string // worktree, revision, id
}

const tableVectorDir = "../testdata/vectors/reftable"

func tableVectors(t *testing.T) []tableVector {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(tableVectorDir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	var all []tableVector
	for _, name := range names {
		all = append(all, unpackTables(t, name))
	}
	return all
}

func unpackTables(t *testing.T, name string) tableVector {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if !strings.HasPrefix(line, "comment: ") {
			t.Fatalf("%s: unknown header %q", name, line)
		}
	}
	v := tableVector{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), dir: t.TempDir()}
	mkdir(t, filepath.Join(v.dir, "main", ".git", "objects"))
	for _, f := range archive.Files {
		base, binary := strings.CutSuffix(f.Name, ".base64")
		switch {
		case f.Name == "made":
		case f.Name == "refs":
			v.refs = answers(t, name, f.Data, 4)
		case f.Name == "revisions":
			v.revisions = answers(t, name, f.Data, 3)
		case binary:
			data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(f.Data), "\n", ""))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, f.Name, err)
			}
			put(t, filepath.Join(v.dir, base), string(data))
		case strings.Contains(f.Name, ".git"):
			put(t, filepath.Join(v.dir, base), string(f.Data))
		default:
			t.Fatalf("%s: unknown member %q", name, f.Name)
		}
	}
	return v
}

func answers(t *testing.T, name string, data []byte, fields int) (all [][]string) {
	t.Helper()
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != fields {
			t.Fatalf("%s: %q has %d fields", name, line, len(f))
		}
		all = append(all, f)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no answers", name)
	}
	return all
}

// open opens one of the vector's worktrees.
func (v tableVector) open(t *testing.T, worktree string, env ...string) (*Repo, error) {
	t.Helper()
	g := &testGit{t: t, dir: filepath.Join(v.dir, worktree)}
	return g.tryOpen(g.dir, env...)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// compareTableRefs asks what answers for refs for each that the vector names.
func compareTableRefs(t *testing.T, v tableVector, refs func(worktree string) refSource) {
	t.Helper()
	for _, want := range v.refs {
		got, err := followRef(refs(want[0]), want[1])
		if id := orDash(got.oid.String()); id != want[2] || orDash(got.symref) != want[3] || (err == nil) != (want[2] != "-") {
			t.Errorf("%s: %s in %s: %s %s, %v, want %v", v.name, want[1], want[0], id, got.symref, err, want[2:])
		}
		if fault := faultIn(err); err != nil && fault != NoRef && (fault != BrokenRef || want[1] != "refs/heads/.invalid") {
			t.Errorf("%s: %s in %s: fault %d, %v", v.name, want[1], want[0], fault, err)
		}
	}
}

// TestReftableVectors reads stored repositories without any git.
func TestReftableVectors(t *testing.T) {
	for _, v := range tableVectors(t) {
		t.Run(v.name, func(t *testing.T) {
			sources := map[string]refSource{}
			compareTableRefs(t, v, func(worktree string) refSource {
				if sources[worktree] == nil {
					sources[worktree] = v.source(t, worktree)
				}
				return sources[worktree]
			})
			for _, s := range sources {
				if found, err := s.hasPrefix("refs/replace/"); found || err != nil {
					t.Errorf("replacements: %t, %v", found, err)
				}
				if found, err := s.hasPrefix("refs/heads/"); found != (v.name != "unborn") || err != nil {
					t.Errorf("branches: %t, %v", found, err)
				}
			}
			r, err := v.open(t, "main", "PATH=/nowhere")
			if err != nil || !isNative(r) {
				t.Fatal("not read natively:", err)
			}
			v.compareRevisions(t, "PATH=/nowhere")
		})
	}
}

// source reads the tables of a worktree, whatever its objects are.
func (v tableVector) source(t *testing.T, worktree string) refSource {
	t.Helper()
	common := filepath.Join(v.dir, "main", ".git")
	r := &reftableRefs{files: &fileRefs{gitDir: common, commonDir: common, hashSize: 20}}
	if worktree != "main" {
		r.files.gitDir = filepath.Join(common, "worktrees", worktree)
	}
	if v.name == "sha256" {
		r.files.hashSize = 32
	}
	t.Cleanup(r.close)
	return r
}

func (v tableVector) compareRevisions(t *testing.T, env ...string) {
	t.Helper()
	for _, want := range v.revisions {
		r, err := v.open(t, want[0], env...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Resolve(t.Context(), want[1])
		if orDash(got.OID.String()) != want[2] || (err == nil) != (want[2] != "-") {
			t.Errorf("%s: %s in %s is %s, %v, want %s", v.name, want[1], want[0], got.OID, err, want[2])
		}
	}
}

func wantRefused(t *testing.T, err error, subject string) {
	t.Helper()
	wantFault(t, err, Unsupported)
	if e, ok := err.(*Error); ok && e.Subject != subject {
		t.Errorf("subject %q, want %q", e.Subject, subject)
	}
}

// TestReftableVectorsBesideGit holds the vectors to the installed git where that
// reads them, and the exact refusal of what only git could answer where not.
func TestReftableVectorsBesideGit(t *testing.T) {
	for _, v := range tableVectors(t) {
		g := &testGit{t: t, dir: filepath.Join(v.dir, "main")}
		if g.code("for-each-ref") != 0 {
			r, err := v.open(t, "main")
			if err == nil {
				_, err = r.Resolve(t.Context(), "HEAD@{0}")
			}
			wantRefused(t, err, r.format.extensions())
			continue
		}
		for _, want := range append(v.revisions, v.refs...) {
			out, err := g.command("-C", filepath.Join(v.dir, want[0]), "rev-parse", "--verify", "-q", "--end-of-options", want[1]).Output()
			if got := orDash(strings.TrimSpace(string(out))); want[1] != "refs/heads/.invalid" && (got != want[2] || (err == nil) != (got != "-")) {
				t.Errorf("%s: git says of %s in %s: %s, %v, want %s", v.name, want[1], want[0], got, err, want[2])
			}
		}
		v.compareRevisions(t)
	}
}

// A git that does not know reftables finds a HEAD and a file in the place of the
// branches, which say nothing.
func TestStubOfAReftableIsNeverBelieved(t *testing.T) {
	v := unpackTables(t, filepath.Join(tableVectorDir, "stack.txtar"))
	dir := filepath.Join(v.dir, "main", ".git")
	config, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	set := func(from, to string) {
		put(t, filepath.Join(dir, "config"), strings.ReplaceAll(string(config), from, to))
	}
	put(t, filepath.Join(dir, "packed-refs"), v.refs[1][2]+" refs/heads/stale\n")
	set("", "")
	r, err := v.open(t, "main")
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Ref(t.Context(), "refs/heads/stale")
	wantFault(t, err, NoRef)

	set("repositoryformatversion = 1", "repositoryformatversion = 0")
	_, err = v.open(t, "main")
	wantRefused(t, err, "extensions.refstorage=reftable")

	set("refstorage = reftable", "refstorage = files")
	if r, err = v.open(t, "main"); err != nil {
		t.Fatal(err)
	}
	_, err = r.Ref(t.Context(), "HEAD")
	wantFault(t, err, BrokenRef)
	_, err = r.Ref(t.Context(), "refs/heads/main")
	wantFault(t, err, NoRef)

	set("", "")
	if err := os.RemoveAll(filepath.Join(dir, "reftable")); err != nil {
		t.Fatal(err)
	}
	if r, err = v.open(t, "main"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HEAD", "refs/heads/main", "refs/heads/none"} {
		_, err = r.Ref(t.Context(), name)
		wantFault(t, err, Corrupt)
	}
}
