package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/grammar"
)

// talk runs a server over the input and returns what it writes.
func talk(t testing.TB, input []byte) (output []byte, readErr, serveErr error) {
	t.Helper()
	s := server{deadline: time.Minute, memory: 1 << 30, late: func() { t.Error("late") }}
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

// TestWatch spends processor time until the watch calls.
func TestWatch(t *testing.T) {
	late := make(chan struct{}, 1000)
	stop := watch(time.Millisecond, func() { late <- struct{}{} })
	spin := 0
	for len(late) == 0 {
		spin++
	}
	stop()
	if spin == 0 {
		t.Error("late before any work")
	}
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
