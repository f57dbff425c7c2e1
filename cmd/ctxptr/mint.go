package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

type mintOptions struct {
	kind, selectText, tag, fresh, from string
	whole, pin                         bool
	format                             format
}

func newMint(a *app) *cobra.Command {
	o := &mintOptions{format: format{formatPointer}}
	cmd := &cobra.Command{
		Use:   "mint TARGET... | mint --kind KIND [--select TYPE=VALUE] LOCATOR...",
		Short: "Print pointers to what is there now",
		Long: `mint looks at each target and prints a pointer to what is there now, or says on
standard error why there is none.

A target is a path, rev:path, either of them with #fragment or :FIRST-LAST behind
it. A path is relative to the current folder; behind a revision it is from the top
of the repository, unless it begins with ./ or ../, as for git. A fragment is a
selector (item=AC-010), L10-L20, or a name: the first of anchor, item, symbol and
heading that fits, when all that fit mean the same range; else they are listed as
candidates. A target can also be a permalink
(https://host/owner/repo/blob/COMMIT/path#L10-L20, tree/, commit/): of the current
repository's remote origin, or of one that --repo gives a folder for.

With --kind the argument is a locator, relative to the root, exactly as it will
stand in the pointer.`,
		Example: `  ctxptr mint 'docs/SPEC.md#AC-010'
  ctxptr mint src/main.go:10-20
  ctxptr mint --kind commit --pin HEAD`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.mint(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.kind, "kind", "", "the argument is a locator of this `KIND`")
	f.StringVar(&o.selectText, "select", "", "select `TYPE=VALUE` in it")
	f.StringVar(&o.tag, "id", "", "the identity's `TAG` (default: the kind's own, blake3 for bytes)")
	f.BoolVar(&o.whole, "whole", false, "the identity covers the whole authority, the selector says which part is meant")
	f.StringVar(&o.fresh, "fresh", "", "freshness `RULES` (default: immutable for a full object id, else matches_current)")
	f.StringVar(&o.from, "from", "", "the `FILE` in which a pointer with a relative locator will stand")
	f.BoolVar(&o.pin, "pin", false, "write the full commit id instead of a moving revision")
	o.format.register(cmd, "pointer, text or json (a resolution record)")
	a.look.register(cmd)
	completeFrom(cmd, "kind", kindNames)
	completeFrom(cmd, "id", tagNames)
	return cmd
}

func (a *app) mint(ctx context.Context, o *mintOptions, args []string) error {
	if len(args) == 0 {
		return usagef("no target is named")
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		records := make([]*resolver.Record, len(args))
		for i, arg := range args {
			var err error
			if records[i], err = a.mintOne(ctx, w, o, arg); err != nil {
				return err
			}
			records[i].Index = i
		}
		a.logRecords(records)
		if err := a.records(o.format, records); err != nil {
			return err
		}
		return exitWith(verdict(records))
	})
}

// mintOne answers for one argument. What is wrong with the target is a blocked
// record; what is wrong with the flags is an error.
func (a *app) mintOne(ctx context.Context, w *authority.Workspace, o *mintOptions, arg string) (*resolver.Record, error) {
	want, err := a.target(ctx, w, o, arg)
	if e, ok := errors.AsType[*resolver.TargetError](err); ok {
		return nil, usagef("%v; say which:\n  ctxptr mint %s", e, strings.Join(e.Meanings, "\n  ctxptr mint "))
	}
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return resolver.Unminted(arg, f), nil
	}
	if err != nil {
		return nil, err
	}
	if err := o.apply(a, w, &want); err != nil {
		return nil, err
	}
	if o.pin {
		if want.Locator, err = want.Locator.Pin(ctx, w); err != nil {
			f, ok := errors.AsType[*authority.Fault](err)
			if !ok {
				return nil, err
			}
			return resolver.Unminted(arg, f), nil
		}
	}
	return resolver.Mint(ctx, w, want, arg), nil
}

// target reads the argument as a locator of --kind, or as a shorthand.
func (a *app) target(ctx context.Context, w *authority.Workspace, o *mintOptions, arg string) (resolver.Wanted, error) {
	if o.kind == "" {
		return resolver.ParseTarget(ctx, w, a.dir, arg)
	}
	kind, err := authority.LookupKind(o.kind)
	if err != nil {
		return resolver.Wanted{}, usagef("--kind: %v", reason(err))
	}
	locator, err := authority.ParseLocator(kind, arg)
	return resolver.Wanted{Locator: locator}, err
}

// apply adds what the flags say.
func (o *mintOptions) apply(a *app, w *authority.Workspace, want *resolver.Wanted) (err error) {
	if o.selectText != "" {
		if !want.Selector.IsZero() {
			return usagef("the target has a fragment and --select is given; one of them")
		}
		if want.Selector, err = selector.Parse(o.selectText); err != nil {
			return usagef("--select: %v", err)
		}
	}
	if o.fresh != "" {
		if want.Rules, err = resolver.ParseRules(o.fresh); err != nil {
			return usagef("--fresh: %v", reason(err))
		}
	}
	if o.from != "" {
		if want.From, err = a.inRoot(w, o.from); err != nil {
			return err
		}
	}
	if want.Whole = o.whole; want.Whole && want.Selector.IsZero() {
		return usagef("--whole needs a selector; without one every identity covers the whole authority")
	}
	if want.Tag = authority.Tag(o.tag); o.tag != "" && !want.Locator.Kind().Takes(want.Tag) {
		return usagef("--id: kind %s has the identities %s", want.Locator.Kind().Name, tagList(want.Locator.Kind()))
	}
	return nil
}

func tagList(k *authority.Kind) string {
	names := make([]string, len(k.Tags))
	for i, t := range k.Tags {
		names[i] = string(t)
	}
	return strings.Join(names, " ")
}

// reason is a fault's sentence without its code, for an error about a flag.
func reason(err error) string {
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return f.Proof
	}
	return fmt.Sprint(err)
}
