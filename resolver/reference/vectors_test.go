package reference

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is found into the vectors, to be read before it is kept")

const vectorDir = "../../testdata/vectors/reference"

// expectation is one reference that a vector expects.
type expectation struct {
	Form   Form        `json:"form"`
	Skip   Skip        `json:"skip,omitempty"`
	Line   int         `json:"line"`
	Column int         `json:"column"`
	Text   string      `json:"text"`
	Target wantsTarget `json:"target,omitzero"`
}

type wantsTarget struct {
	Base     Base   `json:"base,omitempty"`
	Path     string `json:"path,omitempty"`
	Lines    [2]int `json:"lines,omitzero"`
	Fragment string `json:"fragment,omitempty"`
	Web      string `json:"web,omitempty"`
	Revision string `json:"revision,omitempty"`
	Range    string `json:"range,omitempty"`
}

// vector is a document and what stands in it.
type vector struct {
	path string
	data []byte
	want []expectation
}

func readVector(t *testing.T, name string) vector {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) != 2 || archive.Files[1].Name != "want" {
		t.Fatalf("%s: a vector has a document and what is wanted", name)
	}
	v := vector{path: archive.Files[0].Name, data: archive.Files[0].Data}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case key == "comment" && value != "":
		case key == "encoding" && value == "base64":
			if v.data, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(string(v.data), "\n", "")); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		default:
			t.Fatalf("%s: unknown header %q", name, line)
		}
	}
	v.want = readExpectations(t, name, archive.Files[1].Data)
	return v
}

func readExpectations(t *testing.T, name string, data []byte) (all []expectation) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	for {
		var e expectation
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: expectation %d: %v", name, len(all)+1, err)
		}
		all = append(all, e)
	}
}

func found(t *testing.T, v vector) (all []expectation) {
	t.Helper()
	for _, r := range check(t, v.path, v.data) {
		all = append(all, expectation{r.Form, r.Skip, r.Line, r.Column, r.Text, wantsTarget(r.Target)})
	}
	return all
}

func encode(all []expectation) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range all {
		_ = enc.Encode(e)
	}
	return b.Bytes()
}

func TestVectors(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(vectorDir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	forms, skips, count := map[Form]int{}, map[Skip]int{}, 0
	for _, name := range names {
		v := readVector(t, name)
		got := found(t, v)
		if *update {
			archive, _ := txtar.ParseFile(name)
			archive.Files[1].Data = encode(got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, v.want) {
			t.Errorf("%s: found\n%swant\n%s", filepath.Base(name), encode(got), encode(v.want))
		}
		for _, e := range v.want {
			count++
			forms[e.Form]++
			skips[e.Skip]++
		}
	}
	if count < 400 {
		t.Errorf("the vectors expect %d references, want at least 400", count)
	}
	for _, f := range []Form{Pointer, Link, PathLine, Continuation, PathFragment, Permalink, Import, FileBlock, Source, FrontMatter, Commit, Range} {
		if forms[f] == 0 {
			t.Errorf("no vector has the form %s", f)
		}
	}
	for _, s := range []Skip{"", Placeholder, Sample, Elsewhere} {
		if skips[s] == 0 {
			t.Errorf("no vector has the skip %q", s)
		}
	}
	t.Logf("%d references in %d documents; forms %v", count, len(names), forms)
}
