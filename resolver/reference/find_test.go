package reference

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ctxptr/authority"
)

// check holds what is true of whatever Find returns.
func check(t testing.TB, path string, data []byte) []Reference {
	t.Helper()
	found, err := Find(path, data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
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
	if again, _ := Find(path, data); !reflect.DeepEqual(again, found) {
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

// repeated is a document of about size bytes of repeated pieces, and one that has
// them as its front matter.
func repeated(piece string, size int) [2][]byte {
	data := strings.Repeat(piece, size/len(piece))
	return [2][]byte{[]byte(data), []byte("---\n" + data + "\n---\n")}
}

// TestHostile reads documents in which work that grows with the square of their size
// would show as a test that does not end.
func TestHostile(t *testing.T) {
	const size = 1 << 19
	for _, piece := range hostile {
		for _, name := range fuzzedNames[:9] {
			for _, data := range repeated(piece, size) {
				last := 0
				found, err := Find(name, data)
				if f, ok := errors.AsType[*authority.Fault](err); err != nil && (!ok || f.Code != authority.MissingLimit) {
					t.Fatalf("%s of %q: %v", name, piece, err)
				}
				for _, r := range found {
					if r.From < last || r.To <= r.From || r.To > len(data) {
						t.Fatalf("%s of %q: a reference at %d to %d of %d, behind %d", name, piece, r.From, r.To, len(data), last)
					}
					last = r.From
				}
			}
		}
	}
}

// TestMost reads documents that hold as many references as are looked for, and one
// more.
func TestMost(t *testing.T) {
	for _, name := range []string{"a.md", "a.txt"} {
		text := strings.Repeat("f/a.md:1\n", Most)
		if found, err := Find(name, []byte(text)); err != nil || len(found) != Most {
			t.Errorf("%s: %d of %d references, %v", name, len(found), Most, err)
		}
		found, err := Find(name, []byte(text+"f/a.md:1\n"))
		if f, ok := errors.AsType[*authority.Fault](err); !ok || f.Code != authority.MissingLimit || found != nil {
			t.Errorf("%s: %d references, %v; want a limit", name, len(found), err)
		}
	}
}

// BenchmarkHostile prints how fast documents of hostile pieces are read, small ones
// and large ones.
func BenchmarkHostile(b *testing.B) {
	for _, size := range []int{1 << 16, 1 << 19} {
		for _, piece := range hostile {
			b.Run(fmt.Sprintf("%d/%q", size, piece), func(b *testing.B) {
				documents := repeated(piece, size)
				b.SetBytes(int64(len(documents[0]) + len(documents[1])))
				for b.Loop() {
					for _, data := range documents {
						_, _ = Find("a.md", data)
					}
				}
			})
		}
	}
}

// TestBinary holds that a NUL counts in the first 8,000 bytes only, as for git.
func TestBinary(t *testing.T) {
	const looked = 8000
	for _, at := range []int{0, looked - 1, looked} {
		data := append(bytes.Repeat([]byte{'x'}, at), "\x00 a.go:1 ctxptr:file:a"...)
		found := check(t, "a.txt", data)
		if plain := len(found) == 2; plain != (at == looked) {
			t.Errorf("a NUL at %d: %v", at, found)
		}
	}
}

// corpus is Markdown as plans have it, 64 KiB of it, a reference in each 50 bytes.
func corpus() []byte {
	part := "# Plan for the store\n\nThe *reader* keeps what `src/store/read.go:120-144` says, see [the design](../design.md#reading \"Design\")\n" +
		"and [its limits][limits]; prose goes on for a while here, as it does in documents, without naming anything at all.\n\n" +
		"- [ ] **Step 1**: write the test in `src/store/read_test.go`, then change :130 and run it\n- [x] done in 1a2b3c4, https://example.com/review/12\n\n" +
		"```go\nfunc main() {\n\tfmt.Println(\"a sample\", x[1:2]) // main.go:3\n}\n```\n\n| file | why |\n|---|---|\n| `a.go:1` | the entry |\n\n"
	return append(bytes.Repeat([]byte(part), 1<<16/len(part)), "[limits]: limits.md#most\n"...)
}

func BenchmarkFind(b *testing.B) {
	data := corpus()
	for _, name := range []string{"a.md", "a.txt", "a.go", "a.yaml"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_, _ = Find(name, data)
			}
		})
	}
}

func BenchmarkPointers(b *testing.B) {
	data := corpus()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Pointers(data)
	}
}
