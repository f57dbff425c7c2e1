package envelope

import (
	"fmt"
	"strings"
	"testing"
)

// hostile are documents of about size bytes that must cost no more than their
// length.
var hostile = []struct {
	name, kind string
	make       func(size int) string
}{
	{"nested arrays", "packet", func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) }},
	{"nested objects as deep as JSON is read", "packet", func(n int) string {
		one := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
		return `{"x":[` + strings.Repeat(one+",", n/len(one)) + "1]}"
	}},
	{"unknown keys", "handoff", func(n int) string {
		var b strings.Builder
		b.WriteByte('{')
		for i := range n / 20 {
			fmt.Fprintf(&b, `"key%09d":"",`, i)
		}
		b.WriteString(`"last":1}`)
		return b.String()
	}},
	{"one key again and again", "handoff", func(n int) string { return "{" + strings.Repeat(`"phase":1,`, n/10) + `"phase":1}` }},
	{"pointers that are none", "inputs", func(n int) string { return "[" + strings.Repeat(`"docs/SPEC.md",`, n/15) + `"x"]` }},
	{"lines that are no pointers", "inputs", func(n int) string { return strings.Repeat("docs/SPEC.md\n", n/13) }},
	{"pointers", "inputs", func(n int) string {
		one := `"ctxptr:file:docs/SPEC.md@sha256:` + strings.Repeat("0", 64) + `:matches_current"`
		return "[" + strings.Repeat(one+",", n/len(one)) + one + "]"
	}},
	{"one long text", "review-packet", func(n int) string { return `{"facts":"` + strings.Repeat("ctxptr:file: @@ --- ", n/20) + `"}` }},
	{"a text of many lines", "review-packet", func(n int) string { return `{"facts":"` + strings.Repeat(`--- x\n`, n/7) + `"}` }},
	{"fences", "review-packet", func(n int) string { return `{"facts":"` + strings.Repeat(`---\na:\n`, n/10) + `"}` }},
	{"texts below a long key", "handoff", func(n int) string {
		return `{"` + strings.Repeat("k", n/2) + `":[` + strings.Repeat(`"@@ -1 +1 @@",`, n/28) + `1]}`
	}},
	{"pointers below a long key", "handoff", func(n int) string {
		one := `"ctxptr:file:docs/SPEC.md@sha256:` + strings.Repeat("0", 64) + `:matches_current",`
		return `{"` + strings.Repeat("k", n/2) + `":[` + strings.Repeat(one, n/2/len(one)) + `1]}`
	}},
	{"texts deep in each other", "handoff", func(n int) string {
		one := strings.Repeat(`["@@ -1 +1 @@",`, 9000) + "1" + strings.Repeat("]", 9000)
		return `{"x":[` + strings.Repeat(one+",", n/len(one)) + "1]}"
	}},
	{"adjudications", "review-epoch", func(n int) string {
		return `{"adjudications":[` + strings.Repeat(`{"candidate_refs":[["a","b",1]]},`, n/34) + `1],"results":[]}`
	}},
}

// hostileSize is the size of a hostile document, in bytes: at 1 MiB work that grows
// with the square of it would take longer than a test may.
const hostileSize = 1 << 20

// TestHostileDocuments validates each and holds its answer to a size.
func TestHostileDocuments(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			kind, _ := LookupKind(h.kind)
			document := h.make(hostileSize)
			line := validated(t, kind, []byte(document), Options{Name: "document"})
			if most := 100 * (len(document) + 1<<16); len(line) > most {
				t.Errorf("%d bytes of answer to %d bytes, want at most %d", len(line), len(document), most)
			}
		})
	}
}

// BenchmarkHostileDocuments prints how fast each is validated, and a quarter of it.
func BenchmarkHostileDocuments(b *testing.B) {
	for _, h := range hostile {
		kind, _ := LookupKind(h.kind)
		for name, size := range map[string]int{"quarter": hostileSize / 4, "whole": hostileSize} {
			document := []byte(h.make(size))
			b.Run(h.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(document)))
				for b.Loop() {
					validated(b, kind, document, Options{Name: "document"})
				}
			})
		}
	}
}
