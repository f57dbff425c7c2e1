package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/grammar"
)

// patient returns a watch for all tests.
var patient = sync.OnceValue(func() *watch { return newWatch(time.Minute, func() { panic("late") }) })

// talk runs a server over the input and returns what it writes.
func talk(t testing.TB, input []byte) (output []byte, readErr, serveErr error) {
	t.Helper()
	s := server{memory: 1 << 30, watch: patient()}
	grammar.LimitMemory(symbols.ExitMemory)
	requests := make(chan []byte, len(input)/4+1) // a frame has at least 4 bytes
	readErr = readRequests(bytes.NewReader(input), requests)
	close(requests)
	var out bytes.Buffer
	serveErr = s.serve(requests, &out)
	return out.Bytes(), readErr, serveErr
}

func frames(t testing.TB, requests ...symbols.Request) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range requests {
		if err := symbols.WriteFrame(&b, r.Encode()); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestServe(t *testing.T) {
	source := []byte("def f(): pass\n")
	out, readErr, serveErr := talk(t, frames(t,
		symbols.Request{Language: symbols.Python, Source: source},
		symbols.Request{Language: "cobol", Source: source},
		symbols.Request{Language: symbols.Python, Source: []byte("a\x00")},
		symbols.Request{Language: symbols.Python},
	))
	if readErr != nil || serveErr != nil {
		t.Fatal(readErr, serveErr)
	}
	r := bytes.NewReader(out)
	payload, err := symbols.ReadFrame(r, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	hello, err := symbols.DecodeHello(payload)
	if err != nil || hello.Protocol != symbols.Protocol || !slices.Equal(hello.Languages, grammar.Languages()) {
		t.Fatalf("%+v %v", hello, err)
	}
	python := symbols.OK
	if len(hello.Languages) == 0 {
		python = symbols.NoLanguage
	}
	for i, want := range []symbols.Status{python, symbols.NoLanguage, symbols.BadSource, python} {
		payload, err := symbols.ReadFrame(r, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := symbols.DecodeReply(payload, len(source))
		if err != nil || reply.Status != want {
			t.Errorf("reply %d: %+v %v", i, reply, err)
		}
		if i == 0 && want == symbols.OK && (len(reply.Outline.Defs) != 1 || reply.Outline.Defs[0].Names[0] != "f") {
			t.Errorf("reply %d: %+v", i, reply)
		}
	}
	if _, err := symbols.ReadFrame(r, 1); err != io.EOF {
		t.Errorf("more output: %v", err)
	}
}

func TestServeRefusesNoise(t *testing.T) {
	for _, in := range []string{"GET / HTTP/1.1\r\n\r\n", "\x00\x00\x00\x02\xff\xff", "\x00\x00"} {
		if _, readErr, serveErr := talk(t, []byte(in)); readErr == nil && serveErr == nil {
			t.Errorf("%q is served", in)
		}
	}
}

func TestLimits(t *testing.T) {
	if d, m, err := limits([]string{"2000", "1024"}); err != nil || d != 2*time.Second || m != 1024 {
		t.Error(d, m, err)
	}
	for _, args := range []string{"", "1", "0 1", "1 0", "-1 1", "1 -1", "x 1", "1 x", "1 1 1", "99999999999 1"} {
		if _, _, err := limits(strings.Fields(args)); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// TestWatch spends processor time until the watch calls, which it does for no
// files that take less.
func TestWatch(t *testing.T) {
	var late atomic.Int32
	w := newWatch(20*time.Millisecond, func() { late.Add(1) })
	spend := func(enough func(spent time.Duration) bool) {
		w.begin()
		for start := processorTime(); !enough(processorTime() - start); {
		}
		w.end()
	}
	for range 10 {
		spend(func(spent time.Duration) bool { return spent > 5*time.Millisecond })
	}
	if n := late.Load(); n > 0 {
		t.Errorf("late %d times before the limit", n)
	}
	spend(func(time.Duration) bool { return late.Load() > 0 })
}

// FuzzServe feeds a server anything: it answers what are requests and stops at
// what is none.
func FuzzServe(f *testing.F) {
	f.Add(frames(f, symbols.Request{Language: symbols.Python, Source: []byte("x = 1")}, symbols.Request{Language: symbols.CHeader, Source: []byte("int f;")}))
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, input []byte) {
		out, _, _ := talk(t, input)
		r := bytes.NewReader(out)
		if _, err := symbols.ReadFrame(r, 1<<20); err != nil {
			t.Fatal(err)
		}
		for {
			payload, err := symbols.ReadFrame(r, symbols.MaxReply)
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := symbols.DecodeReply(payload, symbols.MaxSource); err != nil {
				t.Fatal(err)
			}
		}
	})
}
