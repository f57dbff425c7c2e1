package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// kotlin is the table of Kotlin. An extension has the name behind its
// receiver.
func kotlin() *Language {
	rules := map[string]rule{
		"class_declaration":     kotlinClass,
		"object_declaration":    kotlinType("object"),
		"companion_object":      kotlinCompanion,
		"enum_entry":            kotlinEntry,
		"function_declaration":  kotlinFunction,
		"secondary_constructor": kotlinConstructor,
		"property_declaration":  kotlinProperty,
		"type_alias":            kotlinAlias,
	}
	same(rules, kotlinStatement, `call_expression assignment infix_expression navigation_expression if_expression
		when_expression try_expression for_statement while_statement do_while_statement return_expression
		string_literal identifier binary_expression unary_expression annotated_expression labeled_expression
		as_expression index_expression lambda_literal parenthesized_expression`)
	rules["block"] = pass
	ignore(rules, `file_annotation package_header import anonymous_initializer shebang getter setter`)
	return &Language{rules: rules, opaque: []string{
		"value_arguments", "string_literal", "multiline_string_literal", "import", "navigation_expression",
		"parenthesized_expression", "lambda_literal", "annotation", "object_literal", "property_delegate",
	}}
}

// kotlinName takes the back quotes off a name.
func (w *walker) kotlinName(n ID) string { return strings.Trim(w.text(n), "`") }

func (w *walker) kotlinMembers(n ID, inner scope) {
	w.members(n, inner, "class_body", "enum_class_body")
}

func kotlinType(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if inner, ok := w.define(n, s, kind, w.kotlinName(w.field(n, "name"))); ok {
			w.kotlinMembers(n, inner)
		}
	}
}

func kotlinClass(w *walker, n ID, s scope) {
	kind := "class"
	if w.kind(n, "interface") != None {
		kind = "interface"
	}
	kotlinType(kind)(w, n, s)
}

func kotlinCompanion(w *walker, n ID, s scope) {
	name := w.kotlinName(w.field(n, "name"))
	if name == "" {
		name = "Companion"
	}
	if inner, ok := w.define(n, s, "object", name); ok {
		w.kotlinMembers(n, inner)
	}
}

func kotlinEntry(w *walker, n ID, s scope) {
	if inner, ok := w.define(n, s, "entry", w.kotlinName(w.kind(n, "identifier"))); ok {
		w.kotlinMembers(n, inner)
	}
}

func kotlinFunction(w *walker, n ID, s scope) {
	inner, ok := w.define(n, s, "function", w.kotlinName(w.field(n, "name")))
	if !ok {
		return
	}
	w.kotlinOverload(n)
	w.kotlinBody(n, inner)
}

func kotlinConstructor(w *walker, n ID, s scope) {
	if _, ok := w.define(n, s, "constructor", "constructor"); ok {
		w.kotlinOverload(n)
	}
}

// kotlinBody applies the rules to the functions and types in a function.
func (w *walker) kotlinBody(n ID, inner scope) {
	inner.local, inner.closed = true, false
	w.bodies(n, inner, []string{"function_body"})
}

func (w *walker) kotlinOverload(n ID) {
	var types []string
	for _, p := range w.all(w.kind(n, "function_value_parameters"), "parameter") {
		types = append(types, w.kotlinTypeOf(p))
	}
	w.overload(types)
}

// kotlinTypeOf returns the type of a parameter: what stands behind its ':'.
func (w *walker) kotlinTypeOf(p ID) string {
	for c := w.kind(p, ":"); c != None; c = w.Nodes[c].Next {
		if w.Nodes[c].Named {
			return symbols.DropSpace(string(w.Source[w.Nodes[c].From:w.Nodes[p].To]))
		}
	}
	return ""
}

// kotlinProperty defines a property, or the names that one declaration takes
// apart.
func kotlinProperty(w *walker, n ID, s scope) {
	if s.local {
		return
	}
	if v := w.kind(n, "variable_declaration"); v != None {
		w.define(n, s, "property", w.kotlinName(w.kind(v, "identifier")))
		return
	}
	if several := w.kind(n, "multi_variable_declaration"); several != None {
		for _, v := range w.all(several, "variable_declaration") {
			w.define(n, s, "property", w.kotlinName(w.kind(v, "identifier")))
		}
	}
}

func kotlinAlias(w *walker, n ID, s scope) {
	w.define(n, s, "type", w.kotlinName(w.field(n, "type")))
}

// kotlinStatement takes a statement of a script for what it is. The grammar
// makes a call of the context receivers before a declaration, and no other
// statement stands in a class.
func kotlinStatement(w *walker, n ID, s scope) {
	if s.closed && (s.parent >= 0 || strings.HasPrefix(w.text(n), "context")) {
		w.gap(n)
		return
	}
	if s.local && w.is(n, "if_expression", "for_statement", "while_statement", "do_while_statement", "when_expression", "try_expression") {
		loose(w, n, s)
	}
}
