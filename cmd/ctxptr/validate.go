package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
	"ctxptr/resolver/report"
)

type validateOptions struct {
	proofFlags
	format    format
	noResolve bool
	scope     string
	packet    string
}

func newValidate(a *app) *cobra.Command {
	o := &validateOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "validate KIND FILE... | -",
		Short: "Check an envelope that carries pointers: its shape, its content and every pointer in it",
		Long: `validate reports everything that is wrong with an envelope, each with its place, a
code and one sentence, and resolves every pointer in it. Nothing is written.

Kinds:
` + envelopeList(),
		Example: `  ctxptr validate packet packet.json && act
  ctxptr validate --no-resolve --format json task-result *.json
  ctxptr validate --scope scope.txt task-result result.json`,
		ValidArgsFunction: completeEnvelope,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.validate(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.noResolve, "no-resolve", false, "check the form alone; no pointer is resolved, and nothing is proven of what they name")
	o.proofFlags.register(cmd)
	f.StringVar(&o.scope, "scope", "", "task-result: `FILE` with the Active Write Scope, one path a line or a JSON array")
	f.StringVar(&o.packet, "packet", "", "handoff: `FILE` with the packet, no digest of which may stand in it")
	a.look.register(cmd)
	o.format.registerReports(cmd)
	return cmd
}

func envelopeList() string {
	var b strings.Builder
	for _, k := range envelope.Kinds() {
		fmt.Fprintf(&b, "  %-14s %s\n", k.Name, k.Summary)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (a *app) validate(ctx context.Context, o *validateOptions, args []string) error {
	kind, err := o.check(args)
	if err != nil {
		return err
	}
	files, options, err := a.envelopes(ctx, o, args[1:])
	if err != nil {
		return err
	}
	do := func(ctx context.Context, w *authority.Workspace) (err error) {
		results := make([]*envelope.Result, len(files))
		places := make([]string, len(files))
		for i, data := range files {
			options.Name, options.File = args[1+i], a.fileInRoot(w, args[1+i])
			if results[i], err = envelope.Validate(ctx, w, kind, data, options); err != nil {
				return err
			}
			places[i] = options.File
			a.logRecords(results[i].Records)
		}
		return a.showValidated(o, results, places)
	}
	if o.noResolve {
		return do(ctx, nil)
	}
	return a.inWorkspace(ctx, do)
}

// showValidated writes what was found; places are as validationReport takes them.
func (a *app) showValidated(o *validateOptions, results []*envelope.Result, places []string) (err error) {
	if o.format.isReport() {
		err = a.report(o.format, validationReport(results, places))
	} else {
		err = a.results(o.format, results)
	}
	if err != nil {
		return err
	}
	return exitWith(validity(results))
}

// check holds the arguments and flags against each other.
func (o *validateOptions) check(args []string) (*envelope.Kind, error) {
	if len(args) == 0 {
		return nil, usagef("name the kind of envelope and its files")
	}
	kind, ok := envelope.LookupKind(args[0])
	switch {
	case !ok:
		return nil, usagef("no envelope is named %q; ctxptr explain envelope lists them", args[0])
	case len(args) == 1:
		return nil, usagef("no file is named; nothing was checked")
	case o.noResolve && (o.refresh || o.identical || o.prior != ""):
		return nil, usagef("--no-resolve leaves nothing to refresh or to find")
	case o.scope != "" && kind.Name != "task-result":
		return nil, usagef("--scope is about a task-result")
	case o.packet != "" && kind.Name != "handoff":
		return nil, usagef("--packet is about a handoff")
	}
	return kind, nil
}

// fileInRoot returns the path of a file relative to the root, "" where it lies
// outside or is no file: pointers in it are then relative to nothing.
func (a *app) fileInRoot(w *authority.Workspace, name string) string {
	if w == nil || name == "-" {
		return ""
	}
	path, err := a.inRoot(w, name)
	if err != nil {
		return ""
	}
	return path
}

// validity is the exit code of a validation.
func validity(results []*envelope.Result) int {
	code := exitAllResolved
	for _, r := range results {
		switch {
		case r.Outcome == envelope.Invalid:
			return exitBlocked
		case r.Has(resolver.Refreshed):
			code = exitRefreshed
		}
	}
	return code
}

func (a *app) results(f format, results []*envelope.Result) error {
	var out bytes.Buffer
	for _, r := range results {
		if f.name == formatJSON {
			line, err := r.Line()
			if err != nil {
				return err
			}
			out.Write(line)
			continue
		}
		resultText(&out, r)
	}
	return a.write(out.Bytes())
}

// resultText is a line for each finding, then what is blocked or refreshed as
// resolve prints it, then the verdict with what was measured.
func resultText(b *bytes.Buffer, r *envelope.Result) {
	findingsText(b, r.Name(), r.Findings)
	for _, record := range r.Records {
		if record.Outcome != resolver.Resolved {
			report.Text(b, record)
		}
	}
	m := r.Measured
	fmt.Fprintf(b, "%s %s %s: %s, %d in texts, the longest %d, %d in excerpts; %s %s\n",
		r.Outcome, r.Kind, shown(r.Name()), counted(m.Bytes, "byte"), m.Text, m.Longest, m.Excerpts, counted(m.Pointers, "pointer"), strings.ReplaceAll(r.Pointers, "_", " "))
}

// findingsText is a line for each finding in a file: place, code, sentence.
func findingsText(b *bytes.Buffer, file string, findings []envelope.Finding) {
	for _, f := range findings {
		b.WriteString(findingText(file, f))
	}
}

func findingText(file string, f envelope.Finding) string {
	return fmt.Sprintf("%s:%d:%d: %s: %s\n", shown(file), f.Line, f.Column, findingName(f), printable(f.Message))
}

// findingName is the code, marked where it fails nothing, and the place in the
// document where it is not all of it.
func findingName(f envelope.Finding) string {
	name := f.Code
	if f.Advice {
		name = "advice " + name
	}
	if f.Pointer != "" {
		name += " " + shown(f.Pointer)
	}
	return name
}

// completeEnvelope completes the kind, then files.
func completeEnvelope(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, k := range envelope.Kinds() {
		names = append(names, k.Name+"\t"+k.Summary)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
