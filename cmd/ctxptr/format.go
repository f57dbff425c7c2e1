package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/resolver"
	"ctxptr/resolver/report"
)

// format is the value of --format.
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

func (f *format) String() string { return f.name }

func (f *format) Type() string { return "FORMAT" }

func (f *format) Set(s string) error {
	for _, known := range formats {
		if known.name == s {
			f.name = s
			return nil
		}
	}
	return fmt.Errorf("a format is text, json or pointer")
}

// register registers --format, which takes every format.
func (f *format) register(cmd *cobra.Command, usage string) {
	cmd.Flags().Var(f, "format", usage)
	completeFrom(cmd, "format", formatNames)
}

// registerTextOrJSON registers --format of a command that prints no pointers alone;
// it refuses formatPointer in words of its own.
func (f *format) registerTextOrJSON(cmd *cobra.Command) {
	cmd.Flags().Var(f, "format", "text or json")
	completeFrom(cmd, "format", func() []string { return []string{formatText, formatJSON} })
}

// ciFormat is the value of --format where there are reports for continuous
// integration too.
type ciFormat struct{ format }

func (f *ciFormat) Set(s string) error {
	if _, ok := report.Lookup(s); ok {
		f.name = s
		return nil
	}
	if f.format.Set(s) != nil {
		return fmt.Errorf("a format is text, json, pointer, or for CI %s", strings.Join(report.Names(), ", "))
	}
	return nil
}

// register registers --format, which takes every format and report.
func (f *ciFormat) register(cmd *cobra.Command) {
	cmd.Flags().Var(f, "format", "text, json, pointer (only the pointer valid now), or for CI "+strings.Join(report.Names(), ", "))
	completeFrom(cmd, "format", ciFormatNames)
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

// counted is a number with its noun: 1 pin, 2 pins.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
