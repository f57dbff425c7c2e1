package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

// envelopes reads every file to its end, before anything is observed.
func (a *app) envelopes(o *validateOptions, names []string) (files [][]byte, options envelope.Options, err error) {
	files = make([][]byte, len(names))
	stdin := false
	for i, name := range names {
		if name == "-" && stdin {
			return nil, options, usagef("- stands once: standard input is read to its end")
		}
		stdin = stdin || name == "-"
		if files[i], err = a.readInput(name); err != nil {
			return nil, options, inputError(shown(name), err)
		}
	}
	options.Resolve = resolver.Options{Refresh: o.refresh, Identical: o.identical}
	if o.prior != "" {
		if options.Resolve.Prior, err = a.readPrior(&pointerFlags{prior: o.prior}, names); err != nil {
			return nil, options, err
		}
	}
	if o.packet != "" {
		if options.Packet, err = a.readInput(o.packet); err != nil {
			return nil, options, inputError("--packet", err)
		}
	}
	if o.scope != "" {
		data, err := a.readInput(o.scope)
		if err == nil {
			options.Scope, err = readScope(data)
		}
		if err != nil {
			return nil, options, inputError("--scope", err)
		}
	}
	return files, options, nil
}

// readInput reads a file, or standard input for -, up to the bound on lists of
// pointers.
func (a *app) readInput(name string) ([]byte, error) {
	from := a.in
	if name != "-" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.dir, name)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, withoutPath(err)
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, resolver.MaxInput+1))
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case len(data) > resolver.MaxInput:
		return nil, fmt.Errorf("it has more than %d bytes", resolver.MaxInput)
	}
	return data, nil
}

// readScope reads paths: a JSON array of them, or one a line.
func readScope(data []byte) ([]string, error) {
	scope := []string{}
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		if err := json.Unmarshal(trimmed, &scope); err != nil {
			return nil, errors.New("it is no JSON array of paths")
		}
	} else {
		for line := range strings.Lines(string(data)) {
			if path := strings.TrimRight(line, "\r\n"); path != "" {
				scope = append(scope, path)
			}
		}
	}
	if len(scope) == 0 {
		return nil, errors.New("it names no path")
	}
	return scope, nil
}
