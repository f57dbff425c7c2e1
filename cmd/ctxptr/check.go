package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
	"ctxptr/resolver/report"
)

type checkOptions struct {
	proofFlags
	format    format
	plain     bool
	changed   string
	staged    bool
	exclude   []string
	allowNone bool
	from      string
}

func newCheck(a *app) *cobra.Command {
	o := &checkOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "check [PATH... | -]",
		Short: "Prove every pointer and pin that stands in documents",
		Long: `check resolves every pointer in the text of files, and every pin, as one batch,
and reports each at its place in the referring file. Without a PATH it looks at
every file that is tracked or not ignored; nested repositories and submodules are
not entered, and .gitattributes leave files out with -ctxptr. A file that is named
is always looked at, and - is a document on standard input.

Text shows only what is not ok; json has every record. That nothing was found is no
verdict, unless --allow-none says it is all right.`,
		Example: `  ctxptr check
  ctxptr check --plain docs
  ctxptr check --changed origin/main...HEAD
  ctxptr check --staged`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.plain, "plain", false, "also prove that plain references (links, path:line, permalinks) name exactly one thing")
	f.StringVar(&o.changed, "changed", "", "only what the changes of `BASE...HEAD` can have touched; also list the identities that they accept")
	f.BoolVar(&o.staged, "staged", false, "the same for what is staged; what the working tree has otherwise is stale:unstaged")
	registerExclude(cmd, &o.exclude)
	f.BoolVar(&o.allowNone, "allow-none", false, "finding nothing to check is success")
	f.StringVar(&o.from, "from", "", "the `FILE` that - stands for")
	o.proofFlags.register(cmd)
	o.format.registerCI(cmd)
	a.look.register(cmd)
	return cmd
}

func (a *app) check(ctx context.Context, o *checkOptions, args []string) error {
	if o.changed != "" && o.staged {
		return usagef("--changed and --staged cannot both be given")
	}
	given, err := a.given(args)
	if err != nil {
		return err
	}
	prior, err := a.readPrior(ctx, o.prior, args)
	if err != nil {
		return err
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		scope, err := a.scope(w, args, given, o.from)
		if err != nil {
			return err
		}
		scope.Exclude, scope.Plain = o.exclude, o.plain
		return a.checkScope(ctx, w, o, scope, prior)
	})
}

// checkScope proves what stands in the documents of a scope.
func (a *app) checkScope(ctx context.Context, w *authority.Workspace, o *checkOptions, scope documents.Scope, prior resolver.Prior) error {
	changes, err := o.changes(ctx, w)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return a.answerBlocked(o.format, resolver.Unminted(cmp.Or(o.changed, "--staged"), f))
	}
	if err != nil {
		return err
	}
	end := a.showProgress(&scope)
	scan, err := documents.ScanDocuments(ctx, w, scope)
	end()
	if err != nil {
		return err
	}
	result, err := documents.Check(ctx, w, scan, documents.CheckOptions{Resolve: o.options(prior), Changes: changes})
	if err != nil {
		return err
	}
	a.logRecords(result.Records)
	return a.showCheck(o, result, changes)
}

// given reads the document that - names on standard input.
func (a *app) given(args []string) (*authority.Document, error) {
	if len(args) != 1 || args[0] != "-" {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, a.maxBytes+1))
	if err != nil {
		return nil, inputError("standard input", err)
	}
	if int64(len(data)) > a.maxBytes {
		return nil, fmt.Errorf("standard input has more than %d bytes (--max-bytes)", a.maxBytes)
	}
	return &authority.Document{Path: documents.Unplaced, Data: data}, nil
}

// scope turns path arguments into paths below the root.
func (a *app) scope(w *authority.Workspace, args []string, given *authority.Document, from string) (documents.Scope, error) {
	var scope documents.Scope
	if given != nil {
		if from != "" {
			at, err := a.inRoot(w, from)
			if err != nil {
				return scope, err
			}
			given.Path = at
		}
		scope.Given = []authority.Document{*given}
		return scope, nil
	}
	if from != "" {
		return scope, usagef("--from names the file that - stands for")
	}
	for _, arg := range args {
		if arg == "-" {
			return scope, usagef("- stands alone: a document comes from standard input or from files")
		}
		at, err := a.inRoot(w, arg)
		if err != nil {
			return scope, err
		}
		scope.Paths = append(scope.Paths, at)
	}
	return scope, nil
}

// changes returns what the flags compare, nil for everything. The error is an
// *authority.Fault.
func (o *checkOptions) changes(ctx context.Context, w *authority.Workspace) (*authority.Changes, error) {
	switch {
	case o.staged:
		return w.Staged(ctx)
	case o.changed != "":
		return w.ChangedIn(ctx, o.changed)
	}
	return nil, nil
}

