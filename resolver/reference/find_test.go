package reference

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

// check holds what is true of whatever Find returns.
func check(t testing.TB, path string, data []byte) []Reference {
	t.Helper()
	found := Find(path, data)
	end := 0
	for _, r := range found {
		if r.From < end || r.To <= r.From || r.To > len(data) {
			t.Fatalf("%s: %q: range %d..%d behind %d of %d bytes", path, data, r.From, r.To, end, len(data))
		}
		end = r.To
		if r.Text != string(data[r.From:r.To]) {
			t.Fatalf("%s: %q: text %q is not what stands at %d", path, data, r.Text, r.From)
		}
		before := data[:r.From]
		if line := bytes.Count(before, []byte{'\n'}) + 1; r.Line != line {
			t.Fatalf("%s: %q: %q is in line %d, not %d", path, data, r.Text, line, r.Line)
		}
		if column := r.From - bytes.LastIndexByte(before, '\n'); r.Column != column {
			t.Fatalf("%s: %q: %q is in column %d, not %d", path, data, r.Text, column, r.Column)
		}
	}
	if again := Find(path, data); !reflect.DeepEqual(again, found) {
		t.Fatalf("%s: %q: found something else the second time", path, data)
	}
	return found
}

// fuzzedNames are documents of each syntax.
var fuzzedNames = []string{"a.md", "a.go", "a.py", "a.js", "a.sh", "a.yaml", "a.json", "a.toml", "a.txt", "a.rs", "a.html", "a.sql", "a.lua", "a.ml", "Makefile"}

func FuzzFind(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	f.Add("---\nbaseline_commit: 1a2b3c4\ncontext: ['{project-root}/a.md', b/c.md]\n---\n# t\n\n- [a](b.md#c) `x/y.go:1-2`, :3\n")
	f.Add("\ufeff// see a.go:1\r\n\"\"\"\nb.py:2:3–4\n\"\"\" # @a/b.md [Source: c.md#d e]\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range fuzzedNames {
			found := check(t, name, []byte(text))
			var pointers []Reference
			for _, r := range found {
				if r.Form == Pointer {
					pointers = append(pointers, r)
				}
			}
			if alone := Pointers([]byte(text)); !reflect.DeepEqual(alone, pointers) {
				t.Fatalf("%s: %q: pointers %v, alone %v", name, text, pointers, alone)
			}
		}
	})
}

// hostile are pieces that make much work when they are repeated and each is read
// on its own.
var hostile = []string{
	"[", "]", "![", "`", "` ``", ":", ":1", "a:1", "a.go:1,", " :1", "#", "a#", "a.md#", "@", "(@", "@(", "[@", "<a>@", ".", "..", "a..", "a...b",
	"[a](", "[a](b", "[a](<", "![[x](y)", "[a][b", "<", "<a ", "<!--", "://", "a://", "1://", "[Source:", "[Source:a.md", "#[[file:", "#[[file:a",
	"{", "}", "(", ")", "a(", "a)", "\"", "\"\\", "'", "\\\"", "/", "=/[", "=/", "/*", "*/", "//", "\"\"\"", "'''", "(*", "r#\"", "--[[", "ctxptr:",
	"ctxptr:1", "ctxptr:a:", "xctxptr:a:", "ctxptr:a.", "\n", "\r", "\n- :1", "- ", "a\n", "key: ", "- a: b\n", "[a, ", "\\u", "\xff", "é", "…", "中", "1a2b3c4 ", "1a2b3c4..",
	"- a\n  :1\n", "a/b.go ", "-", "+", "~", "$", "%", "a,", ", ", "|a", "--- ", "&", "&a;",
}

// TestLinear finds time out of proportion: even looking for a byte to the end
// from each piece would take longer.
func TestLinear(t *testing.T) {
	const size, most = 1 << 19, time.Second
	for _, piece := range hostile {
		data := []byte(strings.Repeat(piece, size/len(piece)))
		matter := append([]byte("---\n"), data...)
		matter = append(matter, "\n---\n"...)
		for _, name := range fuzzedNames[:9] {
			begin := time.Now()
			Find(name, data)
			Find(name, matter)
			if took := time.Since(begin); took > most {
				t.Errorf("%s: %d bytes of %q take %v", name, size, piece, took)
			}
		}
	}
}
