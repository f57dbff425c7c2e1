package envelope

import (
	"embed"
	"sort"
	"strings"
)

//go:embed schema/*.json
var schemas embed.FS

// SchemaNames returns the names of the formats that have a JSON Schema, sorted.
func SchemaNames() []string {
	entries, err := schemas.ReadDir("schema")
	if err != nil {
		panic("envelope: the embedded schemas are gone: " + err.Error())
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	sort.Strings(names)
	return names
}

// SchemaText returns the JSON Schema (draft 2020-12) of a format, false when
// there is none.
func SchemaText(name string) ([]byte, bool) {
	text, err := schemas.ReadFile("schema/" + name + ".json")
	return text, err == nil
}
