package selector

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ctxptr/authority/selector/symbols"
)

// fakeCompanion is what the test binary is under the name fake-NAME: a
// companion that does one thing wrong.
func fakeCompanion(name string) int {
	hello := symbols.Hello{Protocol: symbols.Protocol, Languages: []string{symbols.Python}}
	switch name {
	case "version":
		hello.Protocol++
	case "noise":
		_, _ = os.Stdout.WriteString("usage: not a companion\n")
		return 2
	case "languages":
		hello.Languages = nil
	}
	if symbols.WriteFrame(os.Stdout, hello.Encode()) != nil {
		return 1
	}
	for answered := 0; ; answered++ {
		payload, err := symbols.ReadFrame(os.Stdin, symbols.MaxSource)
		if err != nil {
			return 0
		}
		request, err := symbols.DecodeRequest(payload)
		if err != nil {
			return 1
		}
		if code := misbehave(name, string(request.Source), answered); code >= 0 {
			return code
		}
	}
}

// misbehave answers one request, or returns the code to exit with.
func misbehave(name, source string, answered int) int {
	reply := symbols.Reply{Outline: symbols.Outline{Defs: []symbols.Def{{Parent: -1, Names: []string{"f"}, Kind: "function", Span: symbols.Span{From: 0, To: 1}, Broken: -1}}}}
	switch {
	case name == "wrapper": // its child, which outlives it, holds the pipe open until it is told
		child := exec.Command("/bin/sh", "-c", "/bin/cat >/dev/null") // there is no PATH
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		_ = child.Start()
		time.Sleep(time.Hour)
	case name == "hang" && strings.Contains(source, "bad"):
		time.Sleep(time.Hour)
	case name == "crash" && strings.Contains(source, "bad"), name == "tired" && answered == 1:
		return 1
	case name == "memory", name == "greedy" && strings.Contains(source, "bad"):
		return symbols.ExitMemory
	case name == "deadline", name == "slow" && strings.Contains(source, "bad"), name == "single" && answered == 1:
		return symbols.ExitDeadline
	case name == "lie":
		reply.Outline.Defs[0].To = len(source) + 1
	case name == "deep":
		reply = symbols.Reply{Status: symbols.TooDeep}
	}
	if symbols.WriteFrame(os.Stdout, reply.Encode()) != nil {
		return 1
	}
	return -1
}

// fake returns a context with a session on a fake companion.
func fake(t *testing.T, name string, deadline time.Duration) context.Context {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fake-"+name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	s := NewSession(SessionOptions{Companion: path, Deadline: deadline, Processes: 1})
	t.Cleanup(s.Close)
	return WithSession(t.Context(), s)
}

// ask selects f in a Python document and returns the fault, 0 for none.
func ask(ctx context.Context, t *testing.T, source string) (Fault, string) {
	t.Helper()
	sel, err := Parse("symbol=f")
	if err != nil {
		t.Fatal(err)
	}
	_, err = sel.Select(ctx, NewDocument("a.py", []byte(source)))
	if err == nil {
		return 0, ""
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("%T: %v", err, err)
	}
	return e.Fault, e.Proof
}

func TestCompanionFaults(t *testing.T) {
	for name, want := range map[string]Fault{
		"version":   Unsupported,
		"noise":     Unsupported,
		"languages": Unsupported,
		"hang":      OverLimit,
		"crash":     BadContent,
		"memory":    OverLimit,
		"deadline":  OverLimit,
		"lie":       BadContent,
		"deep":      OverLimit,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := fake(t, name, 500*time.Millisecond)
			if got, proof := ask(ctx, t, "bad"); got != want {
				t.Errorf("got %d (%s), want %d", got, proof, want)
			}
		})
	}
}

// TestBatchGoesOn asks for good files around one that ends the companion.
func TestBatchGoesOn(t *testing.T) {
	for name, want := range map[string]Fault{"hang": OverLimit, "crash": BadContent, "tired": 0} {
		t.Run(name, func(t *testing.T) {
			ctx := fake(t, name, 500*time.Millisecond)
			for i, source := range []string{"good", "bad", "good", "good", "bad", "good"} {
				wanted := want
				if source == "good" {
					wanted = 0
				}
				if got, proof := ask(ctx, t, source); got != wanted {
					t.Errorf("file %d: got %d (%s), want %d", i, got, proof, wanted)
				}
			}
		})
	}
}

// TestWrappedCompanion asks a companion whose own child still holds the pipe when it is
// killed, and holds it until its input ends.
func TestWrappedCompanion(t *testing.T) {
	ctx := fake(t, "wrapper", 100*time.Millisecond)
	if got, proof := ask(ctx, t, "bad"); got != OverLimit {
		t.Errorf("got %d (%s), want a limit", got, proof)
	}
}

func TestNoCompanion(t *testing.T) {
	s := NewSession(SessionOptions{Companion: filepath.Join(t.TempDir(), companionName)})
	defer s.Close()
	ctx := WithSession(t.Context(), s)
	if got, proof := ask(ctx, t, "good"); got != Unsupported || !strings.Contains(proof, "python") {
		t.Errorf("got %d (%s)", got, proof)
	}
	if got := Languages(ctx); !slices.Equal(got, []string{symbols.Go}) {
		t.Errorf("languages: got %q", got)
	}
}

