package documents

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// expected is what a vector says of one record.
type expected struct {
	At      resolver.Place `json:"at"`
	Form    string         `json:"form,omitempty"`
	Outcome string         `json:"outcome"`
	Code    authority.Code `json:"code,omitempty"`
	Pointer string         `json:"pointer,omitempty"`
}

// vector is one file under testdata/vectors/check.
type vector struct {
	plain  bool
	paths  []string
	files  map[string]string
	expect []expected
}

// leastVectors is how many there are at least.
const leastVectors = 22

func readVectors(t *testing.T) map[string]vector {
	t.Helper()
	names, err := filepath.Glob("../../testdata/vectors/check/*.txtar")
	if err != nil || len(names) < leastVectors {
		t.Fatalf("there are %d vectors, want at least %d (%v)", len(names), leastVectors, err)
	}
	all := map[string]vector{}
	for _, name := range names {
		v, err := readVector(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = v
	}
	return all
}

func readVector(name string) (vector, error) {
	v := vector{files: map[string]string{}}
	archive, err := txtar.ParseFile(name)
	if err != nil {
		return v, err
	}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case key == "comment" && value != "":
		case key == "plain" && value == "yes":
			v.plain = true
		case key == "path" && value != "":
			v.paths = append(v.paths, value)
		default:
			return v, fmt.Errorf("unknown key %q", line)
		}
	}
	for _, f := range archive.Files {
		if f.Name != "expect" {
			v.files[f.Name] = string(f.Data)
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			var e expected
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				return v, err
			}
			v.expect = append(v.expect, e)
		}
	}
	if len(v.expect) == 0 {
		return v, fmt.Errorf("nothing is expected")
	}
	return v, nil
}

// TestVectors checks the tree of every vector, outside of any repository.
func TestVectors(t *testing.T) {
	for name, v := range readVectors(t) {
		t.Run(name, func(t *testing.T) {
			w := open(t, v.files)
			scan, err := ScanDocuments(t.Context(), w, Scope{Plain: v.plain, Paths: v.paths})
			if err != nil {
				t.Fatal(err)
			}
			result, err := Check(t.Context(), w, scan, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got []expected
			for _, r := range result.Records {
				got = append(got, expected{*r.At, r.Form, r.Outcome, r.Code, r.Pointer})
			}
			if !reflect.DeepEqual(got, v.expect) {
				t.Errorf("got %+v\nwant %+v", got, v.expect)
			}
		})
	}
}

// open makes a workspace of files.
func open(t *testing.T, files map[string]string) *authority.Workspace {
	t.Helper()
	dir := t.TempDir()
	writeTree(t, dir, files)
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, Root: dir, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVectorsCover demands a vector for the codes that only documents can give,
// and for each outcome of a check.
func TestVectorsCover(t *testing.T) {
	var seen []string
	for _, v := range readVectors(t) {
		for _, e := range v.expect {
			seen = append(seen, string(e.Code), e.Outcome, "form "+e.Form)
		}
	}
	for _, need := range []string{
		string(authority.AmbiguousAuthority), string(authority.MissingReference),
		resolver.Resolved, resolver.Blocked, resolver.Exists, "form " + FormPin, "form " + formDocument,
	} {
		if !slices.Contains(seen, need) {
			t.Errorf("no vector has %s", need)
		}
	}
}
