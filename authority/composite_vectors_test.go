package authority

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// compositeVector is one line of testdata/vectors/composite.jsonl.
type compositeVector struct {
	Why        string         `json:"why"`
	Kind       string         `json:"kind"`
	Header     string         `json:"header"`
	Fields     []string       `json:"fields"`
	Identities map[Tag]string `json:"identities"`
}

// TestCompositeVectors holds the digest of framed fields against what other
// programs computed.
func TestCompositeVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", "composite.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for line := range bytes.Lines(text) {
		var v compositeVector
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil || v.Why == "" || len(v.Identities) == 0 {
			t.Fatalf("%v: %s", err, line)
		}
		if _, err := LookupKind(v.Kind); err != nil {
			t.Fatal(err)
		}
		kinds[v.Kind]++
		for tag, want := range v.Identities {
			c := newComposer(hashOf(tag), v.Header)
			for _, field := range v.Fields {
				c.frame(field)
			}
			if got := c.identity().Hex(); got != want {
				t.Errorf("%s: %s is %s, want %s", v.Why, tag, got, want)
			}
		}
	}
	for _, kind := range []string{"inputs", "range"} {
		if kinds[kind] < 2 {
			t.Errorf("%d vectors of kind %s", kinds[kind], kind)
		}
	}
}

// hashOf is the tag of the hash that a composed identity is made with.
func hashOf(tag Tag) Tag {
	if tag == BLAKE3 {
		return BLAKE3
	}
	return SHA256
}
