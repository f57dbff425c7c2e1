package envelope

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ctxptr/resolver"
)

//go:embed schema/*.json
var schemaFiles embed.FS

// SchemaNames returns the names of the schemas of this package, sorted: the
// kinds that have one of their own, what they have in common and the output.
func SchemaNames() []string {
	entries, err := schemaFiles.ReadDir("schema")
	if err != nil {
		panic("envelope: the embedded schemas are gone: " + err.Error())
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	slices.Sort(names)
	return names
}

// SchemaText returns a JSON Schema (draft 2020-12), false when there is none.
func SchemaText(name string) ([]byte, bool) {
	text, err := schemaFiles.ReadFile("schema/" + name + ".json")
	return text, err == nil
}

// pointerID is the schema of a Context Pointer, which package resolver has.
const pointerID = "urn:ctxptr:pointer:v1"

// schema is one schema of the files. The libraries that read JSON Schema cost
// every start of the program more than resolving a pointer does, and none gives
// each failure its own code; so the few keywords that the files use are checked
// here, and tests hold the verdicts against such a library's. A keyword that
// stands in no field fails the reading of the file.
type schema struct {
	Schema      string             `json:"$schema"`
	ID          string             `json:"$id"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Defs        map[string]*schema `json:"$defs"`

	Ref        string             `json:"$ref"`
	Type       string             `json:"type"`
	Const      json.RawMessage    `json:"const"`
	Enum       []string           `json:"enum"`
	Pattern    string             `json:"pattern"`
	Minimum    *int               `json:"minimum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Additional *bool              `json:"additionalProperties"` // only false has a meaning
	Items      *schema            `json:"items"`
	Prefix     []*schema          `json:"prefixItems"`
	MinItems   *int               `json:"minItems"`
	MaxItems   *int               `json:"maxItems"`
	MinLength  *int               `json:"minLength"`
	AllOf      []*schema          `json:"allOf"`
	AnyOf      []*schema          `json:"anyOf"`
	Not        *schema            `json:"not"`
	If         *schema            `json:"if"`
	Then       *schema            `json:"then"`
	Else       *schema            `json:"else"`

	// Finding is what is found where the assertions beside it, but for type and
	// those about parts of the value, fail.
	Finding *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"x-finding"`

	ref     *schema
	pattern *regexp.Regexp
}

// schemaSet is every schema by its $id, read once and only when one is needed.
var schemaSet = sync.OnceValue(func() map[string]*schema {
	set := map[string]*schema{}
	for _, name := range SchemaNames() {
		if slices.Contains(outputs, name) {
			continue
		}
		text, _ := SchemaText(name)
		s, err := readSchema(text)
		if err != nil {
			panic(fmt.Sprintf("envelope: schema %s: %v", name, err))
		}
		set[s.ID] = s
	}
	set[pointerID] = &schema{ID: pointerID, Defs: map[string]*schema{"object": pointerObject()}}
	for id, s := range set {
		s.link(set, id)
	}
	return set
})

// outputs are the schemas of what is printed, which nothing is checked against.
var outputs = []string{"identity", "normalization", "route", "validation"}

// pointerObject returns the schema of a pointer's object form.
func pointerObject() *schema {
	var file struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	text, ok := resolver.SchemaText("pointer")
	if !ok || json.Unmarshal(text, &file) != nil {
		panic("envelope: the schema of a pointer is gone")
	}
	s, err := readSchema(file.Defs["object"])
	if err != nil {
		panic("envelope: the schema of a pointer: " + err.Error())
	}
	s.Defs = map[string]*schema{}
	for _, name := range []string{"identity", "rules"} {
		if s.Defs[name], err = readSchema(file.Defs[name]); err != nil {
			panic("envelope: the schema of a pointer: " + err.Error())
		}
	}
	return s
}

func readSchema(text []byte) (*schema, error) {
	var s schema
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return &s, d.Decode(&s)
}

// schemaOf returns the schema of a kind.
func schemaOf(name string) *schema { return schemaSet()["urn:ctxptr:envelope:"+name+":v1"] }

// link resolves references and compiles patterns below a schema of the file id.
func (s *schema) link(set map[string]*schema, id string) {
	if s.Pattern != "" {
		s.pattern = regexp.MustCompile(s.Pattern)
	}
	if s.Ref != "" {
		s.ref = lookup(set, id, s.Ref)
	}
	for _, inner := range s.inner() {
		inner.link(set, id)
	}
}

func lookup(set map[string]*schema, id, ref string) *schema {
	file, def, _ := strings.Cut(ref, "#/$defs/")
	if file == "" {
		file = id
	}
	s := set[file]
	if s != nil && def != "" {
		if file == pointerID {
			s = s.Defs["object"]
		}
		s = s.Defs[def]
	}
	if s == nil {
		panic("envelope: a schema refers to " + ref + ", which there is not")
	}
	return s
}

// inner returns the schemas that stand directly in a schema.
func (s *schema) inner() []*schema {
	list := slices.Concat(s.Prefix, s.AllOf, s.AnyOf)
	for _, one := range []*schema{s.Items, s.Not, s.If, s.Then, s.Else} {
		if one != nil {
			list = append(list, one)
		}
	}
	for _, group := range []map[string]*schema{s.Defs, s.Properties} {
		for _, one := range group {
			list = append(list, one)
		}
	}
	return list
}
