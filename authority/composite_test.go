package authority

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ctxptr/gitref"
)

// compositeVector is one line of testdata/vectors/composite.jsonl.
type compositeVector struct {
	Kind    string           `json:"kind"`
	Why     string           `json:"why"`
	Entries []compositeEntry `json:"entries"`
	BLAKE3  string           `json:"blake3"`
	SHA256  string           `json:"sha256"`
}

type compositeEntry struct {
	Path       string            `json:"path"`
	PathHex    string            `json:"path_hex"`
	Type       string            `json:"type"`
	Mode       string            `json:"mode"`
	Content    string            `json:"content"`
	ContentHex string            `json:"content_hex"`
	Head       string            `json:"head"`
	Changed    *[]compositeEntry `json:"changed"`
}

func (e compositeEntry) path(t *testing.T) string { return e.Path + unhex(t, e.PathHex) }

func (e compositeEntry) content(t *testing.T) []byte {
	return []byte(e.Content + unhex(t, e.ContentHex))
}

func unhex(t *testing.T, s string) string {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func readComposites(t *testing.T) []compositeVector {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", "composite.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []compositeVector
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		var v compositeVector
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(list) < 20 {
		t.Fatalf("there are %d vectors, want at least 20", len(list))
	}
	return list
}

var modes = map[string]gitref.Mode{
	"file": gitref.ModeFile, "exec": gitref.ModeExecutable, "symlink": gitref.ModeSymlink, "repo": gitref.ModeGitlink,
	"100644": gitref.ModeFile, "100755": gitref.ModeExecutable, "120000": gitref.ModeSymlink, "160000": gitref.ModeGitlink,
}

// workFiles makes of entries what a walk would have found.
func workFiles(t *testing.T, tag Tag, entries []compositeEntry) (files []*gitref.WorkFile, dirty map[string]string) {
	t.Helper()
	dirty = map[string]string{}
	for _, e := range entries {
		f := &gitref.WorkFile{Path: e.path(t), Mode: modes[e.Type+e.Mode]}
		if e.Head != "" {
			oid, err := gitref.ParseOID(e.Head)
			if err != nil {
				t.Fatal(err)
			}
			f.OID = oid
		} else {
			f.OID = gitref.BlobOID(e.content(t), 20)
			f.Digest = Digest(Like(tag, false), e.content(t)).sum
		}
		if e.Changed != nil {
			inner, innerDirty := workFiles(t, tag, *e.Changed)
			dirty[f.Path] = (&snapshot{tag: tag, dirty: innerDirty}).compose(slices.Values(inner)).identity().Hex()
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *gitref.WorkFile) int { return cmp.Compare(a.Path, b.Path) })
	return files, dirty
}

// TestCompositeVectors composes each digest of entries that are given, and of the
// same entries made in a folder.
func TestCompositeVectors(t *testing.T) {
	for _, v := range readComposites(t) {
		for tag, want := range map[Tag]string{BLAKE3: v.BLAKE3, SHA256: v.SHA256} {
			t.Run(v.Kind+" "+string(tag)+" "+v.Why, func(t *testing.T) {
				files, dirty := workFiles(t, tag, v.Entries)
				c := composeDir(tag, slices.Values(files), 0)
				if v.Kind == "worktree" {
					c = (&snapshot{tag: tag, dirty: dirty}).compose(slices.Values(files))
				}
				if got := c.identity().Hex(); got != want {
					t.Errorf("composed %s, want %s", got, want)
				}
				if slices.ContainsFunc(v.Entries, func(e compositeEntry) bool { return e.Head != "" }) {
					return // the commit exists nowhere
				}
				v.checkFolder(t, tag, want)
			})
		}
	}
}

func (v compositeVector) checkFolder(t *testing.T, tag Tag, want string) {
	t.Helper()
	g := newTestRepo(t)
	if v.Kind == "dir" {
		if err := os.RemoveAll(g.path(".git")); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range v.Entries {
		name := g.path(e.path(t))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		switch modes[e.Type+e.Mode] {
		case gitref.ModeSymlink:
			err = os.Symlink(string(e.content(t)), name)
		case gitref.ModeExecutable:
			err = os.WriteFile(name, e.content(t), 0o755)
		default:
			err = os.WriteFile(name, e.content(t), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := g.identifyAs(tag, v.Kind, ".")
	if err != nil || got.Hex() != want {
		t.Errorf("the folder has %s, %v, want %s", got, err, want)
	}
}
