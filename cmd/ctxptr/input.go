package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// interruptible is a reader whose Read ends when its context does, although the
// one below may wait for input that never comes.
type interruptible struct {
	ctx    context.Context
	from   io.Reader
	before func() // called once, before the first Read
}

// result is what one Read of the reader below gave.
type result struct {
	n   int
	err error
}

func (r *interruptible) Read(p []byte) (int, error) {
	if r.before != nil {
		r.before()
		r.before = nil
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	own := make([]byte, len(p)) // a Read that is abandoned must not write into p
	done := make(chan result, 1)
	go func() {
		n, err := r.from.Read(own)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(p, own[:got.n]), got.err
	}
}

// input returns a file, or standard input for -, to be read until ctx ends: even
// opening a named pipe can wait for ever.
func (a *app) input(ctx context.Context, name string) io.Reader {
	if name == "-" {
		return a.in
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.dir, name)
	}
	return &interruptible{ctx: ctx, from: &lateFile{name: name}}
}

// lateFile is a file that is opened by the first Read and closed when one fails.
// Its errors name no path.
type lateFile struct {
	name string
	file *os.File
}

func (f *lateFile) Read(p []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.Open(f.name); err != nil {
			return 0, withoutPath(err)
		}
	}
	if n, err = f.file.Read(p); err != nil {
		f.file.Close()
	}
	return n, withoutPath(err)
}

// stdinOnce refuses that - stands for more than one of the inputs.
func stdinOnce(names ...string) error {
	count := 0
	for _, name := range names {
		if name == "-" {
			count++
		}
	}
	if count > 1 {
		return usagef("- stands once: standard input is read to its end")
	}
	return nil
}

// inputError says which input an error is about, nil when there is none.
func inputError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the time limit ended before %s did", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// withoutPath returns the cause of an error of the operating system alone, since
// the paths in such errors are absolute.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// isFolder returns why a path is no folder that can be worked in, nil when it is one.
func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return withoutPath(err)
}