func (a *app) answerBlocked(f format, r *resolver.Record) error {
	if err := a.records(f, []*resolver.Record{r}); err != nil {
		return err
	}
	return exitWith(exitBlocked)
}

// showCheck writes what was proven, and a summary on standard error.
func (a *app) showCheck(o *checkOptions, result *documents.Result, changes *authority.Changes) error {
	nothing := result.Found() == 0 && !o.allowNone
	out, err := a.renderCheck(o.format, result)
	if o.format.isReport() && !nothing { // an empty report would be a verdict
		out, err = renderReport(o.format, checkReport(result, changes))
	}
	if err != nil {
		return err
	}
	if o.format.name == formatPointer {
		for _, r := range result.Records {
			if r.Outcome == resolver.Blocked {
				if err := a.complain(r); err != nil {
					return err
				}
			}
		}
	}
	if err := a.write(out); err != nil {
		return err
	}
	fmt.Fprintln(a.err, summary(result))
	if o.format.name == formatText {
		a.nextStep(result.Records)
	}
	switch {
	case nothing && o.plain:
		return fmt.Errorf("no pointer was found; nothing was checked")
	case nothing:
		return fmt.Errorf("no pointer was found; nothing was checked\nlinks and path:line are checked with --plain, and get an identity from ctxptr pin")
	}
	return exitWith(verdict(result.Records))
}

// nextStep says what to do about the first record that is merely stale.
func (a *app) nextStep(records []*resolver.Record) {
	for _, r := range records {
		if r.Code != authority.StaleIdentity || r.At == nil || r.At.Path == documents.Unplaced {
			continue
		}
		path := a.fromHere(r.At.Path)
		if strings.HasPrefix(path, "-") {
			path = "./" + path // it is no flag
		}
		look := a.again("diff", "--at", fmt.Sprintf("%s:%d:%d", path, r.At.Line, r.At.Column))
		adopt := a.again("accept", path)
		fmt.Fprintf(a.err, "what changed: %s; where the document still holds: %s\n",
			printable(report.CommandText(look)), printable(report.CommandText(adopt)))
		return
	}
}

func (a *app) renderCheck(f format, result *documents.Result) ([]byte, error) {
	var out bytes.Buffer
	for _, r := range result.Records {
		var err error
		switch f.name {
		case formatJSON:
			err = renderJSON(&out, r)
		case formatPointer:
			err = renderPointer(&out, r)
		case formatText:
			if r.Outcome == resolver.Blocked || r.Outcome == resolver.Refreshed {
				a.placedText(&out, r)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	for _, accepted := range result.Accepted {
		switch f.name {
		case formatJSON:
			if err := jsonText(&out, accepted); err != nil {
				return nil, err
			}
		case formatText:
			fmt.Fprintln(&out, a.acceptedText(accepted))
		}
	}
	return out.Bytes(), nil
}

// placedText writes a record with its place in front, where editors find it.
func (a *app) placedText(b *bytes.Buffer, r *resolver.Record) {
	placed := *r
	b.WriteString(a.placeText(r.At) + ": ")
	placed.At = nil
	report.Text(b, &placed)
}

// acceptedText says which identity a change accepted, and how much changed in what
// it is about.
func (a *app) acceptedText(accepted documents.Acceptance) string {
	place := resolver.Place{Path: accepted.At.Path, Line: accepted.At.Line}
	text := fmt.Sprintf("accepted %s → %s", a.placeText(&place), accepted.Name())
	if accepted.Added != nil {
		text += fmt.Sprintf(" (+%d −%d)", *accepted.Added, *accepted.Removed)
	}
	return text
}

// summary says in one line what was checked.
func summary(r *documents.Result) string {
	counts := map[string]int{}
	for _, record := range r.Records {
		counts[record.Outcome]++
	}
	parts := []string{fmt.Sprintf("%d ok", counts[resolver.Resolved]+counts[resolver.Exists])}
	for _, more := range []struct {
		n    int
		what string
	}{
		{counts[resolver.Refreshed], "refreshed"}, {counts[resolver.Blocked], "blocked"}, {r.Skipped, "untouched and skipped"},
		{r.Foreign, "in other repositories"}, {len(r.Accepted), "accepted"},
	} {
		if more.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", more.n, more.what))
		}
	}
	what := counted(r.Pointers, "pointer") + " and " + counted(r.Pins, "pin")
	if r.Plain > 0 {
		what = counted(r.Pointers, "pointer") + ", " + counted(r.Pins, "pin") + " and " + counted(r.Plain, "plain reference")
	}
	files := counted(r.Files, "file")
	if r.Sparse > 0 {
		files += fmt.Sprintf(" (%d more left out of this checkout)", r.Sparse)
	}
	return fmt.Sprintf("%s in %s: %s", what, files, strings.Join(parts, ", "))
}
