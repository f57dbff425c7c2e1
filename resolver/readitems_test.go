package resolver

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
)

// endless is a text over and over.
type endless struct {
	block string
	at    int
}

func repeat(text string) *endless {
	return &endless{block: strings.Repeat(text, 1+(64<<10)/len(text))}
}

func (r *endless) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}

// TestReadItemsBounds reads lists that never end: each is refused at its bound.
func TestReadItemsBounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    io.Reader
		proof string
	}{
		{"one line without end", repeat("x"), "more than 67108864 bytes"},
		{"lines without end", repeat("ctxptr:\n"), "more than 262144 pointers"},
		{"long lines without end", repeat(strings.Repeat("x", 3*MaxPointer) + "\n"), "more than 67108864 bytes"},
		{"an array without end", io.MultiReader(strings.NewReader("["), repeat("1,")), "more than 262144 pointers"},
		{"an element without end", io.MultiReader(strings.NewReader(`["`), repeat("x")), "more than 67108864 bytes"},
		{"blanks without end", repeat(" \n"), "more than 67108864 bytes"},
		{"depth without end", repeat("["), "the JSON array is broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadItems(c.in)
			e, ok := errors.AsType[*InputError](err)
			if !ok || !strings.Contains(e.Proof, c.proof) {
				t.Errorf("got %v, want %q", err, c.proof)
			}
		})
	}
	if _, err := ReadPrior(repeat(strings.Repeat(" ", 1023) + "\n")); err == nil {
		t.Error("a prior without end is taken")
	}
}

// TestReadItemsMark skips a byte order mark before a list, and nowhere else.
func TestReadItemsMark(t *testing.T) {
	for text, want := range map[string][]string{
		"\ufeffctxptr:a\nctxptr:b\n": {"ctxptr:a", "ctxptr:b"},
		"\ufeff\r\n[\"ctxptr:a\"]":   {`"ctxptr:a"`},
		"\ufeff":                     nil,
		"ctxptr:a\n\ufeffctxptr:b\n": {"ctxptr:a", "\ufeffctxptr:b"},
		"\ufeff\ufeffctxptr:a":       {"\ufeffctxptr:a"},
	} {
		items, err := ReadItems(strings.NewReader(text))
		var got []string
		for _, item := range items {
			got = append(got, item.Text)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	e, ok := errors.AsType[*InputError](func() error { _, err := ReadItems(strings.NewReader("\ufeff[1}")); return err }())
	if !ok || e.Offset < 4 {
		t.Errorf("the offset does not count the mark: %v", e)
	}
	if _, err := ReadPrior(strings.NewReader("\ufeff")); err != nil {
		t.Error(err)
	}
}

// TestReadItemsLongLine holds the memory for a line that no pointer can be: what
// is kept is its beginning, its length and its digest.
func TestReadItemsLongLine(t *testing.T) {
	const length = 10 << 20
	line := strings.Repeat("0123456789abcdef", length/16)
	in := strings.NewReader(line + "\r\nnext\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	items, err := ReadItems(in)
	runtime.ReadMemStats(&after)
	if err != nil || len(items) != 2 {
		t.Fatalf("%d items, %v", len(items), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("%d bytes allocated for a line of %d", used, length)
	}
	text, n, digest := items[0].echo()
	want := authority.BLAKE3Sum([]byte(line)).String()
	if text != line[:maxEcho] || n != length || digest != want {
		t.Errorf("echo has %d bytes, length %d, digest %s; want %d, %d, %s", len(text), n, digest, maxEcho, length, want)
	}
	_, err = items[0].parse()
	if f, ok := errors.AsType[*authority.Fault](err); !ok || f.Code != authority.MalformedSyntax {
		t.Errorf("got %v, want malformed:syntax", err)
	}
	if items[1].Text != "next" {
		t.Errorf("the next line is %q", items[1].Text)
	}
}

// TestReadItemsEcho holds what a record repeats of inputs that are no text.
func TestReadItemsEcho(t *testing.T) {
	for _, c := range []struct{ name, line, echo string }{
		{"NUL", "a\x00b", "a\x00b"},
		{"no UTF-8", "a\xffb", "a"},
		{"cut rune", "a\xe2\x82", "a"},
		{"surrogate", "a\xed\xa0\x80", "a"},
		{"long", strings.Repeat("é", maxEcho), strings.Repeat("é", maxEcho/2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			items, err := ReadItems(strings.NewReader(c.line + "\n"))
			if err != nil || len(items) != 1 {
				t.Fatalf("%d items, %v", len(items), err)
			}
			records, err := Resolve(t.Context(), nil, items, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := records[0]
			if r.Code != authority.MalformedSyntax || r.Input == nil || *r.Input != c.echo {
				t.Fatalf("got %s with input %q, want malformed:syntax with %q", r.Code, *r.Input, c.echo)
			}
			cut := len(c.echo) < len(c.line)
			if cut != (r.InputDigest != "") || cut && (r.InputBytes != int64(len(c.line)) || r.InputDigest != authority.BLAKE3Sum([]byte(c.line)).String()) {
				t.Errorf("cut %v: %d bytes, digest %s", cut, r.InputBytes, r.InputDigest)
			}
			line, err := r.Line()
			if err != nil {
				t.Fatal(err)
			}
			again, err := parseRecord(line)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := again.Line(); err != nil || !bytes.Equal(text, line) {
				t.Errorf("the record does not survive: %v\n%s\n%s", err, line, text)
			}
		})
	}
}
