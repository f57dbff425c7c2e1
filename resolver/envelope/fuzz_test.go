package envelope

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzValidate holds that no document panics, that two runs answer alike, and that
// the place of every finding is one of the document.
func FuzzValidate(f *testing.F) {
	for i, kind := range Kinds() {
		for _, v := range readVectors(f, kind.Name) {
			f.Add(uint8(i), v.document(f, kind.Name))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		kind := kinds[int(which)%len(kinds)]
		o := Options{Name: "document", Scope: []string{"src"}, Packet: []byte("{}")}
		first, second := validated(t, kind, data, o), validated(t, kind, data, o)
		if !bytes.Equal(first, second) {
			t.Fatalf("two runs differ:\n%s\n%s", first, second)
		}
		if line := bytes.TrimSuffix(first, []byte{'\n'}); !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("the line could steer a terminal: %q", line)
		}
		c := newCheck(data, &o)
		kind.decode(kind, c)
		kind.hold(c)
		for _, found := range c.findings {
			if _, _, ok := Explain(found.Code); !ok {
				t.Fatalf("the code %s is none of the table", found.Code)
			}
			if c.root != nil && kind.Name != "review-report" && !stands(c.root, found.Pointer) {
				t.Fatalf("nothing stands at %q: %+v", found.Pointer, found)
			}
			if line, column := c.place(len(data)); found.Line > line || found.Line < 1 || found.Column < 1 || found.Line == line && found.Column > column {
				t.Fatalf("the place lies outside the file: %+v", found)
			}
		}
	})
}

func validated(t testing.TB, kind *Kind, data []byte, o Options) []byte {
	t.Helper()
	r, err := Validate(context.Background(), nil, kind, data, o)
	if err != nil {
		t.Fatal(err)
	}
	line, err := r.Line()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// stands reports whether a JSON Pointer names a value of the document; of keys
// that stand twice, any.
func stands(root *node, pointer string) bool {
	if pointer == "" || len(pointer) > maxPath {
		return true
	}
	step, rest := pointer[1:], ""
	if i := strings.IndexByte(step, '/'); i >= 0 {
		step, rest = step[:i], step[i:]
	}
	inner := slices.Clone(root.items)
	for _, m := range root.members {
		inner = append(inner, m.value)
	}
	return slices.ContainsFunc(inner, func(n *node) bool {
		return strings.HasSuffix(strings.ToValidUTF8(n.path(), "\ufffd"), "/"+step) && stands(n, rest)
	})
}
