package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// checks read a format back with an independent parser and compare what it says
// with the report.
var checks = map[string]func(t *testing.T, r Report, out string){
	"github": checkGitHub, "gitlab": checkGitLab, "junit": checkJUnit,
	"markdown": checkMarkdown, "rdjsonl": checkRDJSONL, "sarif": checkSARIF,
}

// TestAttack puts every hostile text wherever others write, in every format.
func TestAttack(t *testing.T) {
	if len(checks) != len(Formats) {
		t.Fatalf("%d formats are checked of %d", len(checks), len(Formats))
	}
	for i, text := range hostile {
		for _, f := range Formats {
			t.Run(fmt.Sprintf("%s %d", f.Name, i), func(t *testing.T) { checkAttack(t, f.Name, attack(text)) })
		}
	}
}

func checkAttack(t *testing.T, format string, r Report) {
	t.Helper()
	for _, changed := range [][]string{nil, {r.Findings[0].Authority.Path}} {
		r.Changed = changed
		out := string(render(t, format, r))
		if !utf8.ValidString(out) || strings.ContainsFunc(out, func(c rune) bool { return c != '\n' && !safe(c) }) {
			t.Errorf("%s prints what can steer a terminal", format)
		}
		checks[format](t, r, out)
	}
}

func FuzzFormats(f *testing.F) {
	for _, text := range hostile {
		if len(text) < 100 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range Formats {
			checkAttack(t, format.Name, attack(text))
		}
	})
}

func checkGitLab(t *testing.T, r Report, out string) {
	t.Helper()
	var got []map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(r.Findings) {
		t.Fatalf("%d issues of %d findings", len(got), len(r.Findings))
	}
	seen := map[any]bool{}
	for i, f := range r.clean().Findings {
		if got[i]["description"] != f.Subject+": "+f.Message || got[i]["check_name"] != string(f.Code) || seen[got[i]["fingerprint"]] {
			t.Errorf("issue %d is %v", i, got[i])
		}
		seen[got[i]["fingerprint"]] = true
	}
}

type xmlSuites struct {
	Suites []struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Failure *struct {
				Type    string `xml:"type,attr"`
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func checkJUnit(t *testing.T, r Report, out string) {
	t.Helper()
	var got xmlSuites
	if err := xml.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	suite := got.Suites[0]
	if len(got.Suites) != 1 || len(suite.Cases) != suite.Tests || suite.Tests != len(r.Findings)+len(r.Proven) {
		t.Fatalf("%d suites, %d cases, said to be %d", len(got.Suites), len(suite.Cases), suite.Tests)
	}
	names := map[[2]string]bool{}
	for _, c := range suite.Cases {
		if key := [2]string{c.Class, c.Name}; names[key] {
			t.Errorf("two cases are named %q", key)
		} else {
			names[key] = true
		}
	}
	for i, f := range r.clean().Findings {
		c := suite.Cases[i]
		if c.Failure == nil || c.Failure.Type != string(f.Code) || c.Failure.Message != f.Message || c.Failure.Text != f.Detail || !strings.HasPrefix(c.Name, f.Subject) {
			t.Errorf("case %d is %+v", i, c)
		}
	}
}

// checkMarkdown demands that a reader sees headings, paragraphs and one list, all
// of code spans, and code blocks with exactly the text.
func checkMarkdown(t *testing.T, r Report, out string) {
	t.Helper()
	if len(out) > 1<<20 {
		t.Fatalf("a summary of %d bytes", len(out))
	}
	source := []byte(out)
	var blocks []string
	plain := ""
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			if entering {
				blocks = append(blocks, string(n.Lines().Value(source)))
			}
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Document, *ast.Heading, *ast.Paragraph, *ast.List, *ast.ListItem, *ast.TextBlock:
		case *ast.Text:
			if entering {
				plain += strings.ReplaceAll(string(n.Segment.Value(source)), " ", "")
			}
		default:
			t.Errorf("the summary holds a %s", n.Kind())
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := ownText(r); plain != want {
		t.Errorf("outside of code stands %q, want %q", plain, want)
	}
	for i, f := range r.clean().Findings {
		if i >= len(blocks) || blocks[i] != cutLines(f.Detail, maxMarkdownDetail) {
			t.Errorf("code block %d of %d is another text", i, len(blocks))
		}
	}
}

// ownText is what the format itself says, without white space.
func ownText(r Report) string {
	text := "ctxptr: " + r.Summary()
	if len(r.Accepted) > 0 {
		text += "Identities accepted against the base:"
	}
	for _, f := range r.Findings {
		if f.Place != nil {
			text += "at"
		}
	}
	return strings.ReplaceAll(text, " ", "")
}

func checkRDJSONL(t *testing.T, r Report, out string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(r.Findings) {
		t.Fatalf("%d lines of %d findings", len(lines), len(r.Findings))
	}
	for i, f := range r.clean().Findings {
		if len(lines[i]) >= 64<<10 {
			t.Errorf("a line of %d bytes: reviewdog stops there", len(lines[i]))
		}
		var got struct {
			Message        string
			Code           struct{ Value string }
			OriginalOutput string `json:"original_output"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		if got.Message != f.Subject+": "+f.Message || got.Code.Value != string(f.Code) || got.OriginalOutput != cutLines(f.Detail, maxOriginal) {
			t.Errorf("line %d is %+v", i, got)
		}
	}
}

func checkSARIF(t *testing.T, r Report, out string) {
	t.Helper()
	var got sarifLog
	d := json.NewDecoder(bytes.NewReader([]byte(out)))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	if len(run.Results) != len(r.Findings) {
		t.Fatalf("%d results of %d findings", len(run.Results), len(r.Findings))
	}
	for i, f := range r.clean().Findings {
		result := run.Results[i]
		if result.RuleID != string(f.Code) || run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID || result.Properties.Pointer != f.Pointer {
			t.Errorf("result %d is %+v", i, result)
		}
		reference, err := url.Parse(result.Locations[0].Physical.Artifact.URI)
		path, _, _, _ := f.file()
		if err != nil || reference.IsAbs() || reference.Host != "" || reference.RawQuery != "" || reference.Fragment != "" {
			t.Fatalf("the location is no relative path: %v, %v", reference, err)
		}
		if path != "" && reference.Path != path {
			t.Errorf("the location is %q, want %q", reference.Path, path)
		}
	}
}
