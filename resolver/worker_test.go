package resolver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// workerCase is a reference as workers record it: the digest covers the whole
// file, the selector is the text of a heading in it.
type workerCase struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Selector string `json:"selector"`
	SHA256   string `json:"sha256"`
}

// pointer is the reference as a Context Pointer.
func (c workerCase) pointer(t *testing.T) Pointer {
	t.Helper()
	kind, err := authority.LookupKind("file")
	if err != nil {
		t.Fatal(err)
	}
	locator, err := authority.ParseLocator(kind, c.Path)
	if err != nil {
		t.Fatal(err)
	}
	identity, err := authority.ParseIdentity("whole:sha256:" + c.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ParseRules("matches_current")
	if err != nil {
		t.Fatal(err)
	}
	sel, err := selector.Parse("heading=" + strings.NewReplacer(`\`, `\\`, "/", `\/`).Replace(c.Selector))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPointer(locator, identity, rules, sel)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWorkerReferences expresses each reference as a pointer, which has the
// outcome that its id says.
func TestWorkerReferences(t *testing.T) {
	dir := filepath.Join("..", "testdata", "vectors", "worker")
	text, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []workerCase
	if err := strictJSON(text, &cases); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"valid":   Resolved,
		"stale":   Blocked + " " + string(authority.StaleIdentity),
		"missing": Blocked + " " + string(authority.MissingAuthority),
	}
	items := make([]Item, len(cases))
	for i, c := range cases {
		items[i] = ItemOf(c.pointer(t).String())
	}
	root := filepath.Join(dir, "files")
	w, err := authority.Open(t.Context(), authority.Config{Dir: root, Root: root, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	records, err := Resolve(t.Context(), w, items, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if got := verdictOf(t, records[i]); got != want[c.ID] {
			t.Errorf("%s: got %s, want %q", c.ID, got, want[c.ID])
		}
		delete(want, c.ID)
	}
	for id := range want {
		t.Errorf("no case is %s", id)
	}
}

func verdictOf(t *testing.T, r *Record) string {
	t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonValue(line)
	if err != nil {
		t.Fatal(err)
	}
	return verdict(value)
}
