package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

// cmdExits runs a program and demands its exit code: exits N PROGRAM ARG...
// Every record that ctxptr prints as JSON is held against the schema.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N program args...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil || !slices.ContainsFunc(exits, func(e struct {
		Code  int
		Means string
	}) bool {
		return e.Code == want
	}) {
		ts.Fatalf("exits: %s is no exit code of the table", args[0])
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("exits: %v", err)
	}
	if got != want {
		ts.Fatalf("exits: got %d, want %d", got, want)
	}
	if slices.Contains(args, "json") {
		for i, line := range scriptLines(ts) {
			ts.Check(checkJSONLine(line, i))
		}
	}
}

// checkJSONLine holds a line against the schema that it names.
func checkJSONLine(line string, index int) error {
	var named struct{ Schema string }
	if err := json.Unmarshal([]byte(line), &named); err != nil {
		return fmt.Errorf("a line is no JSON: %w\n%s", err, line)
	}
	switch named.Schema {
	case resolver.Schema:
		return checkRecord(line, index)
	case "ctxptr.validation/v1":
		return checkValidation(line)
	case resolver.DifferenceSchema:
		return checkDifference(line, index)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(named.Schema, "ctxptr."), "/v1")
	if named.Schema != "ctxptr."+name+"/v1" {
		return fmt.Errorf("a line names no schema of this program: %s", named.Schema)
	}
	return checkAgainst(name, line)
}

// scriptLines returns the lines of the last standard output.
func scriptLines(ts *testscript.TestScript) []string {
	text := strings.TrimSuffix(ts.ReadFile("stdout"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// checkRecord holds a line against the schema and its place against the order.
func checkRecord(line string, index int) error {
	if err := checkAgainst("resolution", line); err != nil {
		return err
	}
	var r resolver.Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return err
	}
	if r.Index != index {
		return fmt.Errorf("record %d stands at place %d", r.Index, index)
	}
	again, err := r.Line()
	if err != nil {
		return err
	}
	if string(again) != line+"\n" {
		return fmt.Errorf("the record does not survive a round trip:\n%s\n%s", line, again)
	}
	return nil
}

// checkValidation holds a line of validate, and every record in it, against their
// schemas.
func checkValidation(line string) error {
	if err := checkAgainst("validation", line); err != nil {
		return err
	}
	var r struct {
		Findings []envelope.Finding `json:"findings"`
		Records  []json.RawMessage  `json:"records"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return err
	}
	for _, f := range r.Findings {
		if _, _, ok := envelope.Explain(f.Code); !ok {
			return fmt.Errorf("no finding is named %s", f.Code)
		}
	}
	for i, record := range r.Records {
		if err := checkRecord(string(record), i); err != nil {
			return err
		}
	}
	return nil
}

// checkDifference holds a line against the schema of differences, and the record
// in it against that of records.
func checkDifference(line string, index int) error {
	if err := checkAgainst("diff", line); err != nil {
		return err
	}
	var d resolver.Difference
	if err := json.Unmarshal([]byte(line), &d); err != nil {
		return err
	}
	again, err := d.Line()
	if err != nil {
		return err
	}
	if string(again) != line+"\n" {
		return fmt.Errorf("the difference does not survive a round trip:\n%s\n%s", line, again)
	}
	record, err := d.Record.Line()
	if err != nil {
		return err
	}
	return checkRecord(strings.TrimSuffix(string(record), "\n"), index)
}

// checkAgainst holds a line against a schema.
func checkAgainst(name, line string) error {
	schema, err := compiledSchema(name)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return fmt.Errorf("a line is no JSON: %w\n%s", err, line)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("%w\n%s", err, line)
	}
	return nil
}

// compiledSchema compiles a schema once: a script can hold thousands of records
// against it.
func compiledSchema(name string) (*jsonschema.Schema, error) {
	compile, _ := schemaCache.LoadOrStore(name, sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(name) }))
	return compile.(func() (*jsonschema.Schema, error))()
}

var schemaCache sync.Map // name → func() (*jsonschema.Schema, error)

// compileSchema compiles a schema with those that it may refer to.
func compileSchema(name string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	wanted := ""
	for _, one := range schemaNames() {
		text, _ := schemaText(one)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		object, ok := value.(map[string]any)
		id, isText := object["$id"].(string)
		if !ok || !isText {
			return nil, fmt.Errorf("schema %s has no $id", one)
		}
		if err := c.AddResource(id, value); err != nil {
			return nil, err
		}
		if one == name {
			wanted = id
		}
	}
	if wanted == "" {
		return nil, fmt.Errorf("no schema %s", name)
	}
	return c.Compile(wanted)
}

func TestSchemasCompile(t *testing.T) {
	for _, name := range schemaNames() {
		if _, err := compiledSchema(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// cmdMint mints a pointer into an environment variable: mint VAR ARG...
func cmdMint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mint VAR args...")
	}
	ts.Check(ts.Exec("ctxptr", append([]string{"mint"}, args[1:]...)...))
	lines := scriptLines(ts)
	if len(lines) != 1 {
		ts.Fatalf("mint printed %d lines, want 1", len(lines))
	}
	if p, err := resolver.ParsePointer(lines[0]); err != nil || p.String() != lines[0] {
		ts.Fatalf("mint printed what is not canonical: %s (%v)", lines[0], err)
	}
	ts.Setenv(args[0], lines[0])
}

// cmdRecord demands a value in a record of the last standard output:
// [!] record INDEX KEY[.KEY...] VALUE. With ! the key must be absent, and no
// value stands.
func cmdRecord(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: record INDEX KEY VALUE, or ! record INDEX KEY")
	}
	index, err := strconv.Atoi(args[0])
	ts.Check(err)
	lines := scriptLines(ts)
	if index >= len(lines) {
		ts.Fatalf("there are %d records", len(lines))
	}
	got, found := recordField(ts, lines[index], args[1])
	switch {
	case neg && found:
		ts.Fatalf("%s is %s, want none", args[1], got)
	case !neg && !found:
		ts.Fatalf("%s is absent, want %s\n%s", args[1], args[2], lines[index])
	case !neg && got != args[2]:
		ts.Fatalf("%s is %s, want %s", args[1], got, args[2])
	}
}

// recordField returns a field as text: a string as it is, anything else as JSON.
func recordField(ts *testscript.TestScript, line, path string) (string, bool) {
	var value any
	ts.Check(json.Unmarshal([]byte(line), &value))
	for key := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[key]
			if !ok {
				return "", false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if text, ok := value.(string); ok {
		return text, true
	}
	text, err := json.Marshal(value)
	ts.Check(err)
	return string(text), true
}

// cmdRecords demands how many records the last standard output holds.
func cmdRecords(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: records N")
	}
	if got := len(scriptLines(ts)); strconv.Itoa(got) != args[0] {
		ts.Fatalf("%d records, want %s", got, args[0])
	}
}

// cmdCRLF rewrites files with CRLF line ends, which txtar cannot carry.
func cmdCRLF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: crlf file...")
	}
	for _, name := range args {
		name = ts.MkAbs(name)
		data, err := os.ReadFile(name)
		ts.Check(err)
		ts.Check(os.WriteFile(name, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), 0o666))
	}
}

// cmdUnterminated removes the last line feed of files, which txtar always adds.
func cmdUnterminated(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: unterminated file...")
	}
	for _, name := range args {
		data, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), bytes.TrimSuffix(data, []byte("\n")), 0o666))
	}
}
