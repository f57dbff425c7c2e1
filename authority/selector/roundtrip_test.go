package selector

import (
	"context"
	"reflect"
	"testing"
)

// textTypes are the types whose values are quotations and Markdown names.
var textTypes = []string{"anchor", "heading", "heading+own", "item", "lines", "span", "text"}

// FuzzParseText checks that a selector's text, once parsed, is one spelling of
// one selector, and that selecting with it keeps within the document.
func FuzzParseText(f *testing.F) {
	for _, name := range []string{"markdown", "lines", "text", "span"} {
		for _, v := range readVectors(f, name+".jsonl", 20) {
			f.Add(v.Selector, v.Source)
		}
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		s, err := Parse(text)
		if err != nil {
			if got := verdict(t, err); got != "malformed:selector" && got != "missing:unsupported_selector" {
				t.Errorf("Parse(%q): %s", text, got)
			}
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() || !reflect.DeepEqual(again.eval, s.eval) {
			t.Errorf("%q is spelt %q, which is %q, %v", text, s.String(), again.String(), err)
		}
		r, err := s.Select(context.Background(), NewDocument("a.md", []byte(data)))
		if verdict(t, err) == "range" && (r.From < 0 || r.From > r.To || r.To > len(data)) {
			t.Errorf("%q: %v is out of bounds of %d", text, r, len(data))
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"heading= A \t B / C ", "heading=A B/C"},
		{`heading+own=a\/b/c\\d`, `heading+own=a\/b/c\\d`},
		{"anchor=a b", "anchor=a b"},
		{"item=AC-010", "item=AC-010"},
		{"lines=1-2", "lines=1-2"},
		{"text= a ", "text= a "},
		{`span=a..b\.c...\.d`, `span=a\.\.b.c...\.d`},
		{`span=\\\....\.\.`, `span=\\\....\.\.`},
	} {
		if s, err := Parse(c.text); err != nil || s.String() != c.want {
			t.Errorf("%q is %q, %v; want %q", c.text, s.String(), err, c.want)
		}
	}
}

func TestTypesDescribed(t *testing.T) {
	for _, name := range textTypes {
		s, err := Parse(name + "=1-1...b")
		if err != nil {
			s, err = Parse(name + "=1-1")
		}
		if err != nil || s.Head() != name {
			t.Errorf("%s: %v", name, err)
			continue
		}
		help, ok := Describe(s.Type())
		if !ok || help.Summary == "" || help.Doc == "" {
			t.Errorf("%s is not described: %v", name, help)
		}
		if e, err := Parse(help.Example); err != nil || e.String() != help.Example {
			t.Errorf("example %q: %v", help.Example, err)
		}
		if s.Positional() != (name == "lines") {
			t.Errorf("%s: positional is %v", name, s.Positional())
		}
	}
}

// TestMalformedOffset checks where a malformed selector is said to break.
func TestMalformedOffset(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
	}{
		{"heading=", 8}, {"heading=a\xff", 8}, {"heading=a//b", 10}, {"heading=a/", 10}, {`heading+own=ab\c`, 14}, {`heading=ab\`, 10},
		{"anchor=", 7}, {"item=a b", 5}, {"text=", 5}, {"span=a", 6}, {"span=a...", 9}, {"span=...a", 5}, {"span=a....b", 6},
		{"span=a...b...c", 10}, {`span=a\b...c`, 6}, {"lines=1-x", 8}, {"lines=2-1", 8}, {"lines=1", 7},
	} {
		_, err := Parse(c.text)
		if e, ok := err.(*Error); !ok || e.Fault != Malformed || e.Offset != c.offset {
			t.Errorf("%q: %#v, want offset %d", c.text, err, c.offset)
		}
	}
}
