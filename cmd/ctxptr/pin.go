package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
)

type pinOptions struct {
	format format
	only   string
	dryRun bool
}

func (o *pinOptions) register(cmd *cobra.Command) {
	registerTarget(cmd, "only", &o.only)
	registerDryRun(cmd, &o.dryRun)
	o.format.register(cmd, "text, json or pointer")
}

func newPin(a *app) *cobra.Command {
	o := &pinOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "pin PATH...",
		Short: "Give the plain references of documents an identity, and leave the documents as they are",
		Long: `pin writes a pin for each plain reference (link, path:line, permalink) that names
exactly one thing, into the nearest ctxptr.pins at or above its document, or a new
one at the root. What names nothing, or several things, is listed with its code. A
pin covers what the reference states and nothing narrower. Without --only none is
written for what holds its own document, a folder around it or the whole of it: every
edit there would be one of what the pin is about. Commit ctxptr.pins with the
documents; check proves it.

Where branches meet, both sides' lines are kept (ctxptr.pins merge=union in
.gitattributes does that); accept then puts them in order and settles what they state
of the same reference.`,
		Example: `  ctxptr pin plans/p1.md
  ctxptr pin --dry-run docs
  ctxptr pin plans/p1.md --only docs/SPEC.md#AC-010`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.pin(cmd.Context(), o, args) },
	}
	o.register(cmd)
	a.look.register(cmd)
	return cmd
}

func newUnpin(a *app) *cobra.Command {
	o := &pinOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "unpin PATH...",
		Short: "Take the pins of documents away",
		Long:  `unpin removes the pins of documents, or of all in a folder, from ctxptr.pins.`,
		Example: `  ctxptr unpin plans/p1.md
  ctxptr unpin . --only dir:src`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.unpin(cmd.Context(), o, args) },
	}
	o.register(cmd)
	return cmd
}

func (a *app) pin(ctx context.Context, o *pinOptions, args []string) error {
	return a.inNamed(ctx, args, o.only, documents.ParseTarget, func(ctx context.Context, w *authority.Workspace, scope documents.Scope, only *documents.Target) error {
		result, err := documents.Pin(ctx, w, documents.PinOptions{Scope: scope, Only: only, DryRun: o.dryRun})
		if err != nil {
			return err
		}
		return a.showPinned(o, result)
	})
}

// inDocuments opens the workspace for a command about the documents that its
// arguments name, none for all.
func (a *app) inDocuments(ctx context.Context, args []string, do func(context.Context, *authority.Workspace, documents.Scope) error) error {
	if slices.Contains(args, "-") {
		return usagef("standard input is no document here: name files or folders")
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		scope, err := a.scope(w, args, nil, "")
		if err != nil {
			return err
		}
		return do(ctx, w, scope)
	})
}

// inNamed is inDocuments for a command that writes, and so must be told where; it
// hands on the target that a flag names, nil for none.
func (a *app) inNamed(ctx context.Context, args []string, target string, parse targetParser, do func(context.Context, *authority.Workspace, documents.Scope, *documents.Target) error) error {
	if len(args) == 0 {
		return usagef("name the documents, or . for all")
	}
	return a.inDocuments(ctx, args, func(ctx context.Context, w *authority.Workspace, scope documents.Scope) error {
		if named, ok := documents.NamedTarget(w, a.dir, target); ok {
			return do(ctx, w, scope, &named)
		}
		only, err := a.only(ctx, w, target, parse)
		if err != nil {
			return err
		}
		return do(ctx, w, scope, only)
	})
}

// targetParser is documents.ParseTarget, or ParseFormer for what need not stand any
// more.
type targetParser func(ctx context.Context, w *authority.Workspace, folder, text string) (documents.Target, error)

// only parses the target of a flag, nil for none.
func (a *app) only(ctx context.Context, w *authority.Workspace, text string, parse targetParser) (*documents.Target, error) {
	if text == "" {
		return nil, nil
	}
	t, err := parse(ctx, w, a.dir, text)
	if e, ok := errors.AsType[*resolver.TargetError](err); ok {
		return nil, usagef("%v", e)
	}
	if _, ok := errors.AsType[*authority.Fault](err); ok {
		return nil, usagef("%s: %s", shown(text), reason(err))
	}
	return &t, err
}

func (a *app) showPinned(o *pinOptions, result *documents.PinResult) error {
	verb := "pinned"
	if o.dryRun {
		verb = "would pin"
	}
	out, err := a.renderEach(o.format, result.Records, func(b *bytes.Buffer, r *resolver.Record) {
		fmt.Fprintf(b, "%s %s: %s\n", verb, a.placeText(r.At), r.Name())
	})
	if err != nil {
		return err
	}
	if err := a.write(out); err != nil {
		return err
	}
	resolved := 0
	for _, r := range result.Records {
		if r.Outcome == resolver.Resolved {
			resolved++
		}
	}
	fmt.Fprintf(a.err, "%d %s, %d left, %d had a pin, %d in other repositories", resolved, verb, len(result.Records)-resolved, result.Pinned, result.Foreign)
	if result.Around > 0 {
		fmt.Fprintf(a.err, ", %d hold their own document", result.Around)
	}
	fmt.Fprintln(a.err)
	if len(result.Records)+result.Pinned+result.Foreign+result.Around == 0 {
		return fmt.Errorf("no plain reference was found; nothing was pinned")
	}
	return exitWith(verdict(result.Records))
}

// renderEach renders records for a command that writes: done says in text what was
// done for one that is not blocked.
func (a *app) renderEach(f format, records []*resolver.Record, done func(*bytes.Buffer, *resolver.Record)) ([]byte, error) {
	var out bytes.Buffer
	for _, r := range records {
		var err error
		switch {
		case f.name == formatJSON:
			err = renderJSON(&out, r)
		case f.name == formatPointer:
			err = renderPointer(&out, r)
		case r.Outcome == resolver.Blocked:
			a.placedText(&out, r)
		default:
			done(&out, r)
		}
		if err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func (a *app) unpin(ctx context.Context, o *pinOptions, args []string) error {
	return a.inNamed(ctx, args, o.only, documents.ParseFormer, func(ctx context.Context, w *authority.Workspace, scope documents.Scope, only *documents.Target) error {
		gone, err := documents.Unpin(ctx, w, scope.Paths, documents.PinOptions{Only: only, DryRun: o.dryRun})
		if err != nil {
			return err
		}
		return a.showUnpinned(o, gone)
	})
}

func (a *app) showUnpinned(o *pinOptions, gone []documents.Unpinned) error {
	verb := "unpinned"
	if o.dryRun {
		verb = "would unpin"
	}
	var out bytes.Buffer
	for _, u := range gone {
		switch o.format.name {
		case formatJSON:
			if err := jsonText(&out, u); err != nil {
				return err
			}
		case formatPointer:
			fmt.Fprintln(&out, u.Pointer)
		default:
			fmt.Fprintf(&out, "%s %s: %s\n", verb, shown(a.fromHere(u.Path())), u.Name())
		}
	}
	if err := a.write(out.Bytes()); err != nil {
		return err
	}
	if len(gone) == 0 {
		return fmt.Errorf("no pin was found; nothing was taken away")
	}
	return nil
}
