package symbols

import "testing"

func TestDocStart(t *testing.T) {
	for name, tt := range map[string]struct {
		source   string
		comments []Span
		want     int
	}{
		"none":                {"a\nf", nil, 2},
		"directly above":      {"#a\nf", []Span{{0, 2}}, 0},
		"block":               {"#a\n#b\nf", []Span{{0, 2}, {3, 5}}, 0},
		"empty line below":    {"#a\n\nf", []Span{{0, 2}}, 4},
		"empty line between":  {"#a\n\n#b\nf", []Span{{0, 2}, {4, 6}}, 4},
		"behind code":         {"x #a\nf", []Span{{2, 4}}, 5},
		"indented":            {"\n  #a\n  f", []Span{{3, 5}}, 3},
		"on the same line":    {"\n/*a*/ f", []Span{{1, 6}}, 1},
		"shebang":             {"#!/x\nf", []Span{{0, 4}}, 5},
		"comment after":       {"f #a\n", []Span{{2, 4}}, 0},
		"CRLF":                {"#a\r\nf", []Span{{0, 2}}, 0},
		"CRLF and empty line": {"#a\r\n\r\nf", []Span{{0, 2}}, 6},
	} {
		at := len(tt.source) - 1
		if name == "comment after" {
			at = 0
		}
		if got := DocStart([]byte(tt.source), tt.comments, at); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}

func TestNotText(t *testing.T) {
	for in, want := range map[string]int{
		"": -1, "a": -1, "é\ufeff": -1, "\ufffd": -1, "\x00": 0, "ab\x00\xff": 2, "ab\xff\x00": 2, "é\xc3": 2, "\xed\xa0\x80": 0,
	} {
		if got := NotText([]byte(in)); got != want {
			t.Errorf("%q: got %d, want %d", in, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.go": Go, "x.d.ts": TypeScript, "x.TS": "", "x": "", "a.tsx": TSX, "Gemfile": Ruby, "a.h": CHeader,
		".bashrc": Bash, "a.swift": Swift, "a.md": "", "a.kts": Kotlin, "dir.py/x": "", ".py": Python,
	} {
		if got := Of(name, nil); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for line, want := range map[string]string{
		"#!/bin/sh\n": Bash, "#!/usr/bin/env -S python3.12 -u\n": Python, "#! /usr/local/bin/node": JavaScript,
		"#!/usr/bin/env\n": "", "#!": "", "#!/usr/bin/perl": "", " #!/bin/sh": "",
	} {
		if got := Of("bin/tool", []byte(line)); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestSpace(t *testing.T) {
	for in, want := range map[string]string{
		"< S  as\tfmt :: Debug >": "<S as fmt::Debug>", "& 'a  mut T": "&'a mut T", " a  b ": "a b", "é  é": "é é", "": "",
	} {
		if got := Squeeze(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := DropSpace(" unsigned \n int "); got != "unsignedint" {
		t.Errorf("got %q", got)
	}
}
