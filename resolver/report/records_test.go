package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// resolveIn resolves pointers in a folder of its own and returns the report.
func resolveIn(t *testing.T, files map[string]string, options resolver.Options, items ...resolver.Item) ([]*resolver.Record, Report) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, Root: dir, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	records, err := resolver.Resolve(t.Context(), w, items, options)
	if err != nil {
		t.Fatal(err)
	}
	return records, FromRecords(records)
}

const (
	alpha = "ctxptr:file:a.md@sha256:b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060:matches_current"
	wrong = "@sha256:0000000000000000000000000000000000000000000000000000000000000000:matches_current"
)

func TestFromRecords(t *testing.T) {
	at := &resolver.Place{Path: "plans/p.md", Line: 4, Column: 7}
	_, r := resolveIn(t, map[string]string{"a.md": "alpha\n", "b.md": "x\nbeta\n"}, resolver.Options{},
		resolver.ItemOf(alpha),
		resolver.Item{Text: "ctxptr:file:b.md" + wrong + "#lines=2-2", At: at},
		resolver.Item{Text: "ctxptr:file:./gone.md" + wrong, At: at, From: at.Path},
		resolver.ItemOf("nonsense"))
	if r.Total != 4 || r.Resolved != 1 || r.Blocked != 3 || r.Refreshed != 0 || len(r.Findings) != 3 {
		t.Fatalf("counted %+v", r)
	}
	if r.Summary() != "4 references, 1 resolved, 3 blocked" {
		t.Errorf("the summary is %q", r.Summary())
	}
	if len(r.Proven) != 1 || r.Proven[0].Subject != "a.md" {
		t.Errorf("proven is %v", r.Proven)
	}
	stale, gone, nonsense := r.Findings[0], r.Findings[1], r.Findings[2]
	if stale.Code != "stale:identity" || stale.Level != Error || stale.Place != at || stale.Subject != "b.md#lines=2-2" ||
		stale.Authority.Path != "b.md" || stale.Authority.Lines == nil || *stale.Authority.Lines != [2]int{2, 2} || stale.Episode == "" {
		t.Errorf("stale is %+v", stale)
	}
	if gone.Code != "missing:authority" || gone.Authority.Path != "plans/gone.md" || gone.Authority.Lines != nil {
		t.Errorf("gone is %+v", gone)
	}
	if nonsense.Pointer != "" || nonsense.Place != nil || nonsense.Authority.Path != "" || len(nonsense.Fix) == 0 {
		t.Errorf("nonsense is %+v", nonsense)
	}
}

func TestFromRefreshed(t *testing.T) {
	_, r := resolveIn(t, map[string]string{"a.md": "alpha\n"}, resolver.Options{Refresh: true}, resolver.ItemOf("ctxptr:file:a.md"+wrong))
	if r.Refreshed != 1 || len(r.Findings) != 1 || r.Findings[0].Code != Refreshed || r.Findings[0].Level != Warning {
		t.Errorf("the report is %+v", r)
	}
}

// TestTextIsShort holds the size of what a model reads: a resolved record has 300
// bytes at most beside the pointer, and a blocked one says in its first line, of
// 300 bytes at most beside the name, what to do.
func TestTextIsShort(t *testing.T) {
	records, _ := resolveIn(t, map[string]string{"a.md": "alpha\n"}, resolver.Options{}, resolver.ItemOf(alpha), resolver.ItemOf("ctxptr:file:a.md"+wrong), resolver.ItemOf("nonsense"))
	for i, r := range records {
		var b bytes.Buffer
		Text(&b, r)
		first, rest, _ := strings.Cut(b.String(), "\n")
		if len(first)-len(r.Name()) > 300 {
			t.Errorf("the first line of record %d has %d bytes", i, len(first))
		}
		if r.Outcome == resolver.Resolved && rest != "" {
			t.Errorf("a resolved record has a second line: %q", rest)
		}
		if r.Outcome == resolver.Blocked && (!strings.HasPrefix(first, "BLOCKED "+string(r.Code)+" ") || !strings.HasSuffix(first, ": do not act on it; return this record")) {
			t.Errorf("a blocked record begins %q", first)
		}
	}
}
