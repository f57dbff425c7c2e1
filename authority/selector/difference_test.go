package selector

import (
	"bytes"
	"testing"
)

func TestDifference(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"a\n", "a\n", ""},
		{"a\nb\n", "a\r\nb\r\n", EOLOnly},
		{"a\r\nb\n", "a\nb\r\n", EOLOnly},
		{"\n", "\r\n", EOLOnly},
		{"a\r\r\n", "a\r\n", WhitespaceOnly},
		{"a\r", "a\n", WhitespaceOnly},
		{"a\r", "a", WhitespaceOnly},
		{"a\n", "a", WhitespaceOnly},
		{"a b", "ab", WhitespaceOnly},
		{"  a\tb\n", "a b", WhitespaceOnly},
		{"a\r\n", " a\n", WhitespaceOnly},
		{"", "\n\v\f", WhitespaceOnly},
		{"a", "b", Content},
		{"a", "", Content},
		{"a\u00a0b", "a b", Content},
		{"ab", "ba", Content},
		{"a\x00", "a", Content},
		{"a\r\n", "b\n", Content},
	} {
		for _, pair := range [][2]string{{c.old, c.new}, {c.new, c.old}} {
			if got := Difference([]byte(pair[0]), []byte(pair[1])); got != c.want {
				t.Errorf("%q and %q: %q, want %q", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func FuzzDifference(f *testing.F) {
	f.Add([]byte("a\r\nb"), []byte("a\nb"))
	f.Add([]byte("a b"), []byte("ab\r"))
	f.Add([]byte("\r\r\n"), []byte("\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		lf := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
		bare := func(b []byte) []byte {
			return bytes.Map(func(r rune) rune {
				if r < 0x80 && bytes.ContainsRune([]byte(" \t\n\v\f\r"), r) {
					return -1
				}
				return r
			}, bytes.ToValidUTF8(b, []byte("?")))
		}
		want := Content
		switch {
		case bytes.Equal(old, new):
			want = ""
		case bytes.Equal(lf(old), lf(new)):
			want = EOLOnly
		case bytes.Equal(bare(old), bare(new)):
			want = WhitespaceOnly
		}
		valid := bytes.Equal(old, bytes.ToValidUTF8(old, nil)) && bytes.Equal(new, bytes.ToValidUTF8(new, nil))
		if got := Difference(old, new); valid && got != want {
			t.Errorf("%q and %q: %q, want %q", old, new, got, want)
		} else if got != Difference(new, old) {
			t.Errorf("%q and %q: not symmetric", old, new)
		}
	})
}
