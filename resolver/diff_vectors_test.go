package resolver

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/authority"
)

// leastDifferences is how many vectors of differences there are at least.
const leastDifferences = 25

// TestDifferenceVectors runs every vector under testdata/vectors/diff, and counts:
// each verdict, and each way to find or not to find, has one.
func TestDifferenceVectors(t *testing.T) {
	schema := differenceSchema(t)
	all := readBehaviours(t, "diff")
	if len(all) < leastDifferences {
		t.Errorf("there are %d vectors, want at least %d", len(all), leastDifferences)
	}
	seen := map[string]bool{}
	for name, v := range all {
		for _, one := range v.expect {
			seen[one] = true
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range v.requires {
				if !requirements[r]() {
					t.Skipf("the vector requires %s", r)
				}
			}
			v.runDiff(t, schema)
		})
	}
	for _, need := range []string{
		"same", "changed found", "changed aside", "unknown found", "changed missing:revision", "changed missing:history_shallow",
	} {
		if !seen[need] {
			t.Errorf("no vector has %s", need)
		}
	}
}

// runDiff arranges the vector in a folder of its own, asks for the differences and
// compares.
func (v *behaviour) runDiff(t *testing.T, schema *jsonschema.Schema) {
	want, err := v.records(differenceVerdict)
	if err != nil {
		t.Fatal(err)
	}
	dir := v.folder(t)
	v.perform(t, memberSteps, dir)
	w, err := authority.Open(t.Context(), v.config(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got, err := Diff(t.Context(), w, v.items(t), DiffOptions{MaxCommits: DefaultDiffCommits})
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %d differences, want %d: %v", len(got), len(want), err)
	}
	for i, d := range got {
		line, err := d.Line()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonValue(line)
		if err != nil || !reflect.DeepEqual(value, want[i]) {
			t.Errorf("the difference differs\n%sgot: %s (%v)", differences(value, want[i]), line, err)
		}
		checkSchema(t, schema, line)
		if bytes.Contains(line, []byte(dir)) {
			t.Errorf("the difference holds an absolute path: %s", line)
		}
	}
}

// differenceVerdict is a difference's verdict, and what became of the search, as
// expect states them.
func differenceVerdict(d map[string]any) string {
	text := fmt.Sprint(d["verdict"])
	if found, ok := d["found"].(map[string]any); ok {
		if found["aside"] == true {
			return text + " aside"
		}
		return text + " found"
	}
	if why, ok := d["not_found"].(map[string]any); ok {
		return text + " " + fmt.Sprint(why["code"])
	}
	return text
}

func differenceSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	for _, name := range SchemaNames() {
		text, _ := SchemaText(name)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("urn:ctxptr:"+name+":v1", value); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile("urn:ctxptr:diff:v1")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
