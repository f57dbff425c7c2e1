//go:build man

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The command that writes the man pages is in builds with the tag man alone:
//
//	go run -tags man ./cmd/ctxptr man DIR
func init() {
	commands = append(commands, struct {
		name string
		make func(*app) *cobra.Command
	}{"man", newMan})
}

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the man pages into DIR",
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one folder")
			}
			return a.writePages(args[0])
		},
	}
}

// writePages writes a page for ctxptr and one for each of its commands.
func (a *app) writePages(dir string) error {
	root := newRoot(a, []string{"help"})
	root.Long = longHelp()
	pages := append([]*cobra.Command{root}, root.Commands()...)
	for _, c := range pages {
		if c.Hidden {
			continue
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		if err := os.WriteFile(filepath.Join(dir, name+".1"), []byte(page(c, pages)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// page is the man page of a command.
func page(c *cobra.Command, all []*cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n", roff(strings.ToUpper(name)), macroArgument("ctxptr "+version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	b.WriteString(".SH SYNOPSIS\n")
	parent := ""
	if c.HasParent() {
		parent = c.Parent().CommandPath() + " "
	}
	for i, use := range strings.Split(c.Use, " | "+c.Name()+" ") {
		if i > 0 {
			use = c.Name() + " " + use
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(parent+use))
	}
	b.WriteString(".SH DESCRIPTION\n")
	if c.Long != "" {
		prose(&b, c.Long)
	} else {
		prose(&b, c.Short+".")
	}
	if !c.HasParent() {
		listPages(&b, all)
	}
	options(&b, "OPTIONS", c.NonInheritedFlags())
	if c.HasParent() {
		options(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, strings.Split(c.Example, "\n"))
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exits {
		fmt.Fprintf(&b, ".TP\n%d\n%s\n", e.Code, roff(e.Means))
	}
	if c.HasParent() {
		b.WriteString(".SH SEE ALSO\n.BR ctxptr (1)\n")
	}
	return b.String()
}

func listPages(b *strings.Builder, all []*cobra.Command) {
	b.WriteString(".SH COMMANDS\n")
	for _, c := range all {
		if c.HasParent() && !c.Hidden {
			fmt.Fprintf(b, ".TP\n.BR ctxptr\\-%s (1)\n%s\n", roff(c.Name()), roff(c.Short))
		}
	}
}

func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
		}
		if value != "" {
			names += ` \fI` + roff(value) + `\fR`
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "0s" {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", names, roff(usage))
	})
}

// prose writes paragraphs. Lines that begin with white space stay as they are.
func prose(b *strings.Builder, text string) {
	var kept []string
	flush := func() {
		if len(kept) > 0 {
			verbatim(b, kept)
			kept = nil
		}
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			kept = append(kept, line)
		case line == "":
			flush()
			b.WriteString(".PP\n")
		default:
			flush()
			b.WriteString(roff(line) + "\n")
		}
	}
	flush()
}

func verbatim(b *strings.Builder, lines []string) {
	b.WriteString(".nf\n")
	for _, line := range lines {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
}

// macroArgument is a text as one argument of a macro.
func macroArgument(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }

// roff escapes a line of text: nothing in it is a request, an escape or a
// typographic sign.
func roff(s string) string {
	var b strings.Builder
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		b.WriteString(`\&`)
	}
	for _, c := range s {
		switch {
		case c == '\\':
			b.WriteString(`\e`)
		case c == '-':
			b.WriteString(`\-`)
		case c == '\'':
			b.WriteString(`\(aq`)
		case c == '`':
			b.WriteString("\\(ga")
		case c == '^':
			b.WriteString(`\(ha`)
		case c == '~':
			b.WriteString(`\(ti`)
		case c > 0x7e:
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
