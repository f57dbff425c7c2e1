package main

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemasAreWhole compiles each schema that is printed with nothing beside it, as
// a reader does who has no other.
func TestSchemasAreWhole(t *testing.T) {
	names := schemaNames()
	if len(names) == 0 {
		t.Fatal("there are no schemas")
	}
	for _, name := range names {
		text, ok := bundledSchema(name)
		if !ok {
			t.Fatalf("%s: no schema", name)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("urn:printed:"+name, value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := c.Compile("urn:printed:" + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
