package tables

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scala is the table of Scala 2 and 3. Expressions stand between definitions,
// so that no kind without a rule is a gap.
func scala() *Language {
	rules := map[string]rule{
		"class_definition":      scalaType("class"),
		"trait_definition":      scalaType("trait"),
		"object_definition":     scalaType("object"),
		"package_object":        scalaType("object"),
		"enum_definition":       scalaType("enum"),
		"given_definition":      scalaType("given"),
		"type_definition":       scalaType("type"),
		"simple_enum_case":      scalaType("case"),
		"full_enum_case":        scalaType("case"),
		"enum_case_definitions": scalaCases,
		"package_clause":        scalaPackage,
		"extension_definition":  scalaExtension,
		"function_definition":   scalaFunction,
		"function_declaration":  scalaFunction,
		"val_definition":        scalaValue("value"),
		"val_declaration":       scalaValue("value"),
		"var_definition":        scalaValue("variable"),
		"var_declaration":       scalaValue("variable"),
	}
	same(rules, loose, "template_body with_template_body enum_body block indented_block if_expression while_expression try_expression")
	return &Language{rules: rules, open: true, markers: true, opaque: []string{
		"arguments", "string", "interpolated_string_expression", "infix_expression", "import_declaration",
		"field_expression", "match_expression", "lambda_expression", "annotation",
	}}
}

// scalaName takes the back quotes off a name.
func (w *walker) scalaName(n ID) string { return strings.Trim(w.text(n), "`") }

func scalaType(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if s.local && kind == "given" {
			return
		}
		if inner, ok := w.define(n, s, kind, w.scalaName(w.field(n, "name"))); ok {
			inner.local = false
			w.bodies(n, inner, []string{"body", "with_template_body"})
		}
	}
}

// scalaCases defines the cases that one "case" lists.
func scalaCases(w *walker, n ID, s scope) {
	list := w.named(n)
	for _, c := range list {
		w.apply(c, w.one(n, s, len(list) > 1))
	}
}

// scalaPackage defines a package that has a body; the clause of a whole file
// does not count.
func scalaPackage(w *walker, n ID, s scope) {
	body := w.field(n, "body")
	if body == None {
		return
	}
	if inner, ok := w.define(n, s, "package", splitNames(w.code(w.field(n, "name")), ".")...); ok {
		w.children(body, inner)
	}
}

// scalaExtension passes through to the methods of an extension: a single one
// without braces has the extent of the whole.
func scalaExtension(w *walker, n ID, s scope) {
	var list []ID
	for _, c := range w.named(n) {
		if w.Nodes[c].Field == "body" {
			list = append(list, c)
		}
	}
	single := len(list) == 1 && w.kind(n, "{") == None
	for _, c := range list {
		w.apply(c, w.one(n, s, !single))
	}
}

func scalaFunction(w *walker, n ID, s scope) {
	inner, ok := w.define(n, s, "method", w.scalaName(w.field(n, "name")))
	if !ok {
		return
	}
	w.scalaOverload(n)
	inner.local = true
	w.bodies(n, inner, []string{"body"})
}

// scalaOverload records the types of all parameter lists.
func (w *walker) scalaOverload(n ID) {
	var types []string
	for _, list := range w.all(n, "parameters") {
		for _, p := range w.all(list, "parameter") {
			types = append(types, w.typeText(w.field(p, "type")))
		}
	}
	w.overload(types)
}

// scalaValue defines the names of a value or variable; those that share a
// definition all have its extent.
func scalaValue(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if s.local {
			return
		}
		pattern := w.field(n, "pattern")
		if pattern == None {
			pattern = w.field(n, "name")
		}
		for _, name := range w.scalaBound(pattern, 0) {
			w.define(n, s, kind, w.scalaName(name))
		}
	}
}

// scalaBound returns the identifiers that a pattern binds: a name that does
// not begin with a capital, or any that stands alone.
func (w *walker) scalaBound(pattern ID, depth int) []ID {
	if w.is(pattern, "identifier", "operator_identifier") {
		if first, _ := utf8.DecodeRuneInString(w.text(pattern)); depth == 0 || !unicode.IsUpper(first) {
			return []ID{pattern}
		}
		return nil
	}
	var out []ID
	if depth > maxPath || !w.is(pattern, "identifiers", "tuple_pattern", "case_class_pattern", "typed_pattern", "capture_pattern") {
		return nil
	}
	next := depth + 1
	if w.is(pattern, "identifiers") {
		next = 0
	}
	for _, c := range w.named(pattern) {
		if w.Nodes[c].Field != "type" {
			out = append(out, w.scalaBound(c, next)...)
		}
	}
	return out
}
