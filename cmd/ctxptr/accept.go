package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
)

type acceptOptions struct {
	format     format
	to         string
	moved      []string
	difference string
	exclude    []string
	dryRun     bool
}

func newAccept(a *app) *cobra.Command {
	o := &acceptOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "accept PATH...",
		Short: "Write into documents and pins what a refresh proves (the parent's right)",
		Long: `accept resolves the pointers in the documents, and the pins of them, with the
refresh, and writes each one that is refreshed down where it stands. Read what
changed first: ctxptr diff. What is blocked is left and listed. Nothing but pointers
is changed; each file is replaced in one step, and not when it changed meanwhile or
holds conflict markers.

A pointer to a text in which other pointers are rewritten waits until that is done;
pointers that depend on each other in a circle are left. A pin's selector is never
changed: lines that moved stay blocked until the document is edited. A pins file of
which nothing but the order is wrong is put in order.

--moved says what was renamed, besides accepting what changed: pointers and pins
follow to where the stated bytes stand, and a document takes its own pins along.`,
		Example: `  ctxptr accept --dry-run plans
  ctxptr accept . --to docs/SPEC.md#AC-010
  ctxptr accept . --moved docs/old.md=docs/new.md`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.accept(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	registerTarget(cmd, "to", &o.to)
	f.StringArrayVar(&o.moved, "moved", nil, "a file or folder stands elsewhere now, as `OLD=NEW`: accepted where the stated bytes stand at NEW; a document's own pins go with it (repeatable)")
	f.StringVar(&o.difference, "only-difference", "", "only where the bytes differ in no more than `KIND`: eol-only or whitespace-only")
	registerExclude(cmd, &o.exclude)
	registerDryRun(cmd, &o.dryRun)
	o.format.register(cmd, "text, json or pointer")
	completeFrom(cmd, "only-difference", func() []string { return acceptable })
	a.look.register(cmd)
	return cmd
}

// acceptable are the differences that --only-difference takes.
var acceptable = []string{selector.EOLOnly, selector.WhitespaceOnly}

func (a *app) accept(ctx context.Context, o *acceptOptions, args []string) error {
	if o.difference != "" && !slices.Contains(acceptable, o.difference) {
		return usagef("--only-difference is eol-only or whitespace-only")
	}
	return a.inNamed(ctx, args, o.to, documents.ParseFormer, func(ctx context.Context, w *authority.Workspace, scope documents.Scope, to *documents.Target) error {
		scope.Exclude = o.exclude
		moves, err := a.moves(w, o.moved)
		if err != nil {
			return err
		}
		result, err := documents.Accept(ctx, w, documents.AcceptOptions{
			Scope: scope, To: to, Moved: moves, Difference: o.difference, DryRun: o.dryRun, Again: w.Again,
		})
		if err != nil && (result == nil || len(result.Accepted) == 0) {
			return err
		}
		return cmp.Or(err, a.showAccepted(o, result)) // what was written before an error is said as well
	})
}

// moves parses the values of --moved.
func (a *app) moves(w *authority.Workspace, texts []string) ([]documents.Move, error) {
	var list []documents.Move
	for _, text := range texts {
		old, now, found := strings.Cut(text, "=")
		if !found || old == "" || now == "" {
			return nil, usagef("--moved takes OLD=NEW")
		}
		to, err := a.inRoot(w, now)
		if err != nil {
			return nil, err
		}
		from, err := a.formerly(w, old)
		if err != nil {
			return nil, err
		}
		if from == to {
			return nil, usagef("%s is where it was: OLD and NEW are one path", shown(old))
		}
		if slices.ContainsFunc(list, func(m documents.Move) bool { return m.Old == from && m.New != to }) {
			return nil, usagef("%s is said to have moved twice", shown(old))
		}
		list = append(list, documents.Move{Old: from, New: to})
	}
	return list, nil
}

// formerly turns a path that need not stand any more, relative to the current
// folder, into one relative to the root.
func (a *app) formerly(w *authority.Workspace, arg string) (string, error) {
	at, ok := resolver.PathInRoot(w, a.dir, arg)
	if !ok {
		return "", usagef("%s lies outside the root", shown(arg))
	}
	return at, nil
}

func (a *app) showAccepted(o *acceptOptions, result *documents.AcceptResult) error {
	verb, carry := "accepted", "carried"
	if o.dryRun {
		verb, carry = "would accept", "would carry"
	}
	all := slices.Concat(result.Accepted, result.Waiting, result.Carried, result.Left)
	for i, r := range all {
		r.Index = i
	}
	waiting := map[*resolver.Record]bool{}
	for _, r := range result.Waiting {
		waiting[r] = true
	}
	out, err := a.renderEach(o.format, all, func(b *bytes.Buffer, r *resolver.Record) {
		if r.Outcome == resolver.Resolved && !waiting[r] {
			fmt.Fprintf(b, "%s %s → %s\n", carry, a.placeText(r.At), r.Name())
			return
		}
		fmt.Fprintf(b, "%s %s → %s", verb, a.placeText(r.At), r.Name())
		if now, err := resolver.ParseInText(r.PointerNow); err == nil && now.Short() != r.Name() {
			fmt.Fprintf(b, ", now %s", now.Short())
		}
		if waiting[r] {
			b.WriteString(", once others are written that it depends on")
		}
		b.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	if err := a.write(out); err != nil {
		return err
	}
	a.countAccepted(o, result, verb, carry)
	switch {
	case len(all)+result.Fresh == 0:
		return fmt.Errorf("no pointer was found; nothing was accepted")
	case len(result.Left) > 0:
		return exitWith(exitBlocked)
	}
	return nil
}

// countAccepted says how many there are of each.
func (a *app) countAccepted(o *acceptOptions, result *documents.AcceptResult, verb, carry string) {
	counts := fmt.Sprintf("%d %s", len(result.Accepted)+len(result.Waiting), verb)
	if len(result.Carried) > 0 {
		counts += fmt.Sprintf(", %d %s", len(result.Carried), carry)
	}
	if n := len(result.Ordered); n > 0 {
		put := "put"
		if o.dryRun {
			put = "to put"
		}
		counts += fmt.Sprintf(", %s %s in order", counted(n, "pins file"), put)
	}
	fmt.Fprintf(a.err, "%s, %d left, %d fresh\n", counts, len(result.Left), result.Fresh)
}
