package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

func main() { os.Exit(mainCode()) }

// mainCode runs the command line of this process and returns its exit code.
func mainCode() int {
	// A closed pipe is an error of the write that meets it, not a death.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ctxptr: the current folder is not known:", err)
		return exitNoVerdict
	}
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, dir: dir, getenv: os.Getenv}
	return a.run(ctx, os.Args[1:])
}

// run carries out one command line. No panic escapes.
func (a *app) run(ctx context.Context, args []string) (code int) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(a.err, "ctxptr: internal error: %v\n", cause)
			code = exitNoVerdict
		}
	}()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled) {
		return exitInterrupted
	}
	if err == nil {
		return exitAllResolved
	}
	a.explainError(cmd, err)
	return exitCode(err)
}

// explainError says on standard error why there is no verdict, and how the
// command is used where that was wrong.
func (a *app) explainError(cmd *cobra.Command, err error) {
	if _, quiet := errors.AsType[*exitError](err); quiet {
		return
	}
	prefix := "ctxptr: "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(a.err, "%s%s\n", prefix, printable(line))
		prefix = ""
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		topic := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
		fmt.Fprintf(a.err, "usage: %s\nctxptr help%s says more\n", cmd.UseLine(), topic)
	}
}

// write puts data on standard output; a reader that has gone away is no verdict.
func (a *app) write(data []byte) error {
	n, err := a.out.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("standard output: %w", withoutPath(err))
	}
	return nil
}
