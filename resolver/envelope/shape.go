package envelope

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// compiled holds each embedded schema once it was needed: name → a function.
var compiled sync.Map

// compiledSchema compiles an embedded schema. That one does not compile is a
// fault of the program.
func compiledSchema(name string) *jsonschema.Schema {
	compile, _ := compiled.LoadOrStore(name, sync.OnceValue(func() *jsonschema.Schema {
		text, _ := SchemaText(name)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			panic("envelope: schema " + name + ": " + err.Error())
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("urn:"+name, value); err != nil {
			panic("envelope: schema " + name + ": " + err.Error())
		}
		return c.MustCompile("urn:" + name)
	}))
	return compile.(func() *jsonschema.Schema)()
}

// shape reports everything in which a value does not fit the schema of that name.
func (c *check) shape(schema string, e *element) {
	err := compiledSchema(schema).Validate(e.plain())
	if v, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		c.misfit(e, v)
	}
}

// misfit reports the leaves of a schema's error; what lies between says only in
// which part of the schema they are.
func (c *check) misfit(root *element, v *jsonschema.ValidationError) {
	if len(v.Causes) > 0 {
		for _, cause := range v.Causes {
			c.misfit(root, cause)
		}
		return
	}
	pointer, at := "", -1
	for _, name := range v.InstanceLocation {
		pointer = pointerTo(pointer, name)
	}
	value := root.find(v.InstanceLocation)
	if value != nil {
		at = value.at
	}
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			c.add(pointerTo(pointer, name), at, CodeMissingKey, "the key is missing")
		}
	case *kind.AdditionalProperties:
		for _, member := range value.named(k.Properties) {
			c.add(pointerTo(pointer, member.key), member.keyAt, CodeUnknownKey, "the key is not one of the closed set")
		}
	default:
		code, message := misfitCode(v.ErrorKind)
		c.add(pointer, at, code, "%s", message)
	}
}

// misfitCode says what a value is that a schema's keyword refuses.
func misfitCode(k jsonschema.ErrorKind) (code, message string) {
	switch k := k.(type) {
	case *kind.Type:
		return CodeType, "it is of type " + k.Got + ", want " + strings.Join(k.Want, " or ")
	case *kind.Const:
		if want, ok := k.Want.(string); ok {
			return CodeVocabulary, "it must be " + want
		}
	case *kind.Enum:
		return CodeVocabulary, "it must be one of " + wantedTexts(k.Want)
	case *kind.UniqueItems:
		return CodeDuplicate, "a member stands twice"
	case *kind.MinLength, *kind.MinItems:
		return CodeForm, "it is empty"
	case *kind.MaxItems:
		return CodeForm, "it must be empty"
	case *kind.Pattern:
		return CodeForm, "it does not match " + k.Want
	}
	return CodeForm, "it is not of the form that the schema gives"
}

func wantedTexts(values []any) string {
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}
