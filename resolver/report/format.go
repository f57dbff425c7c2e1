package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"ctxptr/authority"
)

// Format is one format of a report.
type Format struct {
	Name    string
	Summary string
	render  func(b *bytes.Buffer, r Report) error // gets a clean report
}

// Formats is the table of formats, sorted.
var Formats = []Format{
	{"github", "workflow commands of GitHub Actions: the whole text as a group of the log, and annotations", renderGitHub},
	{"gitlab", "Code Quality report of GitLab", renderGitLab},
	{"junit", "JUnit XML, one test case a pointer", renderJUnit},
	{"markdown", "Markdown of at most 1 MiB, such as a job summary", renderMarkdown},
	{"rdjsonl", "Reviewdog Diagnostic Format, one JSON object a line", renderRDJSONL},
	{"sarif", "SARIF 2.1.0, as code scanning takes it", renderSARIF},
}

// Lookup returns the format of that name.
func Lookup(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Names are the names of the formats, sorted.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Render writes the report in the format. The error is the writer's.
func (f Format) Render(w io.Writer, r Report) error {
	var b bytes.Buffer
	if err := f.render(&b, r.clean()); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// clean returns the report with every text printable and the short ones short,
// whoever made it. Paths stay as they are.
func (r Report) clean() Report {
	r.Version = subjectText(r.Version)
	findings := make([]Finding, len(r.Findings))
	for i, f := range r.Findings {
		f.Code = authority.Code(subjectText(string(f.Code)))
		f.Subject, f.Message = subjectText(f.Subject), sentence(f.Message)
		f.Means, f.Next = sentence(f.Means), sentence(f.Next)
		f.Detail = printableLines(f.Detail)
		f.Pointer, f.Episode = Printable(f.Pointer), Printable(f.Episode)
		fix := make([]string, len(f.Fix))
		for j, word := range f.Fix {
			fix[j] = Printable(word)
		}
		f.Fix = fix
		findings[i] = f
	}
	r.Findings = findings
	return r
}

func subjectText(s string) string { return cut(Printable(s), maxSubject) }

// printableLines makes every line of a text printable. What it returns is empty or
// ends in a line feed.
func printableLines(text string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// maxPath is longer than any path that a file system takes.
const maxPath = 4096

// file is where a finding is shown: where its pointer stands, else where its
// authority does, else nowhere, which is an empty path. last is 0 for an unknown
// line.
func (f Finding) file() (name string, first, last, column int) {
	switch {
	case f.Place != nil:
		return f.Place.Path, f.Place.Line, f.Place.Line, f.Place.Column
	case f.Authority.Lines != nil:
		return f.Authority.Path, f.Authority.Lines[0], f.Authority.Lines[1], 0
	}
	return f.Authority.Path, 0, 0, 0
}

// pathText is a path where a format has no way to spell bytes: as it is when it is
// printable and can be a file's name, else as text that names no file.
func pathText(p string) string {
	if len(p) > maxPath {
		return subjectText(p)
	}
	return Printable(p)
}

// uri is a path as a relative URI reference.
func uri(p string) string {
	if p == "" {
		return "."
	}
	var b strings.Builder
	for i := range len(p) {
		switch c := p[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			strings.IndexByte("-._~", c) >= 0, c == '/' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// fingerprints names each finding by what it is about and not by its line: the
// digest of code, referring path and pointer, each framed by its length (decimal,
// colon), then which one of such it is in the report, from 1.
func fingerprints(findings []Finding) []string {
	seen := map[string]int{}
	names := make([]string, len(findings))
	for i, f := range findings {
		about := f.Pointer
		if about == "" {
			about = f.Subject
		}
		referring := ""
		if f.Place != nil {
			referring = f.Place.Path
		}
		var text []byte
		for _, field := range []string{string(f.Code), referring, about} {
			text = fmt.Appendf(text, "%d:%s", len(field), field)
		}
		digest := authority.BLAKE3Sum(text).Hex()
		seen[digest]++
		names[i] = fmt.Sprintf("%s:%d", digest[:32], seen[digest])
	}
	return names
}

// cutLines shortens a text at a line's end and says by how much.
func cutLines(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := strings.LastIndexByte(text[:most], '\n') + 1
	if n == 0 { // one long line
		for n = most; n > 0 && !utf8.RuneStart(text[n]); n-- {
		}
		return fmt.Sprintf("%s…\n(%d bytes more)\n", text[:n], len(text)-n)
	}
	return fmt.Sprintf("%s(%d bytes more)\n", text[:n], len(text)-n)
}

// encode writes a value as one line of JSON.
func encode(b *bytes.Buffer, value any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// whole is the text of all findings, as resolve and check print it.
func (r Report) whole() string {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.Detail)
	}
	for _, a := range r.Accepted {
		fmt.Fprintln(&b, a)
	}
	fmt.Fprintf(&b, "ctxptr: %s\n", r.Summary())
	return b.String()
}
