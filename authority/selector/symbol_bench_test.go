package selector

import (
	"bytes"
	"fmt"
	"testing"
)

// goSource returns about a megabyte of Go source.
func goSource() []byte {
	var out bytes.Buffer
	out.WriteString("package a\n")
	for i := 0; out.Len() < 1<<20; i++ {
		fmt.Fprintf(&out, "\n// T%d is a type.\ntype T%d struct {\n\tname string // what it is called\n}\n\n// Name returns the name.\nfunc (t *T%d) Name(prefix string) (string, error) {\n\tif t.name == \"\" {\n\t\treturn \"\", errors.New(\"no name\")\n\t}\n\treturn prefix + t.name, nil\n}\n", i, i, i)
	}
	return out.Bytes()
}

func BenchmarkSymbolsGo(b *testing.B) {
	source := goSource()
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := NewDocument("a.go", source).definitionsOf(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOnePointer starts the companion for a single symbol.
func BenchmarkOnePointer(b *testing.B) {
	path, err := companionOf()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := NewSession(SessionOptions{Companion: path})
		ctx := WithSession(b.Context(), s)
		if _, err := Symbols(ctx, NewDocument("a.py", []byte("def f(): pass\n"))); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
