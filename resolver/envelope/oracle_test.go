package envelope

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/resolver"
)

// library compiles a schema with another implementation of JSON Schema, the second
// opinion on the verdicts here.
func library(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	add := func(id string, text []byte) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(id, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range SchemaNames() {
		text, _ := SchemaText(one)
		id := "urn:ctxptr:envelope:" + one + ":v1"
		if one == "envelope" {
			id = "urn:ctxptr:envelope:common:v1"
		}
		add(id, text)
	}
	for _, one := range resolver.SchemaNames() {
		text, _ := resolver.SchemaText(one)
		add("urn:ctxptr:"+one+":v1", text)
	}
	s, err := c.Compile("urn:ctxptr:envelope:" + name + ":v1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemasAgainstLibrary holds that the library's verdict on every vector and
// every mutation is the one given here. Where a pointer alone is malformed its
// grammar is stricter than any pattern, and the library has no say.
func TestSchemasAgainstLibrary(t *testing.T) {
	compared, refused := 0, 0
	for _, kind := range Kinds() {
		if schemaOf(kind.Name) == nil || kind.Name == "review-report" {
			continue // none, or a part of a file that is no JSON: TestReportMutations
		}
		second := library(t, kind.Name)
		documents := [][]byte{}
		for _, v := range readVectors(t, kind.Name) {
			documents = append(documents, v.document(t, kind.Name))
		}
		root := validRoot(t, kind)
		for _, m := range mutations(root) {
			documents = append(documents, []byte(m.write(root)))
		}
		for _, document := range documents {
			c := newCheck(document, &Options{})
			c.read()
			if c.root == nil || len(c.findings) > 0 {
				continue // no strict JSON: a library would have to guess
			}
			c.shape(schemaOf(kind.Name), c.root)
			if !slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Code != MalformedPointer }) && len(c.findings) > 0 {
				continue
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(document)))
			if err != nil {
				t.Fatal(err)
			}
			compared++
			err = second.Validate(value)
			if err != nil {
				refused++
			}
			if (err == nil) != (len(c.findings) == 0) {
				t.Errorf("%s: the library says %v, here %+v\n%s", kind.Name, err, c.findings, document)
			}
		}
	}
	if compared < 1000 || refused < 500 {
		t.Errorf("%d documents compared and %d of them refused: too few to prove anything", compared, refused)
	}
	t.Logf("%d documents compared, %d of them refused by both", compared, refused)
}

// TestSchemaFindings holds that every code in a schema is one of the table, and
// that no pattern goes without one.
func TestSchemaFindings(t *testing.T) {
	var walk func(s *schema)
	walk = func(s *schema) {
		if s.Finding != nil {
			if _, _, ok := Explain(s.Finding.Code); !ok || s.Finding.Message == "" {
				t.Errorf("x-finding %+v is none of the table", *s.Finding)
			}
		}
		for _, inner := range s.inner() {
			walk(inner)
		}
	}
	for _, s := range schemaSet() {
		walk(s)
	}
	if !slices.IsSorted(Codes()) {
		t.Error("the codes are not sorted")
	}
}
