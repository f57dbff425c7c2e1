package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

// envelopes reads every file to its end, before anything is observed.
func (a *app) envelopes(ctx context.Context, o *validateOptions, names []string) (files [][]byte, options envelope.Options, err error) {
	if err := stdinOnce(append(slices.Clone(names), o.prior, o.packet, o.scope)...); err != nil {
		return nil, options, err
	}
	files = make([][]byte, len(names))
	for i, name := range names {
		if files[i], err = a.readInput(ctx, name); err != nil {
			return nil, options, inputError(shown(name), err)
		}
	}
	prior, err := a.readPrior(ctx, o.prior, nil)
	if err != nil {
		return nil, options, err
	}
	options.Resolve = o.options(prior)
	if o.packet != "" {
		if options.Packet, err = a.readInput(ctx, o.packet); err != nil {
			return nil, options, inputError("--packet "+shown(o.packet), err)
		}
	}
	if o.scope != "" {
		data, err := a.readInput(ctx, o.scope)
		if err == nil {
			options.Scope, err = envelope.ParseScope(data)
		}
		if err != nil {
			return nil, options, inputError("--scope "+shown(o.scope), err)
		}
	}
	return files, options, nil
}

// readInput reads a file, or standard input for -, up to the bound on lists of
// pointers.
func (a *app) readInput(ctx context.Context, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(a.input(ctx, name), resolver.MaxInput+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > resolver.MaxInput:
		return nil, fmt.Errorf("it has more than %d bytes", resolver.MaxInput)
	}
	return data, nil
}
