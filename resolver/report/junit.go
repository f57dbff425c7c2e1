package report

import (
	"bytes"
	"fmt"
	"strings"

	"ctxptr/resolver"
)

// renderJUnit writes one test suite with a test case for each pointer: its class
// is the referring file, its name what the pointer names. Whatever must not be
// acted on as it stands is a failure, a refreshed pointer too.
func renderJUnit(b *bytes.Buffer, r Report) error {
	failures := 0
	for _, f := range r.Findings {
		if f.Level > Note {
			failures++
		}
	}
	fmt.Fprintln(b, `<?xml version="1.0" encoding="UTF-8"?>`)
	fmt.Fprintf(b, "<testsuites name=\"ctxptr\" tests=\"%d\" failures=\"%d\" errors=\"0\">\n", len(r.Findings)+len(r.Proven), failures)
	fmt.Fprintf(b, "<testsuite name=\"ctxptr\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n", len(r.Findings)+len(r.Proven), failures)
	fmt.Fprintf(b, "<properties><property name=\"version\" value=\"%s\"/></properties>\n", xmlText(r.Version))
	cases := junitCases{}
	for _, f := range r.Findings {
		fmt.Fprintf(b, "<testcase %s>", cases.name(f.Place, f.Subject))
		if f.Level > Note {
			fmt.Fprintf(b, "<failure type=\"%s\" message=\"%s\">", xmlText(string(f.Code)), xmlText(f.Message))
			xmlLines(b, f.Detail)
			fmt.Fprint(b, "</failure>")
		}
		fmt.Fprintln(b, "</testcase>")
	}
	for _, p := range r.Proven {
		fmt.Fprintf(b, "<testcase %s/>\n", cases.name(p.Place, subjectText(p.Subject)))
	}
	fmt.Fprintf(b, "<system-out>%s</system-out>\n</testsuite>\n</testsuites>\n", xmlText("ctxptr: "+r.Summary()))
	return nil
}

// junitCases counts the test cases of one class and name: readers take a second
// one of the same for the first.
type junitCases map[[2]string]int

// name returns the attributes that name a test case about what refers from a place,
// nil for none.
func (c junitCases) name(at *resolver.Place, name string) string {
	class := "ctxptr"
	if at != nil && at.Path != "" {
		class = pathText(at.Path)
	}
	key := [2]string{class, name}
	c[key]++
	if n := c[key]; n > 1 {
		name = fmt.Sprintf("%s (%d)", name, n)
	}
	return fmt.Sprintf("classname=\"%s\" name=\"%s\"", xmlText(class), xmlText(name))
}

// xmlText escapes a printable text for an element or an attribute in double quotes.
// Package encoding/xml would do it too, and builds its tables in every run that
// links it.
func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(s)
}

// xmlLines writes a text line by line, so that its line feeds stay readable.
func xmlLines(b *bytes.Buffer, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(xmlText(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
}
