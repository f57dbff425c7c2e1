package symbols

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

var someReply = Reply{Outline: Outline{
	Defs: []Def{
		{Parent: -1, Names: []string{"A", "B"}, Kind: "class", Span: Span{4, 90}, Doc: 0, Broken: -1},
		{Parent: 0, Names: []string{"f"}, Kind: "method", Overloads: true, Params: "int,String", Span: Span{10, 20}, Doc: 10, Broken: 0},
		{Parent: 0, Names: []string{"größe"}, Kind: "method", Overloads: true, Span: Span{30, 30}, Doc: 21, Broken: 100},
	},
	Errors: []Span{{90, 100}, {100, 100}},
}}

func TestReplyRoundTrip(t *testing.T) {
	for _, r := range []Reply{{}, someReply, {Status: BadSource, Offset: 100}, {Status: TooDeep}} {
		got, err := DecodeReply(r.Encode(), 100)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("got %+v %v, want %+v", got, err, r)
		}
	}
}

func TestReplyRefusals(t *testing.T) {
	change := func(f func(*Reply)) Reply {
		r := someReply
		r.Outline.Defs = append([]Def(nil), someReply.Outline.Defs...)
		f(&r)
		return r
	}
	for name, r := range map[string]Reply{
		"past the end":         change(func(r *Reply) { r.Outline.Defs[0].To = 101 }),
		"own parent":           change(func(r *Reply) { r.Outline.Defs[1].Parent = 1 }),
		"later parent":         change(func(r *Reply) { r.Outline.Defs[0].Parent = 2 }),
		"no names":             change(func(r *Reply) { r.Outline.Defs[0].Names = nil }),
		"empty name":           change(func(r *Reply) { r.Outline.Defs[0].Names = []string{"A", ""} }),
		"not UTF-8":            change(func(r *Reply) { r.Outline.Defs[0].Names = []string{"\xff"} }),
		"error past the end":   change(func(r *Reply) { r.Outline.Errors = []Span{{0, 101}} }),
		"fault and outline":    change(func(r *Reply) { r.Status = TooDeep }),
		"unknown status":       change(func(r *Reply) { r.Status = TooDeep + 1 }),
		"broken past the end":  change(func(r *Reply) { r.Outline.Defs[0].Broken = 101 }),
		"offset past the end":  {Status: BadSource, Offset: 101},
		"too many names":       change(func(r *Reply) { r.Outline.Defs[0].Names = strings.Split(strings.Repeat("a", maxNames+1), "") }),
		"doc before the start": {Outline: Outline{Defs: []Def{{Parent: -1, Names: []string{"a"}, Span: Span{2, 3}, Doc: -1, Broken: -1}}}},
	} {
		if _, err := DecodeReply(r.Encode(), 100); err != ErrFrame {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := DecodeReply(append(someReply.Encode(), 0), 100); err != ErrFrame {
		t.Errorf("trailing byte: got %v", err)
	}
}

func TestHelloAndRequest(t *testing.T) {
	h := Hello{Protocol: Protocol, Languages: []string{Bash, Rust}}
	if got, err := DecodeHello(h.Encode()); err != nil || !reflect.DeepEqual(got, h) {
		t.Errorf("got %+v %v", got, err)
	}
	if _, err := DecodeHello([]byte("\x03abc")); err != ErrFrame {
		t.Errorf("another program: got %v", err)
	}
	r := Request{Language: Rust, Source: []byte("fn f() {}")}
	if got, err := DecodeRequest(r.Encode()); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v %v", got, err)
	}
	for _, bad := range []string{"", "\x05rust", "\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if _, err := DecodeRequest([]byte(bad)); err != ErrFrame {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	large := bytes.Repeat([]byte("x"), 3<<20+1)
	for _, p := range [][]byte{nil, []byte("a"), large} {
		if err := WriteFrame(&b, p); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range [][]byte{{}, []byte("a"), large} {
		if got, err := ReadFrame(&b, 4<<20); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	if _, err := ReadFrame(&b, 10); err != io.EOF {
		t.Errorf("at the end: got %v", err)
	}
	for in, want := range map[string]error{
		"\x00\x00":                    io.ErrUnexpectedEOF,
		"\x00\x00\x00\x05abc":         io.ErrUnexpectedEOF,
		"\x00\x00\x00\x0babcdefghijk": ErrFrame,
	} {
		if _, err := ReadFrame(strings.NewReader(in), 10); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", in, err, want)
		}
	}
}

// TestFrameThatLies checks that a length costs no memory before its bytes
// arrive.
func TestFrameThatLies(t *testing.T) {
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := ReadFrame(strings.NewReader("\x03\xff\xff\xffabc"), MaxReply); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
	})
	buf, _ := readGrowing(strings.NewReader("abc"), MaxReply)
	if cap(buf) > 1<<20 || allocated > 10 {
		t.Errorf("%d bytes, %v allocations", cap(buf), allocated)
	}
}

func FuzzDecodeReply(f *testing.F) {
	f.Add(someReply.Encode(), uint16(100))
	f.Add(Reply{Status: BadSource, Offset: 3}.Encode(), uint16(3))
	f.Fuzz(func(t *testing.T, payload []byte, size uint16) {
		r, err := DecodeReply(payload, int(size))
		if err != nil {
			return
		}
		if again := r.Encode(); !bytes.Equal(again, payload) {
			t.Fatalf("%x reads as %+v, which is %x", payload, r, again)
		}
		for i, d := range r.Outline.Defs {
			if d.Parent >= i || d.Doc < 0 || d.Doc > d.From || d.From > d.To || d.To > int(size) || len(d.Names) == 0 {
				t.Fatalf("definition %d: %+v", i, d)
			}
		}
	})
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add(Request{Language: Go, Source: []byte("package a")}.Encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := DecodeRequest(payload)
		if err != nil {
			return
		}
		again, err := DecodeRequest(r.Encode())
		if err != nil || again.Language != r.Language || !bytes.Equal(again.Source, r.Source) {
			t.Fatalf("%+v is read back as %+v, %v", r, again, err)
		}
	})
}

func FuzzDecodeHello(f *testing.F) {
	f.Add(Hello{Protocol: 1, Languages: []string{C, CPP}}.Encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		if h, err := DecodeHello(payload); err == nil && !bytes.Equal(h.Encode(), payload) {
			t.Fatalf("%x reads as %+v", payload, h)
		}
	})
}
