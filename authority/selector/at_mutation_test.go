package selector

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// mutable is a document of one format and a scalar that may stand for any
// other of its scalars.
type mutable struct {
	path   string
	text   []byte
	scalar string
}

func mutables() []mutable {
	const tomlText = "a = 1\nb.c = 'x'\nb2 = [1, [2, '''\nx'''], {y = 3, z.w = 4}]\n[t]\n# c\nx = 1.5\ny = 2020-01-01\n" +
		"[[p]]\nn = 'a'\n[[p]]\nn = \"b\"\nm = [\n  'x', # c\n]\n[q.r.s]\nv = true\n"
	const jsoncText = "// c\n{\"a\": [1, /* x */ {\"b\": null,},], // d\n \"c\": {\"d\": \"e\", \"f\": [],},\n}\n"
	all := []mutable{{"a.toml", []byte(tomlText), "'''mutated'''"}, {"a.jsonc", []byte(jsoncText), `"mutated"`}}
	for seed := range uint64(60) {
		r := &randomText{Rand: rand.New(rand.NewPCG(seed, 4)), space: []string{"", " ", "\n"}}
		r.jsonMembers("{", "}", 0, true)
		all = append(all, mutable{"a.json", r.out.Bytes(), `["mutated"]`}, mutable{"a.yaml", randomYAML(seed), "[mutated]"})
		all = append(all, mutable{"a.md", slices.Concat([]byte("---\n"), randomYAML(seed), []byte("---\n# T\n")), "[mutated]"})
	}
	return all
}

// replaced returns the document with a scalar in place of range r.
func (m mutable) replaced(r Range) *Document {
	return NewDocument(m.path, slices.Concat(m.text[:r.From], []byte(m.scalar), m.text[r.To:]))
}

// TestMutation replaces each scalar of a document in turn: what a selector
// selects changes exactly when the scalar lies within it.
func TestMutation(t *testing.T) {
	inside, outside := 0, 0
	for _, m := range mutables() {
		d := NewDocument(m.path, m.text)
		list, err := Keys(context.Background(), d)
		if err != nil {
			continue
		}
		for _, edit := range list {
			if edit.Kind != "scalar" {
				continue
			}
			changed := m.replaced(edit.Range)
			for _, l := range list {
				within := edit.From >= l.From && edit.To <= l.To
				s, err := Parse(l.Selector)
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.Select(context.Background(), changed)
				if err != nil {
					t.Fatalf("%s after an edit of %s in %q: %v", l.Selector, edit.Selector, m.text, err)
				}
				if same := bytes.Equal(changed.Bytes(r), d.Bytes(l.Range)); same == within {
					t.Fatalf("%s is the same (%v) after an edit of %s in %q", l.Selector, same, edit.Selector, m.text)
				}
				if within {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	t.Logf("%d edits inside, %d outside", inside, outside)
	if inside < 1000 || outside < 5000 {
		t.Errorf("only %d edits inside and %d outside", inside, outside)
	}
}

// TestSurroundings adds text around documents: nothing selected changes.
func TestSurroundings(t *testing.T) {
	around := map[string][2]string{
		"a.json": {" \n", "\n\t "}, "a.jsonc": {"/* { */\n", "// }\n"},
		"a.yaml": {"# c\n\n", "# d\n"}, "a.toml": {"# c\n\n", "# d\n"},
	}
	selected := 0
	for _, m := range mutables() {
		more, ok := around[m.path]
		d := NewDocument(m.path, m.text)
		list, err := Keys(context.Background(), d)
		if err != nil || !ok {
			continue
		}
		moved := NewDocument(m.path, slices.Concat([]byte(more[0]), m.text, []byte(more[1])))
		for _, l := range list {
			s, err := Parse(l.Selector)
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Select(context.Background(), moved)
			if err != nil || !bytes.Equal(moved.Bytes(r), d.Bytes(l.Range)) {
				t.Fatalf("%s changed in %q (%v)", l.Selector, moved.data, err)
			}
			selected++
		}
	}
	if selected < 500 {
		t.Errorf("only %d values selected", selected)
	}
}