// TestBesideExecutable asks without a session: the companion is looked for
// beside the test binary, where there is none.
func TestBesideExecutable(t *testing.T) {
	path, err := besideExecutable()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(self), companionName); path != want {
		t.Errorf("got %s, want %s", path, want)
	}
	if got, proof := ask(t.Context(), t, "good"); got != Unsupported {
		t.Errorf("got %d (%s)", got, proof)
	}
}

func TestClosedSession(t *testing.T) {
	ctx := fake(t, "good", time.Second)
	s, _ := sessionOf(ctx)
	if got, proof := ask(ctx, t, "good"); got != 0 {
		t.Fatalf("got %d (%s)", got, proof)
	}
	s.Close()
	s.Close()
	if got, proof := ask(ctx, t, "good"); got != OverLimit {
		t.Errorf("got %d (%s)", got, proof)
	}
}

func TestCanceledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(fake(t, "hang", time.Minute))
	go func() {
		time.Sleep(10 * time.Millisecond)
		cancel()
	}()
	if got, proof := ask(ctx, t, "bad"); got != OverLimit {
		t.Errorf("got %d (%s)", got, proof)
	}
}

func TestLanguages(t *testing.T) {
	ctx, s := testSession(t, SessionOptions{})
	got := Languages(ctx)
	if !slices.IsSorted(got) || !slices.Contains(got, symbols.Go) || slices.Contains(got, symbols.CHeader) {
		t.Errorf("got %q", got)
	}
	if want := len(s.languages(ctx)) + 1; len(got) != want || want != 1 && want != 15 {
		t.Errorf("got %d languages, want 1 or 15", len(got))
	}
}

// TestConcurrentSession uses one session from several goroutines.
func TestConcurrentSession(t *testing.T) {
	ctx, _ := testSession(t, SessionOptions{Processes: 2})
	want, _ := ask(ctx, t, "def f(): pass\n")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if got, proof := ask(ctx, t, "def f(): pass\n"); got != want {
					t.Errorf("got %d (%s), want %d", got, proof, want)
				}
			}
		})
	}
	group.Wait()
}

// TestParsedOnce asks a document for many symbols.
func TestParsedOnce(t *testing.T) {
	ctx := fake(t, "single", time.Second) // which has no second answer
	d := NewDocument("a.py", []byte("good"))
	sel, err := Parse("symbol=f")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := sel.Select(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	if got, proof := ask(ctx, t, "good"); got != OverLimit {
		t.Errorf("another document: got %d (%s)", got, proof)
	}
}

// hostile has sources that hang or end parsers.
func hostile() map[string]string {
	nest := func(open, middle, shut string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(shut, n)
	}
	return map[string]string{
		"templates.kt":    "val x = " + nest(`"${`, "1", `}"`, 600),
		"templates.scala": "val x = " + nest(`s"${`, "1", `}"`, 600),
		"templates.js":    "x = " + nest("`${", "1", "}`", 3000),
		"parens.py":       "x = " + nest("(", "1", ")", 200_000),
		"brackets.c":      nest("{", ";", "}", 100_000),
		"angles.cpp":      nest("a<", "b", ">", 20_000) + " x;",
		"odd.scala":       strings.Repeat("\u00e9<-\u2028{`", 6_000),
		"odd.kt":          strings.Repeat("@\u00e9`<\"$", 6_000),
		"odd.rb":          strings.Repeat("<<~A %w[\u00e9", 4_000),
		"odd.php":         "<?php " + strings.Repeat("<<<A\n\u00e9 #[", 4_000),
		"odd.sh":          strings.Repeat("$(( <<E `\u00e9", 4_000),
		"odd.cs":          strings.Repeat("$\"{\u00e9\"\"\" #if\n", 4_000),
		"classes.java":    nest("class A {", "", "}", 20_000),
		"namespaces.cs":   nest("namespace A {", "", "}", 20_000),
		"raw.rs":          strings.Repeat("r#\"", 20_000),
		"generics.tsx":    strings.Repeat("<a b={", 10_000),
		"types.ts":        strings.Repeat("type A<T extends ", 10_000),
	}
}

// TestHostileSources asks the real companion for sources that are made to
// break it. Each ends in a fault or an answer, and a good file in between is
// always answered.
func TestHostileSources(t *testing.T) {
	ctx, s := testSession(t, SessionOptions{Deadline: 200 * time.Millisecond, Memory: 256 << 20, Processes: 1})
	good := len(s.languages(ctx)) > 0
	for name, source := range hostile() {
		t.Run(name, func(t *testing.T) {
			_, err := Symbols(ctx, NewDocument(name, []byte(source)))
			if e, ok := errors.AsType[*Error](err); err != nil && (!ok || good && e.Fault == Unsupported) {
				t.Errorf("%T %v", err, err)
			}
			if got, proof := ask(ctx, t, "def f(): pass\n"); good && got != 0 {
				t.Errorf("the file after it: %d (%s)", got, proof)
			}
		})
	}
}
