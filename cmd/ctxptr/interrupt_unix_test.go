//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// endless is ctxptr reading a standard input that stays open and never ends.
type endless struct {
	*exec.Cmd
	in   io.WriteCloser
	errs *bufio.Reader
}

// startEndless starts ctxptr and returns once it reads standard input, from when
// on it handles signals.
func startEndless(t *testing.T, args ...string) endless {
	t.Helper()
	e := endless{Cmd: exec.Command("ctxptr", append([]string{"--root", ".", "--log-level", "debug"}, args...)...)}
	e.Dir = t.TempDir()
	var err error
	if e.in, err = e.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	errs, err := e.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Process.Kill() }) // no harm when it has ended
	e.errs = bufio.NewReader(errs)
	if line, err := e.errs.ReadString('\n'); err != nil || !strings.Contains(line, "reading standard input") {
		t.Fatalf("the first log line is %q (%v)", line, err)
	}
	return e
}

// end waits for the process and returns its exit code and what it said.
func (e endless) end(t *testing.T) (int, string) {
	t.Helper()
	said, err := io.ReadAll(e.errs)
	if err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](e.Wait())
	if !ok {
		t.Fatal("it ended with exit code 0")
	}
	return exit.ExitCode(), string(said)
}

func TestInterruptWhileReading(t *testing.T) {
	for _, c := range []struct {
		name, written string
		signal        os.Signal
		args          []string
	}{
		{"nothing written", "", os.Interrupt, []string{"resolve", "-"}},
		{"half a line", "ctxptr:file:a.md", os.Interrupt, []string{"resolve", "-"}},
		{"half an array", "[1, ", os.Interrupt, []string{"resolve", "--format", "json", "-"}},
		{"read", "", os.Interrupt, []string{"read", "-"}},
		{"prior", "", os.Interrupt, []string{"resolve", "--prior", "-", "x"}},
		{"terminated", "", syscall.SIGTERM, []string{"resolve", "-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := startEndless(t, c.args...)
			if _, err := io.WriteString(e.in, c.written); err != nil {
				t.Fatal(err)
			}
			if err := e.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if code, said := e.end(t); code != exitInterrupted {
				t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, said)
			}
		})
	}
}

func TestTimeoutWhileReading(t *testing.T) {
	e := startEndless(t, "resolve", "--timeout", "20ms", "-")
	code, said := e.end(t)
	if code != exitNoVerdict || said != "ctxptr: the time limit ended before standard input did\n" {
		t.Errorf("exit code %d, want %d: %s", code, exitNoVerdict, said)
	}
}
