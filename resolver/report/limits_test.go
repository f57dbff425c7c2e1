package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ctxptr/resolver"
)

// TestSummaryIsBounded demands a summary that GitHub keeps whole, which says what
// it leaves out.
func TestSummaryIsBounded(t *testing.T) {
	for _, n := range []int{100, 1000, 20000} {
		out := string(render(t, "markdown", many(n)))
		shown := strings.Count(out, "\n#### ")
		if len(out) > 1<<20 || shown == 0 {
			t.Fatalf("of %d findings a summary of %d bytes shows %d", n, len(out), shown)
		}
		want := fmt.Sprintf("\n%d more are left out here.\n", n-shown)
		if says := strings.HasSuffix(out, want); says != (shown < n) {
			t.Errorf("%d of %d are shown, and the summary ends in %q", shown, n, out[len(out)-60:])
		}
	}
	huge := many(3)
	for i := range huge.Findings {
		huge.Findings[i].Detail = strings.Repeat("  candidate x\n", 1<<20)
	}
	if out := render(t, "markdown", huge); len(out) > 1<<20 || strings.Count(string(out), " bytes more)") != 3 {
		t.Errorf("three huge details make %d bytes", len(out))
	}
}

// TestSARIFKeepsTheWorst demands at most as many results as are accepted, errors
// before warnings, and a notification of the cut.
func TestSARIFKeepsTheWorst(t *testing.T) {
	r := many(maxResults + 10)
	for i := range 20 {
		r.Findings[i].Level = Warning
	}
	var got sarifLog
	if err := json.Unmarshal(render(t, "sarif", r), &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	warnings := slices.Collect(func(yield func(string) bool) {
		for _, result := range run.Results {
			if result.Level == "warning" && !yield(result.Message.Text) {
				return
			}
		}
	})
	if len(run.Results) != maxResults || len(warnings) != 10 {
		t.Errorf("%d results, %d of them warnings", len(run.Results), len(warnings))
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || !strings.HasPrefix(n[0].Message.Text, "10 of 25010 findings are left out") {
		t.Errorf("the cut is said as %v", n)
	}
}

// TestFingerprintsAreStable demands the same fingerprints when lines shift, others
// for another code, file or pointer, and no two alike.
func TestFingerprintsAreStable(t *testing.T) {
	findings := sample().Findings
	before := fingerprints(findings)
	for i, f := range findings {
		if f.Place != nil {
			findings[i].Place = &resolver.Place{Path: f.Place.Path, Line: f.Place.Line + 40, Column: 9}
		}
	}
	if after := fingerprints(findings); !slices.Equal(before, after) {
		t.Errorf("lines shifted and %q became %q", before, after)
	}
	sorted := slices.Sorted(slices.Values(before))
	if len(slices.Compact(sorted)) != len(findings) {
		t.Errorf("two fingerprints are alike: %q", before)
	}
	for _, change := range []func(f *Finding){
		func(f *Finding) { f.Code = "missing:selection" },
		func(f *Finding) { f.Pointer += "x" },
		func(f *Finding) { f.Place = &resolver.Place{Path: "other.md", Line: 1} },
	} {
		one := []Finding{sample().Findings[0]}
		change(&one[0])
		if fingerprints(one)[0] == before[0] {
			t.Errorf("%+v has the fingerprint of another finding", one[0])
		}
	}
}

// TestCutting holds the two ways to shorten a text.
func TestCutting(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc… (1 bytes more)"},
		{"aé", 2, "a… (2 bytes more)"},
		{"", 3, ""},
	} {
		if got := cut(c.text, c.most); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"a\nb\n", 4, "a\nb\n"},
		{"a\nb\n", 3, "a\n(2 bytes more)\n"},
		{"abcd\n", 2, "ab…\n(3 bytes more)\n"},
		{"aéb\n", 2, "a…\n(4 bytes more)\n"},
	} {
		if got := cutLines(c.text, c.most); got != c.want {
			t.Errorf("cutLines(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
