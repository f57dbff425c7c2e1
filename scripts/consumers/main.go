// Consumers reads a report on standard input as a program that others wrote reads
// it, and prints what that saw, one JSON object a line. The tests of the output
// formats build it; it is a module of its own, so that nothing of it comes near
// ctxptr.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/joshdk/go-junit"
	"github.com/reviewdog/reviewdog/parser"
	"github.com/reviewdog/reviewdog/proto/rdf"
)

// seen is one finding as a consumer understood it.
type seen struct {
	Path, Code, Message, Severity, Text string
	Line, Column                        int
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: consumers junit|rdjsonl|sarif"))
	}
	list, err := read(os.Args[1], os.Stdin)
	if err != nil {
		fail(err)
	}
	e := json.NewEncoder(os.Stdout)
	for _, s := range list {
		if err := e.Encode(s); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "consumers:", err)
	os.Exit(1)
}

func read(format string, in io.Reader) ([]seen, error) {
	switch format {
	case "junit":
		return readJUnit(in)
	case "rdjsonl":
		return diagnostics(parser.NewRDJSONLParser(), in)
	case "sarif":
		return diagnostics(parser.NewSarifParser(), in)
	}
	return nil, fmt.Errorf("no format %q", format)
}

// readJUnit returns the test cases that failed.
func readJUnit(in io.Reader) ([]seen, error) {
	suites, err := junit.IngestReader(in)
	if err != nil {
		return nil, err
	}
	var list []seen
	for _, suite := range suites {
		for _, test := range suite.Tests {
			if e, ok := test.Error.(junit.Error); ok {
				list = append(list, seen{Path: test.Classname, Code: e.Type, Message: test.Name, Severity: string(test.Status), Text: e.Body})
			}
		}
	}
	return list, nil
}

func diagnostics(p parser.Parser, in io.Reader) ([]seen, error) {
	found, err := p.Parse(in)
	if err != nil {
		return nil, err
	}
	var list []seen
	for _, d := range found {
		start := d.GetLocation().GetRange().GetStart()
		list = append(list, seen{
			Path: d.GetLocation().GetPath(), Code: d.GetCode().GetValue(), Message: d.GetMessage(),
			Severity: rdf.Severity_name[int32(d.GetSeverity())], Text: d.GetOriginalOutput(),
			Line: int(start.GetLine()), Column: int(start.GetColumn()),
		})
	}
	return list, nil
}
