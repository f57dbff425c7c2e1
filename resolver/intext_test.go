package resolver

import (
	"slices"
	"testing"
)

func TestFindInLine(t *testing.T) {
	for line, want := range map[string][]string{
		"see ctxptr:file:a, ctxptr:dir:b.": {"ctxptr:file:a", "ctxptr:dir:b"},
		"(ctxptr:file:a)":                  {"ctxptr:file:a"},
		`"p":"ctxptr:file:a"`:              {"ctxptr:file:a"},
		"key=ctxptr:file:a":                {"ctxptr:file:a"},
		"key:ctxptr:file:a":                {"ctxptr:file:a"},
		"xctxptr:file:a":                   nil,
		"x-ctxptr:file:a a_.ctxptr:file:b": nil,
		"-ctxptr:file:a ~~ctxptr:file:b":   {"ctxptr:file:a", "ctxptr:file:b"},
		"*_ctxptr:file:a_*":                {"ctxptr:file:a_"},
		"a/-ctxptr:file:a":                 {"ctxptr:file:a"},
		"urn:ctxptr:file:a":                nil,
		"URN:ctxptr:file:a ctxptr:file:b":  {"ctxptr:file:b"},
		"turn: ctxptr:file:a":              {"ctxptr:file:a"},
		"ctxptr: ctxptr:File:a ctxptr:a":   nil,
		"ctxptr:ctxptr:file:a":             {"ctxptr:ctxptr:file:a"},
	} {
		var got []string
		for _, f := range FindInLine(line) {
			if line[f.Column-1:f.Column-1+len(f.Text)] != f.Text {
				t.Errorf("%q: %q does not stand in column %d", line, f.Text, f.Column)
			}
			got = append(got, f.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", line, got, want)
		}
	}
}
