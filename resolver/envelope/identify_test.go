package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vectorsIn is where the language-neutral vectors of the package stand.
func vectorsIn(name string) string { return filepath.Join("..", "..", "testdata", "vectors", name) }

// vectorLines reads a file of one JSON object a line, strictly.
func vectorLines[T any](t *testing.T, name string, least int) []T {
	t.Helper()
	data, err := os.ReadFile(vectorsIn(name))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []T
	for d.More() {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s, vector %d: %v", name, len(list)+1, err)
		}
		list = append(list, v)
	}
	if len(list) < least {
		t.Fatalf("%s has %d vectors, want at least %d", name, len(list), least)
	}
	return list
}

// identityVector is one line of testdata/vectors/identity/identity.jsonl.
type identityVector struct {
	Why        string          `json:"why"`
	Name       string          `json:"name"`
	Primitives json.RawMessage `json:"primitives"`
	Want       string          `json:"want"`
	Fields     []string        `json:"fields"`
	Identity   string          `json:"identity"`
	Primitive  string          `json:"primitive"` // refused: the one at fault
}

func TestIdentityVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range vectorLines[identityVector](t, "identity/identity.jsonl", 50) {
		got, err := identifyJSON(v.Name, v.Primitives)
		switch v.Want {
		case "identity":
			seen[v.Name] = true
			if err != nil || got.Identity != v.Identity || !slices.Equal(got.Fields, v.Fields) {
				t.Errorf("%s: got %+v, %v; want %s", v.Why, got, err, v.Identity)
			}
		case "refused":
			e, ok := errors.AsType[*PrimitiveError](err)
			if !ok || strings.Trim(e.Name, `"`) != v.Primitive {
				t.Errorf("%s: got %v, %v; want a refusal of %s", v.Why, got, err, v.Primitive)
			}
		default:
			t.Errorf("%s: unknown verdict %s", v.Why, v.Want)
		}
	}
	for _, name := range RecipeNames() {
		if !seen[name] {
			t.Errorf("no vector has the identity %s", name)
		}
	}
}

func identifyJSON(name string, primitives []byte) (*Identity, error) {
	p, err := ParsePrimitives(name, primitives)
	if err != nil {
		if _, known := lookupRecipe(name); known {
			return nil, err
		}
	}
	return Identify(name, p)
}

// TestTablesAreSorted holds the order in which tables are searched and printed.
func TestTablesAreSorted(t *testing.T) {
	if !slices.IsSorted(RecipeNames()) {
		t.Error("a table is not sorted")
	}
	used := map[string]bool{}
	for _, name := range RecipeNames() {
		for _, p := range ParamNames(name) {
			used[p] = true
		}
	}
	for _, p := range Params() {
		if !used[p.Name] {
			t.Errorf("no identity uses the primitive %s", p.Name)
		}
	}
	if len(used) != len(Params()) {
		t.Error("an identity uses a primitive that is not in the table")
	}
}

// FuzzPrimitives demands that whatever is accepted has an identity of its form,
// which the order of a set does not change.
func FuzzPrimitives(f *testing.F) {
	for _, name := range RecipeNames() {
		f.Add(name, `{"goal":"g","scope":["b","a"],"ordinal":1}`)
		f.Add(name, `{"files":[{"path":"a","sha256":"`+strings.Repeat("a", 64)+`"}]}`)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		p, err := ParsePrimitives(name, []byte(text))
		if err != nil {
			return
		}
		id, err := Identify(name, p)
		if err != nil {
			return
		}
		slices.Reverse(p.Files)
		for _, values := range p.Values {
			slices.Reverse(values)
		}
		again, err := Identify(name, p)
		if err != nil || again.Identity != id.Identity || !isHex(id.Identity, 64) {
			t.Fatalf("%s %q: %v, %v, %v", name, text, id, again, err)
		}
	})
}
