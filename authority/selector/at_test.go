package selector

import (
	"context"
	"errors"
	"os"
	"testing"
)

// dataPath is the file name under which a document of a format is known.
func dataPath(t *testing.T, format string) string {
	t.Helper()
	for _, f := range [...][2]string{{"json", "a.json"}, {"jsonc", "a.jsonc"}, {"json5", "a.json5"}, {"yaml", "a.yaml"}, {"toml", "a.toml"}, {"markdown", "a.md"}, {"text", "a.txt"}} {
		if f[0] == format {
			return f[1]
		}
	}
	t.Fatalf("unknown format %q", format)
	return ""
}

func readDataFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// dataVerdict is the word of a vector file for an error.
func dataVerdict(err error) string {
	e, ok := errors.AsType[*Error](err)
	switch {
	case err == nil:
		return "range"
	case !ok:
		return "untyped error"
	}
	return [...]string{
		Malformed: "malformed:selector", NoMatch: "missing:selection", ManyMatches: "ambiguous:selection",
		BadContent: "malformed:authority", Unsupported: "missing:unsupported_selector", OverLimit: "missing:limit",
	}[e.Fault]
}

// resolveData parses and evaluates a selector on a document.
func resolveData(path, text string, data []byte) (Range, error) {
	s, err := Parse(text)
	if err != nil {
		return Range{}, err
	}
	return s.Select(context.Background(), NewDocument(path, data))
}

// readDataVectors reads the vectors of at.
func readDataVectors(t testing.TB) []vector { return readVectors(t, "data.jsonl", 160) }

func TestDataVectors(t *testing.T) {
	for i, v := range readDataVectors(t) {
		r, err := resolveData(dataPath(t, v.Format), v.Selector, []byte(v.Source))
		if got := dataVerdict(err); got != v.Want {
			t.Errorf("line %d: %s in %q: %s, want %s (%v)", i+1, v.Selector, v.Source, got, v.Want, err)
			continue
		}
		if want := (Range{v.From, v.To}); r != want {
			t.Errorf("line %d: %s in %q: %v, want %v", i+1, v.Selector, v.Source, r, want)
		}
	}
}

// TestTreeChecker shows that a text of other nodes than a tree's is told apart.
func TestTreeChecker(t *testing.T) {
	text := []byte(`{"a":[1,{}],"b":"x"}`)
	var b treeBuilder
	if err := jsonNodes(jsonName, text, &b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		same bool
	}{
		{`{"a":[1,{}],"b":"x"}`, true},
		{`{"c":[2,{}],"d":null}`, false},
		{`{"a":[1,[]],"b":"x"}`, false},
		{`{"a":[1,{}], "b":"x"}`, false},
		{`{"a":[1,{}],"b":"x","c":0}`, false},
		{`{"a":[1,{} ],"b":"x"}`, false},
		{`{"a":[1]}`, false},
		{`[]`, false},
	} {
		check := treeChecker{nodes: b.nodes}
		err := jsonNodes(jsonName, []byte(c.text), &check)
		if same := err == nil && check.next == len(b.nodes); same != c.same {
			t.Errorf("%s: same %v, want %v (%v)", c.text, same, c.same, err)
		}
	}
}

func TestSameTOML(t *testing.T) {
	read := func(text string) *tomlValue {
		doc, err := readTOML([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return doc.root
	}
	const text = "a = [1, {b = 'x'}]\n[t]\nc = 2020-01-01\n"
	for _, c := range []struct {
		text string
		same bool
	}{
		{"a=[ 1,{b=\"x\"} ,]\n[t]\nc=2020-01-01", true},
		{"a = [1, {b = 'y'}]\n[t]\nc = 2020-01-01\n", false},
		{"a = [1, {c = 'x'}]\n[t]\nc = 2020-01-01\n", false},
		{"a = [1, {b = 'x'}, 2]\n[t]\nc = 2020-01-01\n", false},
		{"a = ['1', {b = 'x'}]\n[t]\nc = 2020-01-01\n", false},
		{"a = [1, ['x']]\n[t]\nc = 2020-01-01\n", false},
	} {
		if same := sameTOML(read(text), read(c.text)); same != c.same {
			t.Errorf("%s: same %v, want %v", c.text, same, c.same)
		}
	}
}
