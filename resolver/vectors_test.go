package resolver

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ctxptr/authority"
)

// grammarVector is one line of testdata/vectors/pointer.jsonl or
// pointer-json.jsonl.
type grammarVector struct {
	Text       *string `json:"text"`
	TextHex    string  `json:"text_hex"`
	JSON       *string `json:"json"`
	JSONHex    string  `json:"json_hex"`
	Want       string  `json:"want"` // valid, or the code
	Why        string  `json:"why"`
	Offset     *int    `json:"offset"`
	Canonical  string  `json:"canonical"`
	Kind       string  `json:"kind"`
	Locator    *string `json:"locator"`
	LocatorHex string  `json:"locator_hex"`
	Selector   *string `json:"selector"`
	Identity   string  `json:"identity"`
	Rules      string  `json:"rules"`
}

func readGrammar(t testing.TB, name string) []grammarVector {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []grammarVector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v grammarVector
		if err := strictJSON(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v: %s", name, err, lines.Text())
		}
		if v.Why == "" || v.Want == "" {
			t.Fatalf("%s: a vector lacks want or why: %s", name, lines.Text())
		}
		list = append(list, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Fatalf("%s holds %d vectors, want at least 40", name, len(list))
	}
	return list
}

// strictJSON decodes a line whose keys must all be known.
func strictJSON(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func unhex(t testing.TB, s string) string {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPointerVectors(t *testing.T) {
	for _, v := range readGrammar(t, "pointer.jsonl") {
		text := unhex(t, v.TextHex)
		if v.Text != nil {
			text = *v.Text
		}
		t.Run(v.Why, func(t *testing.T) {
			p, err := ParsePointer(text)
			v.check(t, p, err)
		})
	}
}

func TestPointerJSONVectors(t *testing.T) {
	for _, v := range readGrammar(t, "pointer-json.jsonl") {
		text := unhex(t, v.JSONHex)
		if v.JSON != nil {
			text = *v.JSON
		}
		t.Run(v.Why, func(t *testing.T) {
			p, err := ParseJSON([]byte(text))
			v.check(t, p, err)
		})
	}
}

func (v grammarVector) check(t *testing.T, p Pointer, err error) {
	t.Helper()
	if v.Want == "valid" {
		if err != nil {
			t.Fatalf("got %v, want valid", err)
		}
		v.checkValid(t, p)
		return
	}
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		t.Fatalf("got %v (%v), want %s", err, p, v.Want)
	}
	if string(f.Code) != v.Want {
		t.Errorf("got %s, want %s: %s", f.Code, v.Want, f.Proof)
	}
	if v.Offset != nil && f.Offset != *v.Offset {
		t.Errorf("got offset %d, want %d: %s", f.Offset, *v.Offset, f.Proof)
	}
}

func (v grammarVector) checkValid(t *testing.T, p Pointer) {
	t.Helper()
	if got := p.String(); got != v.Canonical {
		t.Errorf("canonical\n got %s\nwant %s", got, v.Canonical)
	}
	again, err := ParsePointer(p.String())
	if err != nil || again.String() != p.String() {
		t.Errorf("the canonical text does not survive: %v", err)
	}
	locator := v.Locator
	if v.LocatorHex != "" {
		text := unhex(t, v.LocatorHex)
		locator = &text
	}
	for _, part := range []struct {
		name, got string
		want      *string
	}{
		{"kind", p.Kind().Name, optional(v.Kind)},
		{"locator", p.Locator().String(), locator},
		{"selector", p.Selector().String(), v.Selector},
		{"identity", p.Identity().String(), optional(v.Identity)},
		{"rules", p.Rules().String(), optional(v.Rules)},
	} {
		if part.want != nil && part.got != *part.want {
			t.Errorf("%s: got %q, want %q", part.name, part.got, *part.want)
		}
	}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
