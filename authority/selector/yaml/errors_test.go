package yaml

import (
	"errors"
	"testing"
)

// TestErrors has texts that are refused, with the byte at fault.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
	}{
		{"a: \x01", 3},
		{"a: \x7f", 3},
		{"a: \u0080", 3},
		{"a: \ufffe", 3},
		{"a: \xff", 3},
		{"a: b\ufeffc", 4},
		{"a: \"\\q\"", 4},
		{"a: \"\\", 4},
		{"a: \"\\x4\"", 4},
		{"a: \"\\ud800\"", 4},
		{"a: \"\\U00110000\"", 4},
		{"a: \"\\UFFFFFFFF\"", 4},
		{"a: \"b", 3},
		{"a: 'b", 3},
		{"a: \"b\n---\n\"", 6},
		{"a:\n  b: \"c\nd\"", 11},
		{"a: [b", 3},
		{"a: [b c: d: e]", 10},
		{"a: [,]", 4},
		{"a: [b\n---\n]", 6},
		{"a: [b]c", 6},
		{"a: |x\n", 4},
		{"a: |0\n", 4},
		{"a: |11\n", 5},
		{"a: |++\n", 5},
		{"a: |\n   \n b\n", 9},
		{"a: &\n", 4},
		{"a: *\n", 4},
		{"a: *b", 3},
		{"a: &b &c d", 6},
		{"a: !b !c d", 6},
		{"a: &b\n  &c d", 8},
		{"a: &a *a", 3},
		{"b: &b 1\na: !x\n  *b", 11},
		{"a: !b!c d", 3},
		{"a: !! d", 3},
		{"a: !<> d", 3},
		{"a: !<x d", 3},
		{"a: !<x>d", 3},
		{"a: !%4 d", 4},
		{"a: !b{c", 3},
		{"a: !b[c]", 3},
		{"a: !<x>[c]", 3},
		{"%TAG ! x\n%TAG ! y\n---\na", 9},
		{"%TAG a x\n---\na", 0},
		{"%TAG !\n---\na", 0},
		{"%YAML 2.0\n---\na", 0},
		{"%YAML 1.2\n%YAML 1.2\n---\na", 10},
		{"%YAML\n---\na", 0},
		{"%YAML 1.2\na", 10},
		{"a: 1\n%YAML 1.2\n---\nb", 5},
		{"a: 1\n... b\n", 9},
		{"a\n--- b: c", 6},
		{"- a\nb: c", 4},
		{"a: 1\n- b", 5},
		{"a: 1\nb", 5},
		{"a: 1\n b: 2", 7},
		{"a:\n\tb: 1", 4},
		{"a:\n  b: 1\n\tc: 2", 11},
		{"-\t- a", 2},
		{"a: - b", 3},
		{"a: b: c", 3},
		{"a\nb: c", 3},
		{"\"a\nb\": c", 5},
		{"@a", 0},
		{"`a", 0},
		{"a: %b", 3},
	} {
		_, err := Parse([]byte(c.text), testLimits)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Limit || e.Error() == "" || e.Offset != c.offset {
			t.Errorf("%q: %+v, want an error at %d", c.text, e, c.offset)
		}
	}
}

// TestMeanings has texts that are right, against what they look like.
func TestMeanings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\ufeff# c\n\ufeffa: b", "a b"},
		{"a: -b", "a -b"},
		{"a: b:c #d", "a b:c"},
		{"a: 'b\n\n  c'", "a b\nc"},
		{"a: \"b\\\n  c\\\n\n  d\"", "a bc\nd"},
		{"a: \"\\x41\\u0042\\U00000043\\t\\_\\e\"", "a ABC\t\u00a0\x1b"},
		{"a: >\n  b\n  c\n\n    d\n\n  e\n", "a b c\n\n  d\n\ne\n"},
		{"a: |2\n   b", "a  b\n"},
		{"%TAG !e! tag:e,1:\n---\na: !e!b c", "a c"},
		{"%YAML 1.1 # c\n---\na: b\n...\n%FOO x\n---\nc", "a b c"},
		{"!<tag:x> a : &b c", "a c"},
		{"[a: b]", "a b"},
		{"{a, b: c, ? d, \"e\":f}", "a  b c d  e f"},
		{"? - a\n: - b\n? c", "a b c "},
		{": b", " b"},
		{"&a : *a", " a"},
	} {
		f, err := Parse([]byte(c.text), testLimits)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		got, first := "", true
		for _, n := range f.Nodes {
			if n.Kind != Mapping && n.Kind != Sequence {
				if !first {
					got += " "
				}
				got, first = got+n.Value, false
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
