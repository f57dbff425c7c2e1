package selector

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// vector is one line of a vector file: a selector, a document and the verdict.
type vector struct {
	Format   string `json:"format"`
	Selector string `json:"selector"`
	Want     string `json:"want"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Source   string `json:"source"`
	Why      string `json:"why"`
}

// readVectors reads a vector file of which at least least lines must be there.
func readVectors(t testing.TB, name string, least int) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "vectors", "selector", name))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		var v vector
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s line %d: %v", name, len(all)+1, err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) < least {
		t.Fatalf("%s has %d vectors, want at least %d", name, len(all), least)
	}
	return all
}

// vectorPaths are the file names that stand for the formats of the vectors.
func vectorPath(t testing.TB, format string) string {
	t.Helper()
	switch format {
	case "markdown":
		return "docs/a.md"
	case "text":
		return "a.txt"
	case "asciidoc":
		return "a.adoc"
	case "restructuredtext":
		return "a.RST"
	}
	t.Fatalf("unknown format %q", format)
	return ""
}

// verdict is the word of a vector file for what Parse or Select said.
func verdict(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return "range"
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error of type %T: %v", err, err)
	}
	return map[Fault]string{
		Malformed: "malformed:selector", NoMatch: "missing:selection", ManyMatches: "ambiguous:selection",
		BadContent: "malformed:authority", Unsupported: "missing:unsupported_selector", OverLimit: "missing:limit",
	}[e.Fault]
}

// choose parses a selector and selects with it.
func choose(d *Document, text string) (Range, error) {
	s, err := Parse(text)
	if err != nil {
		return Range{}, err
	}
	return s.Select(context.Background(), d)
}

func checkVectors(t *testing.T, name string, least int) {
	t.Helper()
	for i, v := range readVectors(t, name, least) {
		d := NewDocument(vectorPath(t, v.Format), []byte(v.Source))
		r, err := choose(d, v.Selector)
		if got := verdict(t, err); got != v.Want {
			t.Errorf("line %d (%s): %s is %s (%v %v), want %s", i+1, v.Why, v.Selector, got, r, err, v.Want)
			continue
		}
		if err == nil && r != (Range{v.From, v.To}) {
			t.Errorf("line %d (%s): %s is %v %q, want [%d,%d)", i+1, v.Why, v.Selector, r, d.Bytes(r), v.From, v.To)
		}
		checkCandidates(t, d, err)
	}
}

// checkCandidates selects with what an ambiguous verdict offers.
func checkCandidates(t *testing.T, d *Document, err error) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return
	}
	for _, m := range e.Matches {
		if m.Alone == "" {
			continue
		}
		if r, err := choose(d, m.Alone); err != nil || r != m.Range {
			t.Errorf("candidate %q is %v, %v; want %v", m.Alone, r, err, m.Range)
		}
	}
}

func TestVectors(t *testing.T) {
	for name, least := range map[string]int{"markdown": 150, "lines": 30, "text": 20, "span": 25} {
		t.Run(name, func(t *testing.T) { checkVectors(t, name+".jsonl", least) })
	}
}
