package selector

import (
	"bytes"
	"context"
	"strconv"
	"testing"
)

// benchData makes a document of about a megabyte: 8,000 records.
func benchData(head, record, tail string) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for i := range 8000 {
		b.WriteString(string(bytes.ReplaceAll([]byte(record), []byte("#"), []byte(strconv.Itoa(i)))))
	}
	b.WriteString(tail)
	return b.Bytes()
}

// BenchmarkAt parses a document of a megabyte and selects one value near its
// end.
func BenchmarkAt(b *testing.B) {
	for _, c := range []struct {
		path string
		data []byte
	}{
		{"a.json", benchData("{\n", "  \"r#\": {\"name\": \"record #\", \"tags\": [\"a\", \"b\", #], \"note\": \"text, and more of it\", \"ok\": true},\n", "  \"end\": {\"v\": 1}\n}\n")},
		{"a.jsonc", benchData("{\n", "  \"r#\": {\"name\": \"record #\", \"tags\": [\"a\", \"b\", #], /* text */ \"ok\": true,}, // c\n", "  \"end\": {\"v\": 1},\n}\n")},
		{"a.yaml", benchData("", "r#:\n  name: record #\n  tags: [a, b, #]\n  note: \"text, and more of it\"\n  lines: |\n    one\n    two\n  ok: true\n", "end:\n  v: 1\n")},
		{"a.toml", benchData("", "[r#]\nname = \"record #\"\ntags = [\"a\", \"b\", #]\nnote = 'text, and more of it'\nday = 2020-01-01\nok = true\n", "[end]\nv = 1\n")},
	} {
		b.Run(c.path[2:], func(b *testing.B) {
			s, err := Parse("at=/end/v")
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Select(context.Background(), NewDocument(c.path, c.data)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.path[2:]+"/parsed", func(b *testing.B) {
			s, err := Parse("at=/end/v")
			if err != nil {
				b.Fatal(err)
			}
			d := NewDocument(c.path, c.data)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Select(context.Background(), d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
