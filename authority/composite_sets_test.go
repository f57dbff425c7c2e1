package authority

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"ctxptr/gitref"
)

// rangeVector and inputsVector are lines of testdata/vectors/composite-sets.jsonl.
type rangeVector struct {
	Kind, Why, From string
	Entries         []struct {
		Path    string
		OldMode string `json:"old_mode"`
		NewMode string `json:"new_mode"`
		Old     string
		New     string
	}
	BLAKE3, SHA256 string
}

type inputsVector struct {
	Kind, Why      string
	Members        []struct{ Kind, Locator, Selector, Identity string }
	BLAKE3, SHA256 string
	Files          []struct{ Path, SHA256 string }
	Bundle         string `json:"review-bundle"`
	SourceSet      string `json:"review-source-set"`
}

// TestCompositeVectors holds the identities of ranges and sets of inputs against
// what other programs computed.
func TestSetVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", "composite-sets.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	compared := map[Tag]int{}
	for line := range bytes.Lines(text) {
		var head struct{ Kind string }
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatal(err)
		}
		switch head.Kind {
		case "range":
			var v rangeVector
			strictVector(t, line, &v)
			v.check(t, compared)
		case "inputs":
			var v inputsVector
			strictVector(t, line, &v)
			v.check(t, compared)
		}
	}
	for tag, least := range map[Tag]int{BLAKE3: 4, SHA256: 4, ReviewBundle: 1, ReviewSourceSet: 1} {
		if compared[tag] < least {
			t.Errorf("%d identities %s were compared, want %d", compared[tag], tag, least)
		}
	}
}

func strictVector(t *testing.T, line []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
}

func (v rangeVector) check(t *testing.T, compared map[Tag]int) {
	t.Helper()
	for tag, want := range map[Tag]string{BLAKE3: v.BLAKE3, SHA256: v.SHA256} {
		from, err := gitref.ParseOID(v.From)
		if err != nil {
			t.Fatal(err)
		}
		r := newRangeComposer(tag, from)
		for _, e := range v.Entries {
			c := gitref.Change{Path: e.Path, Old: vectorEntry(t, e.OldMode, e.Old), New: vectorEntry(t, e.NewMode, e.New)}
			if err := r.add(c); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.identity().Hex(); got != want {
			t.Errorf("%s: %s is %s, want %s", v.Why, tag, got, want)
		}
		compared[tag]++
	}
}

func vectorEntry(t *testing.T, mode, hex string) gitref.Entry {
	t.Helper()
	m, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		t.Fatal(err)
	}
	id, err := gitref.ParseOID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return gitref.Entry{Mode: gitref.Mode(m), OID: id}
}

func (v inputsVector) check(t *testing.T, compared map[Tag]int) {
	t.Helper()
	s := &inputSet{}
	for _, m := range v.Members {
		id, err := ParseIdentity(m.Identity)
		if err != nil {
			t.Fatal(err)
		}
		s.members = append(s.members, Member{Kind: m.Kind, Locator: m.Locator, Selector: m.Selector, Current: id})
	}
	for _, f := range v.Files {
		id, err := ParseIdentity("sha256:" + f.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		s.members = append(s.members, Member{Path: f.Path, Content: id})
	}
	for tag, want := range map[Tag]string{BLAKE3: v.BLAKE3, SHA256: v.SHA256, ReviewBundle: v.Bundle, ReviewSourceSet: v.SourceSet} {
		if want == "" {
			continue
		}
		if got, err := s.identify(t.Context(), tag); err != nil || got.String() != string(tag)+":"+want {
			t.Errorf("%s: %s is %s (%v), want %s", v.Why, tag, got, err, want)
		}
		compared[tag]++
	}
}
