package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
)

type whoOptions struct {
	format  format
	in      []string
	exclude []string
}

func newWho(a *app) *cobra.Command {
	o := &whoOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "who TARGET",
		Short: "List the pointers, pins and plain references that point at a file, section or symbol",
		Long: `who looks through every document for what points at the target: a path,
path#fragment or path:10-20, or what a pointer is about. A path where nothing stands
any more is a target too. Each line has the place, the form, how what is named stands
to the target, and the reference. It is

  same      the target itself
  part      a part of it
  overlaps  some of it and of what is beside it
  around    a larger part of its file
  whole     its whole file
  folder    a folder in which it stands
  revision  one of these as a revision in git has it
  gone      the target, or a part of its file, that is not there or not unique now

A revision is what a permalink, a pointer of kind git or a path of one of kind range
names, of this repository by whatever name: --repo HOST/OWNER/REPO=. gives it one.`,
		Example: `  ctxptr who docs/SPEC.md#AC-010
  ctxptr who src --in plans`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.who(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.in, "in", nil, "look only in this `PATH` (repeatable)")
	registerExclude(cmd, &o.exclude)
	a.look.registerRepos(cmd)
	o.format.registerTextOrJSON(cmd)
	return cmd
}

func (a *app) who(ctx context.Context, o *whoOptions, args []string) error {
	if len(args) != 1 {
		return usagef("name one target")
	}
	return a.inDocuments(ctx, o.in, func(ctx context.Context, w *authority.Workspace, scope documents.Scope) error {
		scope.Exclude = o.exclude
		target, err := a.referred(ctx, w, args[0])
		if err != nil {
			return err
		}
		list, scan, err := documents.Who(ctx, w, scope, *target)
		if err != nil {
			return err
		}
		if f := target.Gone(); f != nil && len(list) == 0 {
			return usagef("%s: %s", shown(args[0]), f.Proof)
		}
		for _, b := range scan.Broken {
			fmt.Fprintf(a.err, "ctxptr: %s: %s\n", a.placeText(&b.At), printable(b.Fault.Proof))
		}
		out, err := a.renderReferrers(o.format, list)
		if err != nil {
			return err
		}
		if err := a.write(out); err != nil {
			return err
		}
		fmt.Fprintf(a.err, "%s in %s\n", counted(len(list), "reference"), counted(scan.Files, "file"))
		if len(scan.Broken) > 0 {
			return exitWith(exitBlocked)
		}
		return nil
	})
}

// referred parses the target of who, which can also be a pointer.
func (a *app) referred(ctx context.Context, w *authority.Workspace, text string) (*documents.Target, error) {
	p, err := resolver.ParseInText(text)
	if err != nil {
		return a.only(ctx, w, text, documents.ParseFormer)
	}
	target, ok := documents.TargetOf(p)
	if !ok {
		return nil, usagef("%s is about no file or folder of the working tree", shown(p.Short()))
	}
	return &target, nil
}

func (a *app) renderReferrers(f format, list []documents.Referrer) ([]byte, error) {
	var out bytes.Buffer
	for _, r := range list {
		if f.name == formatText {
			fmt.Fprintf(&out, "%s: %s %s %s\n", a.placeText(&r.At), r.Form, r.Relation, r.Name)
			continue
		}
		if err := jsonText(&out, r); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
