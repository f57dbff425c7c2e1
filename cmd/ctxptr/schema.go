package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

func newSchema(a *app) *cobra.Command {
	all := strings.Join(schemaNames(), ", ")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print a JSON Schema (draft 2020-12)",
		Long: "Print a JSON Schema (draft 2020-12) of that NAME; those that it refers to stand in\nits $defs.\n\nNames:\n  " +
			strings.Join(schemaNames(), "\n  "),
		Example:   "  ctxptr schema resolution",
		ValidArgs: schemaNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one schema: %s", all)
			}
			text, ok := bundledSchema(args[0])
			if !ok {
				return usagef("no schema %q; there are %s", args[0], all)
			}
			return a.write(text)
		},
	}
}

// schemaNames are the names of every schema, sorted.
func schemaNames() []string {
	names := slices.Concat(resolver.SchemaNames(), envelope.SchemaNames())
	slices.Sort(names)
	return names
}

func schemaText(name string) ([]byte, bool) {
	if text, ok := resolver.SchemaText(name); ok {
		return text, true
	}
	return envelope.SchemaText(name)
}

// idOfSchema returns what a schema is referred to by.
func idOfSchema(text []byte) string {
	_, rest, _ := bytes.Cut(text, []byte(`"$id": "`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}

// bundledSchema returns a schema that is whole by itself: those that it refers to,
// and those that these refer to, stand among its $defs under their $id, where every
// validator finds them.
func bundledSchema(name string) ([]byte, bool) {
	text, ok := schemaText(name)
	if !ok {
		return nil, false
	}
	referred := referredSchemas(text)
	if len(referred) == 0 {
		return text, true
	}
	var parts []string
	for _, id := range referred {
		part := bytes.TrimSpace(schemasByID()[id])
		parts = append(parts, fmt.Sprintf("\n    %q: %s", id, bytes.ReplaceAll(part, []byte("\n"), []byte("\n    "))))
	}
	defs := strings.Join(parts, ",")
	if own := []byte("\n  \"$defs\": {"); bytes.Contains(text, own) {
		return bytes.Replace(text, own, fmt.Appendf(nil, "%s%s,", own, defs), 1), true
	}
	body := bytes.TrimSuffix(bytes.TrimSpace(text), []byte("\n}"))
	return fmt.Appendf(nil, "%s,\n  \"$defs\": {%s\n  }\n}\n", body, defs), true
}

// referredSchemas lists the $id of every other schema that a schema needs, sorted.
func referredSchemas(text []byte) []string {
	ref := regexp.MustCompile(`"\$ref": "(urn:[^"#]+)`)
	all := schemasByID()
	own := idOfSchema(text)
	var found []string
	for next := [][]byte{text}; len(next) > 0; next = next[1:] {
		for _, match := range ref.FindAllSubmatch(next[0], -1) {
			id := string(match[1])
			if id != own && !slices.Contains(found, id) {
				found = append(found, id)
				next = append(next, all[id])
			}
		}
	}
	slices.Sort(found)
	return found
}

// schemasByID returns every schema by its $id.
func schemasByID() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range schemaNames() {
		text, _ := schemaText(name)
		all[idOfSchema(text)] = text
	}
	return all
}
