package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
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
	if _, quiet := errors.AsType[*exitError](err); !quiet {
		fmt.Fprintf(a.err, "ctxptr: %v\n", err)
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(a.err, "usage: %s\nctxptr help %s says more\n", cmd.UseLine(), cmd.Name())
	}
	return exitCode(err)
}

// write puts data on standard output; a reader that has gone away is no verdict.
func (a *app) write(data []byte) error {
	n, err := a.out.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
