package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
	"ctxptr/resolver/report"
)

type normalizeOptions struct{ format format }

func newNormalize(a *app) *cobra.Command {
	o := &normalizeOptions{format{formatText}}
	cmd := &cobra.Command{
		Use:   "normalize FILE...",
		Short: "Read plans, notes, handoffs and retained reports of older times as pointers",
		Long: `normalize finds what an artefact names: for every plain reference (link, path:line,
permalink, commit id) it mints the pointer to what is there today, or says why it
cannot; pointers are resolved. A retained review report is checked; its governing
sources and the commits of its target are resolved with what it records of them, and
its identities, ordinal and patch hash are reported as they are.

A file that cannot be read, or is no text, is a blocked record as well. Nothing is
written, and no path is guessed. The digests of the file before and after
are printed: they are equal. What only looks like a reference (a placeholder, a
sample, an address elsewhere) is listed in json.`,
		Example: `  ctxptr normalize plans/2025-plan.md
  ctxptr normalize --format json notes/*.md | jq .records`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.normalize(cmd.Context(), o, args) },
	}
	a.look.register(cmd)
	o.format.registerTextOrJSON(cmd)
	return cmd
}

func (a *app) normalize(ctx context.Context, o *normalizeOptions, args []string) error {
	if len(args) == 0 {
		return usagef("no file is named")
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) (err error) {
		list := make([]*envelope.Normalization, len(args))
		for i, arg := range args {
			if list[i], err = a.normalizeOne(ctx, w, arg); err != nil {
				return err
			}
			a.logRecords(list[i].Records)
		}
		if err := a.printNormalized(o.format, list); err != nil {
			return err
		}
		return normalized(list)
	})
}

func (a *app) normalizeOne(ctx context.Context, w *authority.Workspace, arg string) (*envelope.Normalization, error) {
	if arg == "-" {
		return nil, usagef("an artefact is a file below the root")
	}
	path, err := a.inRoot(w, arg)
	if err != nil {
		return nil, err
	}
	return envelope.Normalize(ctx, w, path)
}

// normalized is how the run ends: nothing found is no verdict.
func normalized(list []*envelope.Normalization) error {
	code, found := exitAllResolved, 0
	for _, n := range list {
		found += len(n.Records) + len(n.Findings)
		if n.Outcome != envelope.Complete {
			code = exitBlocked
		}
	}
	if found == 0 {
		return fmt.Errorf("nothing that could be proven stands in what was read")
	}
	return exitWith(code)
}

func (a *app) printNormalized(f format, list []*envelope.Normalization) error {
	var b bytes.Buffer
	for _, n := range list {
		if f.name == formatJSON {
			line, err := n.Line()
			if err != nil {
				return err
			}
			b.Write(line)
			continue
		}
		a.normalizedText(&b, n)
	}
	return a.write(b.Bytes())
}

// normalizedText is a line or record for each reference, then what was read.
func (a *app) normalizedText(b *bytes.Buffer, n *envelope.Normalization) {
	name := n.FileURI
	if n.File != "" {
		name = a.fromHere(n.File)
	}
	findingsText(b, name, n.Findings)
	blocked := 0
	for _, r := range n.Records {
		if r.Outcome == resolver.Blocked {
			blocked++
		}
		a.referenceText(b, r)
	}
	fmt.Fprintf(b, "%s %s: %s, %d blocked, %d skipped\n", n.Outcome, shown(name), counted(len(n.Records)-blocked, "pointer"), blocked, len(n.Skipped))
	if r := n.Report; r != nil {
		fmt.Fprintf(b, "  report    %s review %s of lineage %s, version %s\n", r.Mode, ordinalText(r.Ordinal), r.Lineage, r.Version)
		fmt.Fprintf(b, "  recorded  %s\n", recordedText(r))
	}
	digestsText(b, "before", n.Before)
	digestsText(b, "after", n.After)
}

// digestsText is a line with the digests of the file, none where it was not read.
func digestsText(b *bytes.Buffer, name string, d *envelope.Digests) {
	if d != nil {
		report.Detail(b, name, d.BLAKE3+" "+d.SHA256)
	}
}

// recordedText is the hash of what was reviewed, which no pointer proves.
func recordedText(r *envelope.RetainedReport) string {
	if r.PatchHash != "" {
		return "patch " + r.PatchHash
	}
	return "bundle " + r.BundleHash
}

// ordinalText is the number of a delivery's review; others have none.
func ordinalText(n int) string {
	if n == 0 {
		return "without ordinal"
	}
	return fmt.Sprint(n)
}

// referenceText is the pointer that a reference comes down to, in one line, or the
// blocked record.
func (a *app) referenceText(b *bytes.Buffer, r *resolver.Record) {
	switch {
	case r.Outcome == resolver.Blocked && r.At != nil:
		a.placedText(b, r)
	case r.Outcome == resolver.Blocked:
		report.Text(b, r)
	case r.At != nil:
		fmt.Fprintf(b, "%s: %s\n", a.placeText(r.At), r.Pointer)
	default:
		fmt.Fprintf(b, "%s: %s\n", r.ID, r.Pointer)
	}
}
