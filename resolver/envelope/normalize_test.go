package envelope

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// artefacts makes a folder of files and opens it.
func artefacts(t *testing.T, files map[string]string) *authority.Workspace {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: root, Root: root, MaxBytes: 64 << 20, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// normalize normalizes a file and holds the line against its schema.
func normalize(t *testing.T, w *authority.Workspace, name string) *Normalization {
	t.Helper()
	n, err := Normalize(t.Context(), w, name)
	if err != nil {
		t.Fatal(err)
	}
	line, err := n.Line()
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = library(t, "normalization").Validate(value)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, line)
	}
	if n.After == nil || *n.After != *n.Before {
		t.Errorf("the file is another after it was read: %s", line)
	}
	return n
}

// nameOf is the name that a report gives itself.
func nameOf(t *testing.T, text string) string {
	t.Helper()
	_, found := ParseReport("other", []byte(text))
	for _, f := range found {
		if _, name, ok := strings.Cut(f.Message, "must be "); ok && f.Code == FileNameDiffers {
			return name
		}
	}
	t.Fatalf("%+v", found)
	return ""
}

// TestNormalizeReports holds which records the sound reports of the vectors come
// down to, where there is no repository.
func TestNormalizeReports(t *testing.T) {
	for base, want := range map[string][]string{
		"legacy.md":     {"resolved", "missing:authority", "missing:repository", "missing:repository"},
		"standalone.md": {"resolved", "missing:authority"},
	} {
		text := reportFile(t, base)
		name := nameOf(t, text)
		n := normalize(t, artefacts(t, map[string]string{name: text, "docs/SPEC.md": "spec\n"}), name)
		var got []string
		for _, r := range n.Records {
			if !strings.HasPrefix(r.ID, "/report/") {
				t.Errorf("%s: a record beside those that the report names: %+v", base, r)
			}
			got = append(got, outcomeOrCode(r))
		}
		if n.Report == nil || len(n.Findings) > 0 || strings.Join(got, " ") != strings.Join(want, " ") || n.Outcome != Partial {
			t.Errorf("%s: got %v, want %v (%+v)", base, got, want, n.Findings)
		}
	}
}

func outcomeOrCode(r *resolver.Record) string {
	if r.Outcome == resolver.Blocked {
		return string(r.Code)
	}
	return r.Outcome
}

// TestNormalizeWhatNoPointerSays holds that what a report names in a way that no
// pointer has is blocked, and named.
func TestNormalizeWhatNoPointerSays(t *testing.T) {
	w := artefacts(t, nil)
	digest := authority.Digest(authority.Like(authority.SHA256, false), nil)
	n := &Normalization{Report: &RetainedReport{report: &Report{
		Sources: []authority.ReviewFile{{Path: "../SPEC.md", Content: digest}, {Path: "/SPEC.md", Content: digest}},
		Target:  ReportTarget{Kind: "delivery-git-diff", FixedPoint: strings.Repeat("1", 40), Head: "worktree:dirty"},
	}}}
	if err := n.retained(t.Context(), w, "report.md"); err != nil {
		t.Fatal(err)
	}
	want := []string{"malformed:locator", "missing:authority", "missing:repository", "missing:revision"}
	for i, r := range n.Records {
		if got := outcomeOrCode(r); got != want[i] || r.ID == "" {
			t.Errorf("record %d: got %s, want %s", i, got, want[i])
		}
	}
	if len(n.Records) != len(want) {
		t.Errorf("%d records, want %d", len(n.Records), len(want))
	}
}

// TestNormalizeChanged holds that a file that another hand changes, or takes away,
// meanwhile is blocked.
func TestNormalizeChanged(t *testing.T) {
	w := artefacts(t, map[string]string{"plan.md": "now"})
	for _, name := range []string{"plan.md", "gone.md"} {
		n := &Normalization{Before: digestsOf([]byte("before"))}
		n.again(t.Context(), w, name)
		n.conclude()
		if n.Outcome != Partial || len(n.Records) != 1 || n.Records[0].Code != authority.AmbiguousObservation {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

// TestNormalizeSame holds that two runs give the same bytes.
func TestNormalizeSame(t *testing.T) {
	text := "[a](docs/a.md#x), docs/a.md:1-2, docs/b.md:9, `docs/a.md:3`, https://example.com/x\n"
	w := artefacts(t, map[string]string{"plan.md": strings.Repeat(text, 200), "docs/a.md": "# X\n\na\nb\n"})
	first, err := normalize(t, w, "plan.md").Line()
	if err != nil {
		t.Fatal(err)
	}
	second, err := normalize(t, w, "plan.md").Line()
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two runs differ (%v)", err)
	}
}
