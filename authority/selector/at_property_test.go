package selector

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// checkData checks what must hold for any document: what Keys lists resolves to
// exactly its range, from every document a proof alone, and every error is
// typed and in bounds. It returns the list.
func checkData(t *testing.T, path string, data []byte) []Listed {
	t.Helper()
	d := NewDocument(path, data)
	list, err := Keys(context.Background(), d)
	if err != nil {
		checkDataError(t, err, len(data))
		return nil
	}
	seen := map[string]bool{}
	for _, l := range list {
		if seen[l.Selector] {
			t.Fatalf("%s is listed twice in %q", l.Selector, data)
		}
		seen[l.Selector] = true
	}
	for _, l := range list[:min(len(list), 300)] {
		checkDataListed(t, d, l)
	}
	return list
}

func checkDataListed(t *testing.T, d *Document, l Listed) {
	t.Helper()
	s, err := Parse(l.Selector)
	if err != nil {
		t.Fatalf("listed %q: %v", l.Selector, err)
	}
	if s.String() != l.Selector {
		t.Fatalf("listed %q, which parses as %q", l.Selector, s)
	}
	r, err := s.Select(context.Background(), d)
	if err != nil || r != l.Range {
		t.Fatalf("listed %s at %v, selected %v (%v) in %q", l.Selector, l.Range, r, err, d.data)
	}
	if r.From < 0 || r.From >= r.To || r.To > d.Len() {
		t.Fatalf("%s is %v of %d bytes", l.Selector, r, d.Len())
	}
}

// checkDataError checks an error and, when it lists matches, that each selector
// said to name one alone does.
func checkDataError(t *testing.T, err error, length int) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Fault == 0 || e.Proof == "" || e.Offset < 0 || e.Offset > length {
		t.Fatalf("error %#v for %d bytes", err, length)
	}
}

// checkDataAlone selects with text and checks what each match of an ambiguous
// answer says of itself.
func checkDataAlone(t *testing.T, d *Document, text string) {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		checkDataError(t, err, len(text))
		return
	}
	_, err = s.Select(context.Background(), d)
	if err == nil {
		return
	}
	checkDataError(t, err, d.Len())
	e, _ := errors.AsType[*Error](err)
	if (e.Fault == ManyMatches) != (len(e.Matches) > 1) {
		t.Fatalf("%s: fault %d with %d matches in %q", text, e.Fault, len(e.Matches), d.data)
	}
	for _, m := range e.Matches {
		if m.From < 0 || m.From > m.To || m.To > d.Len() {
			t.Fatalf("%s matches %v of %d bytes", text, m.Range, d.Len())
		}
		if m.Alone == "" {
			continue
		}
		alone, err := Parse(m.Alone)
		if err != nil {
			t.Fatalf("%s: %v", m.Alone, err)
		}
		if r, err := alone.Select(context.Background(), d); err != nil || r != m.Range {
			t.Fatalf("%s should name %v alone, names %v (%v) in %q", m.Alone, m.Range, r, err, d.data)
		}
	}
}

// dataPaths returns every path that leads anywhere in a document, listed or not.
func dataPaths(d *Document) []string {
	t, err := d.dataTree()
	if err != nil {
		return nil
	}
	var paths []string
	var visit func(i int, path string)
	visit = func(i int, path string) {
		if len(paths) > 200 {
			return
		}
		paths = append(paths, atKind.name+"="+path)
		for token, child := range t.children(i) {
			visit(child, path+"/"+escapeToken(token))
		}
	}
	for _, root := range t.roots {
		visit(root, "")
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// checkDataPaths checks that every path resolves exactly when it is listed.
func checkDataPaths(t *testing.T, path string, data []byte) {
	t.Helper()
	list := checkData(t, path, data)
	d := NewDocument(path, data)
	for _, text := range dataPaths(d) {
		_, err := resolveData(path, text, data)
		listed := slices.ContainsFunc(list, func(l Listed) bool { return l.Selector == text })
		if (err == nil) != listed && len(list) > 0 {
			t.Fatalf("%s: error %v, listed %v, in %q", text, err, listed, data)
		}
		checkDataAlone(t, d, text)
	}
}

func TestVectorsListed(t *testing.T) {
	n := 0
	for _, v := range readDataVectors(t) {
		path := dataPath(t, v.Format)
		list := checkData(t, path, []byte(v.Source))
		checkDataPaths(t, path, []byte(v.Source))
		listed := slices.ContainsFunc(list, func(l Listed) bool { return l.Selector == v.Selector })
		if listed != (v.Want == "range") {
			t.Errorf("%s in %q: listed %v, verdict %s", v.Selector, v.Source, listed, v.Want)
		}
		n += len(list)
	}
	if n < 100 {
		t.Errorf("%d values listed in all vectors", n)
	}
}

func fuzzData(f *testing.F, path, format string) {
	for _, v := range readDataVectors(f) {
		if v.Format == format {
			f.Add([]byte(v.Source), v.Selector)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		checkDataPaths(t, path, data)
		checkDataAlone(t, NewDocument(path, data), text)
	})
}

func FuzzAtJSON(f *testing.F)        { fuzzData(f, "a.json", "json") }
func FuzzAtJSONC(f *testing.F)       { fuzzData(f, "a.jsonc", "jsonc") }
func FuzzAtYAML(f *testing.F)        { fuzzData(f, "a.yaml", "yaml") }
func FuzzAtTOML(f *testing.F)        { fuzzData(f, "a.toml", "toml") }
func FuzzAtFrontMatter(f *testing.F) { fuzzData(f, "a.md", "markdown") }

func FuzzAtParse(f *testing.F) {
	for _, s := range []string{"", "/", "/a/b/0", "/~0~1", "/~", "/~2", "a", "/\xff", "//", "/é/-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		s, err := Parse("at=" + value)
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Fault != Malformed || e.Offset < 3 || e.Offset > len(value)+3 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if s.Value() != value {
			t.Fatalf("%q is printed as %q", value, s.Value())
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q parses as %q (%v)", s, again, err)
		}
	})
}
