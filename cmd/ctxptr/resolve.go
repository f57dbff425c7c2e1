package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// pointerFlags are what resolve and read take to find and treat pointers.
type pointerFlags struct {
	proofFlags
	at   string
	from string
}

func (p *pointerFlags) register(cmd *cobra.Command) {
	p.registerPlace(cmd)
	p.proofFlags.register(cmd)
}

// registerPlace registers what says where pointers stand.
func (p *pointerFlags) registerPlace(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.at, "at", "", "take the pointer, or the pin of the reference, that stands at `FILE:LINE[:COLUMN]`")
	f.StringVar(&p.from, "from", "", "the `FILE` in which relative pointers stand")
}

type resolveOptions struct {
	pointerFlags
	format format
}

func newResolve(a *app) *cobra.Command {
	o := &resolveOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "resolve POINTER... | - | --at FILE:LINE[:COLUMN]",
		Short: "Prove that pointers still hold, or say exactly which proof is missing",
		Long: `resolve answers for each pointer, in input order: resolved, refreshed or blocked.
With - it reads standard input: one pointer a line (URI or JSON), or one JSON
array. An element {"id": "...", "pointer": ...} has its id repeated in the record.

With --refresh a blocked pointer is looked at once more, and the one identity that is
there now is adopted. That is for whoever decides, the parent of a delivery: who acts
on a pointer returns the record of what is blocked.`,
		Example: `  ctxptr resolve "$P" && act
  ctxptr resolve --format json - < pointers.txt
  ctxptr resolve --refresh --prior blocked.jsonl "$P"
  ctxptr resolve --identical "$P"`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.resolve(cmd.Context(), o, args) },
	}
	o.register(cmd)
	a.look.register(cmd)
	o.format.registerCI(cmd)
	return cmd
}

func (a *app) resolve(ctx context.Context, o *resolveOptions, args []string) error {
	records, err := a.answer(ctx, &o.pointerFlags, args, false)
	if err != nil {
		return err
	}
	if err := a.records(o.format, records); err != nil {
		return err
	}
	return exitWith(verdict(records))
}

// answer resolves what the arguments and flags name.
func (a *app) answer(ctx context.Context, p *pointerFlags, args []string, keep bool) ([]*resolver.Record, error) {
	var records []*resolver.Record
	err := a.withItems(ctx, p, args, func(ctx context.Context, b batch) (err error) {
		options := p.options(b.prior)
		options.Keep = keep
		records, err = resolver.Resolve(ctx, b.workspace, b.items, options)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.logRecords(records)
	return records, nil
}

// batch is what the arguments and flags name, and where it is looked up.
type batch struct {
	workspace *authority.Workspace
	items     []resolver.Item
	prior     resolver.Prior
}

// withItems hands do the pointers that the arguments and flags name, one at least,
// in an open workspace.
func (a *app) withItems(ctx context.Context, p *pointerFlags, args []string, do func(context.Context, batch) error) error {
	if p.at == "" && len(args) == 0 {
		return usagef("no pointer is named")
	}
	// Standard input is read to its end before anything is observed.
	listed, err := a.listed(args)
	if err != nil {
		return err
	}
	prior, err := a.readPrior(ctx, p.prior, args)
	if err != nil {
		return err
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		items, err := a.items(ctx, w, p, args, listed)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return fmt.Errorf("the input holds no pointer; nothing was checked")
		}
		return do(ctx, batch{w, items, prior})
	})
}

// listed reads the pointers that - names on standard input.
func (a *app) listed(args []string) ([]resolver.Item, error) {
	if len(args) != 1 || args[0] != "-" {
		return nil, nil
	}
	items, err := resolver.ReadItems(a.in)
	return items, inputError("standard input", err)
}

// items returns the pointers: from the place --at names, those listed on
// standard input, or the arguments.
func (a *app) items(ctx context.Context, w *authority.Workspace, p *pointerFlags, args []string, listed []resolver.Item) ([]resolver.Item, error) {
	from := ""
	if p.from != "" {
		var err error
		if from, err = a.inRoot(w, p.from); err != nil {
			return nil, err
		}
	}
	switch {
	case p.at != "" && len(args) > 0:
		return nil, usagef("--at and pointers cannot both be given")
	case p.at != "":
		return a.itemAt(ctx, w, p.at)
	case len(args) == 1 && args[0] == "-":
		return withFrom(listed, from), nil
	}
	items := make([]resolver.Item, len(args))
	for i, arg := range args {
		if arg == "-" {
			return nil, usagef("- stands alone: pointers come from standard input or from arguments")
		}
		items[i] = resolver.ItemOf(arg)
	}
	return withFrom(items, from), nil
}

func withFrom(items []resolver.Item, from string) []resolver.Item {
	for i := range items {
		items[i].From = from
	}
	return items
}

// readPrior reads the earlier records that --prior names, beside what args name.
func (a *app) readPrior(ctx context.Context, name string, args []string) (resolver.Prior, error) {
	if name == "" {
		return nil, nil
	}
	if err := stdinOnce(append(slices.Clone(args), name)...); err != nil {
		return nil, err
	}
	data, err := a.readInput(ctx, name)
	if err != nil {
		return nil, inputError("--prior "+shown(name), err)
	}
	prior, err := resolver.ReadPrior(bytes.NewReader(data))
	return prior, inputError("--prior "+shown(name), err)
}
