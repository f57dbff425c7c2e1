package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/resolver"
	"ctxptr/resolver/report"
)

// format is what --format of a command chose.
type format struct{ name string }

const (
	formatText    = "text"
	formatJSON    = "json"
	formatPointer = "pointer"
)

// formats is the table of output formats. Each renders one record.
var formats = []struct {
	name   string
	render func(b *bytes.Buffer, r *resolver.Record) error
}{
	{formatText, renderText},
	{formatJSON, renderJSON},
	{formatPointer, renderPointer},
}

// formatFlag is the value of --format of one command: a format that it prints.
type formatFlag struct {
	*format
	names   []string // of formats
	reports bool     // whether those for continuous integration are taken too
}

func (f formatFlag) String() string {
	if f.format == nil {
		return "" // pflag asks the zero value
	}
	return f.name
}

func (f formatFlag) Type() string { return "FORMAT" }

func (f formatFlag) Set(s string) error {
	_, isReport := report.Lookup(s)
	if !slices.Contains(f.names, s) && !(f.reports && isReport) {
		return fmt.Errorf("a format is %s", f.list())
	}
	f.name = s
	return nil
}

// list names what is taken.
func (f formatFlag) list() string {
	if f.reports {
		return strings.Join(f.names, ", ") + ", or for CI " + strings.Join(report.Names(), ", ")
	}
	last := len(f.names) - 1
	return strings.Join(f.names[:last], ", ") + " or " + f.names[last]
}

func (f formatFlag) register(cmd *cobra.Command, usage string) {
	cmd.Flags().Var(f, "format", usage)
	completeFrom(cmd, "format", func() []string {
		if f.reports {
			return append(slices.Clone(f.names), reportNames()...)
		}
		return f.names
	})
}

// register registers --format, which takes every format but reports.
func (f *format) register(cmd *cobra.Command, usage string) {
	formatFlag{format: f, names: formatNames()}.register(cmd, usage)
}

// registerTextOrJSON registers --format of a command that prints no pointers alone.
func (f *format) registerTextOrJSON(cmd *cobra.Command) {
	formatFlag{format: f, names: []string{formatText, formatJSON}}.register(cmd, "text or json")
}

// registerCI registers --format where there are reports for continuous integration
// too.
func (f *format) registerCI(cmd *cobra.Command) {
	formatFlag{f, formatNames(), true}.register(cmd, "text, json, pointer (only the pointer valid now), or for CI "+strings.Join(report.Names(), ", "))
}

// registerReports is registerCI for a command that prints no pointers alone.
func (f *format) registerReports(cmd *cobra.Command) {
	flag := formatFlag{f, []string{formatText, formatJSON}, true}
	flag.register(cmd, flag.list())
}

// isReport reports whether the format is one for continuous integration.
func (f *format) isReport() bool {
	_, ok := report.Lookup(f.name)
	return ok
}

// renderReport returns a report in one of the formats for continuous integration.
func renderReport(f format, r report.Report) ([]byte, error) {
	known, _ := report.Lookup(f.name)
	r.Version = version()
	var out bytes.Buffer
	err := known.Render(&out, r)
	return out.Bytes(), err
}

// report writes a report in one of the formats for continuous integration.
func (a *app) report(f format, r report.Report) error {
	out, err := renderReport(f, r)
	if err != nil {
		return err
	}
	return a.write(out)
}

// records writes every record in the format. Blocked ones, which have no
// pointer that is valid now, go to standard error in format pointer.
func (a *app) records(f format, records []*resolver.Record) error {
	if f.isReport() {
		return a.report(f, report.FromRecords(records))
	}
	var out bytes.Buffer
	for _, r := range records {
		for _, known := range formats {
			if known.name != f.name {
				continue
			}
			if err := known.render(&out, r); err != nil {
				return err
			}
		}
		if f.name == formatPointer && r.Outcome == resolver.Blocked {
			if err := a.complain(r); err != nil {
				return err
			}
		}
	}
	return a.write(out.Bytes())
}

// complain writes a blocked record to standard error, as text.
func (a *app) complain(r *resolver.Record) error {
	var b bytes.Buffer
	report.Text(&b, r)
	_, err := a.err.Write(b.Bytes())
	return err
}

func renderJSON(b *bytes.Buffer, r *resolver.Record) error { return jsonText(b, r) }

// jsonText writes a value as one line of JSON that is safe on a terminal.
func jsonText(b *bytes.Buffer, value any) error {
	line, err := resolver.JSONLine(value)
	b.Write(line)
	return err
}

func renderPointer(b *bytes.Buffer, r *resolver.Record) error {
	switch r.Outcome {
	case resolver.Resolved:
		b.WriteString(r.Pointer + "\n")
	case resolver.Refreshed:
		b.WriteString(r.PointerNow + "\n")
	}
	return nil
}

func renderText(b *bytes.Buffer, r *resolver.Record) error {
	report.Text(b, r)
	return nil
}

// printable and shown make a text safe on a terminal, without and with quotes.
func printable(s string) string { return report.Printable(s) }

func shown(s string) string { return report.Shown(s) }

func counted(n int, noun string) string { return report.Counted(n, noun) }
