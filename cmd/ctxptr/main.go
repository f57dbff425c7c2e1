package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	_ "ctxptr/cmd/ctxptr/stack" // for what it does at the start
	"ctxptr/resolver"
)

func main() {
	os.Exit(mainCode())
}

// mainCode runs the command line of this process and returns its exit code.
func mainCode() int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ctxptr: the current folder is not known:", err)
		return exitNoVerdict
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Handling signals costs a tenth of the time of resolving one pointer, and so
	// does the collector's setting. A run that ends before this timer dies of an
	// interrupt as any program does.
	watch := sync.OnceFunc(func() {
		collectLate()
		cancelOnSignal(cancel)
	})
	defer time.AfterFunc(longAfter, watch).Stop()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, dir: dir, getenv: os.Getenv, watch: watch}
	return a.run(ctx, os.Args[1:])
}

// longAfter is when a run turns out to be a long one.
const longAfter = 4 * time.Millisecond

// cancelOnSignal cancels the run at the first interrupt; a second one kills it.
func cancelOnSignal(cancel context.CancelFunc) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
}

// run carries out one command line. No panic escapes.
func (a *app) run(ctx context.Context, args []string) (code int) {
	defer a.endSessions()
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(a.err, "ctxptr: internal error: %v\n", cause)
			code = exitNoVerdict
		}
	}()
	root := newRoot(a, args)
	root.SetArgs(args)
	root.SetIn(a.in)
	var help bytes.Buffer // what cobra writes, whose errors it does not hand on
	root.SetOut(&help)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	if help.Len() > 0 {
		err = cmp.Or(err, a.write(help.Bytes()))
	}
	if a.cancel != nil {
		a.cancel()
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled) {
		return exitInterrupted
	}
	if err == nil {
		return exitAllResolved
	}
	a.explainError(cmd, err)
	return exitCode(err)
}

// endSessions waits for the end of the companions that were stopped.
func (a *app) endSessions() {
	for _, s := range a.sessions {
		s.Close()
	}
}

// explainError says on standard error why there is no verdict, and how the
// command is used where that was wrong.
func (a *app) explainError(cmd *cobra.Command, err error) {
	if _, quiet := errors.AsType[*exitError](err); quiet {
		return
	}
	prefix := "ctxptr: "
	for line := range strings.SplitSeq(resolver.Redact(err.Error()), "\n") {
		fmt.Fprintf(a.err, "%s%s\n", prefix, printable(line))
		prefix = ""
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		topic := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
		fmt.Fprintf(a.err, "usage: %s\nctxptr help%s says more\n", cmd.UseLine(), topic)
	}
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		fmt.Fprintf(a.err, "ctxptr explain %s says more\n", f.Code)
	}
}

// write puts data on standard output; a reader that has gone away is no verdict.
func (a *app) write(data ...[]byte) error {
	// A closed pipe is an error of the write that meets it, not a death.
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriter(a.out)
	for _, piece := range data {
		// A failed write fails every later one, and Flush.
		_, _ = out.Write(piece)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", withoutPath(err))
	}
	return nil
}
