package yaml

import (
	"errors"
	"strings"
	"testing"
)

// checkFile checks what holds for every parsed file: nodes lie in the text,
// within their parents and behind each other, and sizes add up.
func checkFile(t *testing.T, src []byte, f *File) {
	t.Helper()
	next, at := 0, int32(0)
	for _, root := range f.Roots {
		if root != next {
			t.Fatalf("root at node %d, want %d, in %q", root, next, src)
		}
		checkNode(t, src, f, root, at, int32(len(src)))
		next, at = root+int(f.Nodes[root].Size), f.Nodes[root].To
	}
	if next != len(f.Nodes) {
		t.Fatalf("%d nodes, %d of them in documents, in %q", len(f.Nodes), next, src)
	}
}

func checkNode(t *testing.T, src []byte, f *File, i int, from, to int32) {
	t.Helper()
	n := f.Nodes[i]
	if n.From < from || n.From > n.To || n.To > to || n.Size < 1 || int(n.Props) >= len(f.Props) {
		t.Fatalf("node %d is %+v, want it within %d and %d, in %q", i, n, from, to, src)
	}
	if n.Kind == Scalar || n.Kind == Alias {
		if n.Size != 1 {
			t.Fatalf("scalar %d has size %d in %q", i, n.Size, src)
		}
		return
	}
	at, children := n.From, 0
	c := i + 1
	for ; c < i+int(n.Size); c += int(f.Nodes[c].Size) {
		checkNode(t, src, f, c, at, n.To)
		at = f.Nodes[c].To
		children++
	}
	if c != i+int(n.Size) || n.Kind == Mapping && children%2 != 0 {
		t.Fatalf("node %d of size %d has %d children in %q", i, n.Size, children, src)
	}
}

// stepsPerByte is the most work that one byte may cost.
const stepsPerByte = 80

func FuzzParse(f *testing.F) {
	for _, c := range suite(f) {
		f.Add(c.src)
	}
	f.Add([]byte("top: &a \n &b >1"))
	for _, s := range hostile() {
		f.Add([]byte(s.text[:min(len(s.text), 300)]))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p := newParser(src, testLimits)
		err := p.parse()
		if p.steps > 1000+stepsPerByte*len(src) {
			t.Errorf("%d steps for %d bytes", p.steps, len(src))
		}
		if e, ok := errors.AsType[*Error](err); ok {
			if e.Offset < 0 || e.Offset > len(src) || e.What == "" {
				t.Errorf("error %+v for %d bytes", e, len(src))
			}
			return
		}
		checkFile(t, src, p.file)
	})
}

type hostileText struct {
	name, text string
	limit      bool // refused for a limit, else parsed or malformed
}

// hostile returns texts that make parsers slow or deep.
func hostile() []hostileText {
	const n = 1 << 16
	return []hostileText{
		{"flow sequences", strings.Repeat("[", n), true},
		{"flow mappings", strings.Repeat("{a: ", n), true},
		{"block sequences", strings.Repeat("- ", n), true},
		{"explicit keys", strings.Repeat("? ", n), true},
		{"keys of keys", strings.Repeat("[", 900) + "a" + strings.Repeat("]: b", 900), true},
		{"key of many nodes", "[" + strings.Repeat("a,", 100) + "]: b", true},
		{"pairs in pairs", strings.Repeat("[a,b,c: d]: e\n", n/16), false},
		{"blank lines", "a: |" + strings.Repeat("\n", n) + "b", false},
		{"folds", "a:\n" + strings.Repeat(" b\n\n\n", n/8), false},
		{"colons", "a" + strings.Repeat(":", n), false},
		{"quotes", strings.Repeat("\"", n), false},
		{"anchors", strings.Repeat("&a ", n), false},
		{"tags", strings.Repeat("!a\n", n), false},
		{"comments", strings.Repeat("#\n", n), false},
		{"tabs", strings.Repeat("\t", n), false},
		{"markers", strings.Repeat("---\n", n), false},
		{"alias after alias", "a: &a 1\nb: [" + strings.Repeat("*a ,", n) + "]", false},
		{"escapes", "\"" + strings.Repeat("\\n", n) + "\"", false},
		{"long key", strings.Repeat("k", n) + ": v", false},
		{"open quoted keys", strings.Repeat("\"a\n", n), false},
	}
}

func TestHostile(t *testing.T) {
	for _, h := range hostile() {
		p := newParser([]byte(h.text), testLimits)
		e, failed := errors.AsType[*Error](p.parse())
		if limit := failed && e.Limit; limit != h.limit {
			t.Errorf("%s: limit %v, want %v (%v)", h.name, limit, h.limit, e)
		}
		if p.steps > 1000+stepsPerByte*len(h.text) {
			t.Errorf("%s: %d steps for %d bytes", h.name, p.steps, len(h.text))
		}
	}
}

func TestNodeLimit(t *testing.T) {
	text := []byte("[" + strings.Repeat("a,", 100) + "]")
	if _, err := Parse(text, Limits{Nodes: 101, Depth: 1}); err != nil {
		t.Error(err)
	}
	_, err := Parse(text, Limits{Nodes: 100, Depth: 1})
	if e, ok := errors.AsType[*Error](err); !ok || !e.Limit {
		t.Errorf("%v, want a limit", err)
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"k: |\n  a\n  b\n", "|\n  a\n  b"},
		{"k: |+\n  a\n\n\nl: 1\n", "|+\n  a\n\n"},
		{"k: |\n  a\n\n\nl: 1\n", "|\n  a"},
		{"k: |-\n\n\nl: 1\n", "|-"},
		{"k: |+ # c\n\n\nl: 1\n", "|+ # c\n\n"},
		{"k: >2\n    a\r\n", ">2\n    a"},
		{"k: &a !!str v # c\n", "&a !!str v"},
		{"k: !!map\n  a: 1\n\n# c\n", "!!map\n  a: 1"},
		{"k:\n- a\n- b\n", "- a\n- b"},
		{"k:\n  a:\n  b:\n", "a:\n  b:"},
		{"k: a\n b\n\n c # d\n", "a\n b\n\n c"},
		{"k: [a,\n b, # c\n]\n", "[a,\n b, # c\n]"},
		{"k: \"a\n  b\"\n", "\"a\n  b\""},
		{"? k\n: - a\n  - b\n", "- a\n  - b"},
		{"k: ! a\n", "! a"},
	} {
		f, err := Parse([]byte(c.text), testLimits)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		checkFile(t, []byte(c.text), f)
		n := f.Nodes[2]
		if got := c.text[n.From:n.To]; got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
