package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/resolver"
	"ctxptr/resolver/report"
)

type diffOptions struct {
	pointerFlags
	format  format
	commits int
}

func newDiff(a *app) *cobra.Command {
	o := &diffOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "diff POINTER... | - | --at FILE:LINE[:COLUMN]",
		Short: "Show what changed since the identity that pointers state",
		Long: `diff shows what changed since the stated identity: it searches the history of
each pointer's authority for the last commit that left it so, and holds that against
what is there now, with the commits in between. The search begins at the commit that
is checked out, or that the locator names.

The last such commit is the one from which no other descends, whatever the clocks
said; of several on parallel branches it is the one with the latest commit time, of
one time the one with the lower id. A file is followed through renames: to the files
of the same bytes that the commit removed, else to the removed file that shares most
with it, half at least. What keeps the answer from being certain is said.

Of folders and working trees the entries that differ are listed, of commits and
refs the commits in between. Nothing found is adopted: a stale pointer stays stale,
and its record is the first thing printed.`,
		Example: `  ctxptr diff "$P"
  ctxptr diff --at docs/plan.md:12
  ctxptr diff --format json - < pointers.txt`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.diff(cmd.Context(), o, args) },
	}
	o.registerPlace(cmd)
	a.look.register(cmd)
	f := cmd.Flags()
	f.IntVar(&o.commits, "commits", resolver.DefaultDiffCommits, "look at no more than `N` commits for one pointer")
	o.format.registerTextOrJSON(cmd)
	return cmd
}

func (a *app) diff(ctx context.Context, o *diffOptions, args []string) error {
	if o.commits <= 0 {
		return usagef("--commits must be positive")
	}
	var found []*resolver.Difference
	err := a.withItems(ctx, &o.pointerFlags, args, func(ctx context.Context, b batch) (err error) {
		found, err = resolver.Diff(ctx, b.workspace, b.items, resolver.DiffOptions{MaxCommits: o.commits})
		return err
	})
	if err != nil {
		return err
	}
	var out bytes.Buffer
	records := make([]*resolver.Record, len(found))
	for i, d := range found {
		if records[i] = d.Record; o.format.name == formatText {
			diffText(&out, d)
			continue
		}
		line, err := d.Line()
		if err != nil {
			return err
		}
		out.Write(line)
	}
	if err := a.write(out.Bytes()); err != nil {
		return err
	}
	return exitWith(verdict(records))
}

// maxShownCommits is how many commits, and entries, the text lists.
const maxShownCommits = 50

// diffText renders one difference: the record, what history says, the diff.
func diffText(b *bytes.Buffer, d *resolver.Difference) {
	report.Text(b, d.Record)
	if d.Verdict == resolver.Same {
		return
	}
	if d.Found != nil {
		report.Detail(b, "was", foundText(d.Found))
	}
	if d.NotFound != nil {
		doubtText(b, "not found", *d.NotFound)
	}
	for _, doubt := range d.Doubts {
		doubtText(b, "doubt", doubt)
	}
	for _, note := range d.Notes {
		report.Detail(b, "note", note+" are recorded and not applied")
	}
	for _, r := range d.Renames {
		report.Detail(b, "renamed", fmt.Sprintf("%s to %s in %s (%d%%)", shown(r.From), shown(r.To), r.Commit, r.Percent))
	}
	for _, r := range d.Moves {
		report.Detail(b, "moved", fmt.Sprintf("%s to %s in %s (%d%%), which is not followed", shown(r.From), shown(r.To), r.Commit, r.Percent))
	}
	for _, end := range d.TrailEnds {
		report.Detail(b, "trail end", end)
	}
	commitsText(b, d)
	entriesText(b, d)
	if d.Binary {
		b.WriteString("Binary files differ\n")
	} else {
		writeSafe(b, d.Diff)
	}
}

func foundText(f *resolver.Origin) string {
	text := "in the index"
	if f.Commit != "" {
		text = "commit " + f.Commit
	}
	if path := f.Path + f.PathURI; path != "" {
		text += ", " + shown(path)
	}
	if f.Lines != nil {
		text += ", " + report.LinesText(*f.Lines)
	}
	if f.Boundary {
		text += "; a shallow clone ends there, an earlier commit may have left it so"
	}
	if f.Aside {
		text += "; what is there now does not come from it"
	}
	return text
}

func doubtText(b *bytes.Buffer, name string, d resolver.Doubt) {
	report.Detail(b, name, string(d.Code)+": "+d.MissingProof)
	if d.Fix != nil {
		report.Detail(b, "fix", report.CommandText(d.Fix))
	}
}

func commitsText(b *bytes.Buffer, d *resolver.Difference) {
	if d.Uncommitted {
		report.Detail(b, "commit", "none yet: the file is not as in the commit that is checked out")
	}
	list := d.Commits[:min(len(d.Commits), maxShownCommits)]
	for _, c := range list {
		text := c.ID + " " + c.Subject
		if c.Removed {
			text += " (removes it)"
		}
		report.Detail(b, "commit", text)
	}
	if more := len(d.Commits) - len(list) + d.Omitted; more > 0 {
		report.Detail(b, "commits", fmt.Sprintf("%d more", more))
	}
}

func entriesText(b *bytes.Buffer, d *resolver.Difference) {
	list := d.Entries[:min(len(d.Entries), maxShownCommits)]
	for _, e := range list {
		what := "changed"
		switch {
		case e.Old == "":
			what = "added"
		case e.New == "":
			what = "removed"
		}
		report.Detail(b, what, shown(e.Path+e.PathURI))
	}
	if more := len(d.Entries) - len(list) + d.EntriesOmitted; more > 0 {
		report.Detail(b, "entries", fmt.Sprintf("%d more", more))
	}
}

// writeSafe writes text with its lines and tabs as they are, everything else that
// could steer a terminal escaped.
func writeSafe(b *bytes.Buffer, text string) {
	for line := range strings.Lines(text) {
		bare, ended := strings.CutSuffix(line, "\n")
		for i, field := range strings.Split(bare, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(printable(field))
		}
		if ended {
			b.WriteByte('\n')
		}
	}
}
