package selector

import (
	"bytes"
	"strings"
	"testing"
)

// TestLineOf compares the index with counting from the start, in lines that are
// short, as long as a block, and longer.
func TestLineOf(t *testing.T) {
	long := strings.Repeat("x", blockSize)
	for _, text := range []string{
		"", "a", "a\n", "\n", "\n\n", "a\r\nb", strings.Repeat("a\n", 3*blockSize),
		long, long + "\n", long[1:] + "\n", "a\n" + long + long + "\nb\n" + long[1:] + "\nc",
	} {
		doc := NewDocument("a.txt", []byte(text))
		count := strings.Count(strings.TrimSuffix(text, "\n")+"\n", "\n")
		if text == "" {
			count = 0
		}
		if doc.lineCount() != count {
			t.Fatalf("%.9q: %d lines, want %d", text, doc.lineCount(), count)
		}
		for at := range len(text) + 1 {
			want := min(bytes.Count(doc.data[:at], []byte("\n"))+1, count)
			if got := doc.lineOf(at); got != want {
				t.Fatalf("%.9q of %d bytes: byte %d is on line %d, want %d", text, len(text), at, got, want)
			}
		}
	}
}
