package resolver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/authority"
)

// openTracked opens a workspace in a new repository in which files, path and text
// in turn, are committed.
func openTracked(t *testing.T, files ...string) (*authority.Workspace, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		writeFile(t, dir, files[i], files[i+1])
	}
	for _, words := range []string{"init -q -b main .", "add .", "commit -qm one"} {
		if text, err := git(dir, strings.Fields(words)).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", words, err, text)
		}
	}
	env := map[string]string{}
	for _, pair := range surroundings(dir) {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	w, err := authority.Open(t.Context(), authority.Config{
		Dir: dir, MaxBytes: 64 << 20, Getenv: func(name string) string { return env[name] },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, dir
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestIdenticalPlacesBound finds as many places as a record lists, and no more.
func TestIdenticalPlacesBound(t *testing.T) {
	for _, n := range []int{maxIdentical - 1, maxIdentical, maxIdentical + 1, 3 * maxIdentical} {
		w, dir := openTracked(t, "a.txt", "same\n", "b.txt", strings.Repeat("same\n", n))
		writeFile(t, dir, "a.txt", "other\n")
		r := resolveTexts(t, w, Options{Identical: true}, stating("a.txt", "same", "lines=1-1"))[0]
		if want := min(n, maxIdentical); len(r.IdenticalAt) != want || r.IdenticalCut != (n > maxIdentical) {
			t.Fatalf("of %d places %d are listed, cut %v", n, len(r.IdenticalAt), r.IdenticalCut)
		}
		for i, at := range r.IdenticalAt {
			if want := [2]int{i + 1, i + 1}; *at.Lines != want || at.Pointer != stating("b.txt", "same", fmt.Sprintf("lines=%d-%d", i+1, i+1)) {
				t.Fatalf("place %d is %v, %s", i, *at.Lines, at.Pointer)
			}
		}
		checkRoundTrip(t, r)
	}
}

// checkRoundTrip prints a record, reads it back and holds it against the schema.
func checkRoundTrip(t *testing.T, r *Record) {
	t.Helper()
	line, err := r.Line()
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseRecord(line)
	if err != nil {
		t.Fatal(err)
	}
	back, err := again.Line()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(line, back) {
		t.Errorf("read back it is another record\n%s%s", line, back)
	}
	want, err := jsonValue(line)
	if err != nil {
		t.Fatal(err)
	}
	checkLine(t, resolutionSchema(t), line, want)
}

// TestIdenticalBytesBound counts bytes: every file that is read, and every place
// that is found.
func TestIdenticalBytesBound(t *testing.T) {
	files := []string{"a.txt", "same\n", "b", "same\n", "c", "same same\n", "d", "same\n"}
	paths := func(r *Record) string {
		var names []string
		for _, at := range r.IdenticalAt {
			names = append(names, at.Path)
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		sel   string // what the pointer states: line 1, or everything
		limit int64
		want  string
		cut   bool
	}{
		// a.txt has 6 bytes now and is looked into first; each place costs 4.
		{"lines=1-1", 5, "", true},
		{"lines=1-1", 6, "", true},
		{"lines=1-1", 6 + 5, "b", true},
		{"lines=1-1", 6 + 5 + 4 + 9, "b", true},
		{"lines=1-1", 6 + 5 + 4 + 10, "b c", true},
		{"lines=1-1", 6 + 5 + 4 + 10 + 4, "b c c", true},
		{"lines=1-1", 6 + 5 + 4 + 10 + 8 + 4, "b c c", true},
		{"lines=1-1", 6 + 5 + 4 + 10 + 8 + 5 + 4, "b c c d", false},
		// Whole files are read where their size fits.
		{"", 9, "", true},
		{"", 6 + 5, "b", true},
		{"", 6 + 5 + 10 + 5, "b d", false},
	} {
		w, dir := openTracked(t, files...)
		writeFile(t, dir, "a.txt", "other\n")
		text := stating("a.txt", "same", c.sel)
		if c.sel == "" {
			text = strings.TrimSuffix(stating("a.txt", "same\n", ""), "#")
		}
		o := Options{Identical: true, testOnlyIdentical: func(s *authority.Search) { s.MaxBytes = c.limit }}
		r := resolveTexts(t, w, o, text)[0]
		if paths(r) != c.want || r.IdenticalCut != c.cut {
			t.Errorf("%q within %d bytes: %q, cut %v; want %q, cut %v", c.sel, c.limit, paths(r), r.IdenticalCut, c.want, c.cut)
		}
	}
}

// TestIdenticalRepetitive searches for a long part that stands at every byte of a
// file: the places bound the work, and the test would not end without.
func TestIdenticalRepetitive(t *testing.T) {
	part := strings.Repeat("a", 1<<20)
	w, dir := openTracked(t, "a.txt", part+"\n", "b", strings.Repeat("a", 4<<20))
	writeFile(t, dir, "a.txt", "other\n")
	r := resolveTexts(t, w, Options{Identical: true}, stating("a.txt", part, "lines=1-1"))[0]
	if len(r.IdenticalAt) != maxIdentical || !r.IdenticalCut || r.Difference != "content" {
		t.Errorf("%d places, cut %v, difference %q", len(r.IdenticalAt), r.IdenticalCut, r.Difference)
	}
}

// TestIdenticalEnded says that a search was cut by the end of its context.
func TestIdenticalEnded(t *testing.T) {
	w, dir := openTracked(t, "a.txt", "same\n", "b", "same\n")
	writeFile(t, dir, "a.txt", "other\n")
	ctx, cancel := context.WithDeadline(t.Context(), time.Time{})
	defer cancel()
	text := strings.TrimSuffix(stating("a.txt", "same\n", ""), "#")
	records, err := Resolve(ctx, w, []Item{ItemOf(text)}, Options{Identical: true})
	if err != nil {
		t.Fatal(err)
	}
	if r := records[0]; r.Code != authority.MissingLimit || r.IdenticalAt != nil || !r.IdenticalCut {
		t.Errorf("%s, %d places, cut %v", r.Code, len(r.IdenticalAt), r.IdenticalCut)
	}
}

// TestIdenticalPointersResolve resolves every pointer that a record names: each
// is to exactly the bytes that were stated.
func TestIdenticalPointersResolve(t *testing.T) {
	w, dir := openTracked(t, "a.txt", "zero\none\ntwo\n", "b", "one\ntwo", "c d", "x\r\none\ntwo\r\none\ntwo\nx", "e.", "one\ntwo\n")
	writeFile(t, dir, "a.txt", "zero\nzero\none\ntwo\n")
	for _, text := range []string{
		stating("a.txt", "one\ntwo", "lines=2-3"),
		stating("gone", "one\ntwo\n", ""),
		"ctxptr:git:HEAD:gone@" + authority.BLAKE3Sum([]byte("one\ntwo")).String() + ":matches_current",
	} {
		r := resolveTexts(t, w, Options{Identical: true}, strings.TrimSuffix(text, "#"))[0]
		if r.Outcome != Blocked || len(r.IdenticalAt) == 0 {
			t.Fatalf("%s with %d places", r.Outcome, len(r.IdenticalAt))
		}
		for _, at := range r.IdenticalAt {
			again := resolveTexts(t, w, Options{Keep: true}, at.Pointer)[0]
			p, err := ParsePointer(r.Pointer)
			if err != nil {
				t.Fatal(err)
			}
			if again.Outcome != Resolved || again.Identity != p.Identity().String() {
				t.Errorf("%s is %s", at.Pointer, again.Outcome)
			}
		}
	}
}

// TestDifferenceOncePerAuthority reads what the repository holds once for many
// pointers at one file, and gives each its own answer.
func TestDifferenceOncePerAuthority(t *testing.T) {
	const n = 2000
	var old, now strings.Builder
	texts := make([]string, n)
	for i := range n {
		fmt.Fprintf(&old, "line %d\n", i)
		fmt.Fprintf(&now, []string{"line %d \n", "Line %d\n", "line %d\n"}[i%3], i)
		texts[i] = stating("a.txt", fmt.Sprintf("line %d", i), fmt.Sprintf("lines=%d-%d", i+1, i+1))
	}
	w, dir := openTracked(t, "a.txt", old.String())
	writeFile(t, dir, "a.txt", now.String())
	for i, r := range resolveTexts(t, w, Options{}, texts...) {
		if want := []string{"whitespace-only", "content", ""}[i%3]; r.Difference != want {
			t.Fatalf("line %d: difference %q, want %q", i, r.Difference, want)
		}
	}
}

// TestSchemaOfDifference holds that only a stale identity has a difference, and
// that a place is in a path or in a percent-encoded one.
func TestSchemaOfDifference(t *testing.T) {
	schema := resolutionSchema(t)
	blocked := func(code authority.Code) *Record {
		r := ItemOf("x").malformed(0, mismatch(code, "proof"))
		r.Observed = &Observed{Layer: authority.LayerWorktree}
		return r
	}
	for _, c := range []struct {
		name  string
		code  authority.Code
		alter func(r *Record)
		valid bool
	}{
		{"stale", authority.StaleIdentity, func(r *Record) { r.Difference = "eol-only" }, true},
		{"unknown difference", authority.StaleIdentity, func(r *Record) { r.Difference = "none" }, false},
		{"not stale", authority.StaleUnstaged, func(r *Record) { r.Difference = "content" }, false},
		{"nothing observed", authority.StaleIdentity, func(r *Record) { r.Difference, r.Observed = "content", nil }, false},
		{"path", authority.MissingAuthority, func(r *Record) { r.IdenticalAt = []IdenticalPlace{{Path: "a"}} }, true},
		{"encoded path", authority.MissingAuthority, func(r *Record) { r.IdenticalAt = []IdenticalPlace{{PathURI: "a"}} }, true},
		{"both", authority.MissingAuthority, func(r *Record) { r.IdenticalAt = []IdenticalPlace{{Path: "a", PathURI: "a"}} }, false},
		{"neither", authority.MissingAuthority, func(r *Record) { r.IdenticalAt = []IdenticalPlace{{}} }, false},
		{"resolved", authority.MissingAuthority, func(r *Record) { r.Outcome, r.IdenticalCut = Resolved, true }, false},
		{"cut", authority.MissingAuthority, func(r *Record) { r.IdenticalCut = true }, true},
	} {
		r := blocked(c.code)
		c.alter(r)
		line, err := r.Line()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.valid {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
