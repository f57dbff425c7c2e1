package tables

import "ctxptr/authority/selector/symbols"

// typeScript is the table of TypeScript, and with JSX that of TSX.
func typeScript() *Language {
	l := ecmaScript()
	l.name = symbols.TypeScript
	rules := l.rules
	delete(rules, "using_declaration")
	delete(rules, "field_definition")
	for kind, r := range map[string]rule{
		"abstract_class_declaration":     simple("class", "body"),
		"interface_declaration":          simple("interface", "body"),
		"type_alias_declaration":         tsAlias,
		"enum_declaration":               tsEnum,
		"module":                         tsModule,
		"internal_module":                tsModule,
		"ambient_declaration":            tsAmbient,
		"public_field_definition":        ended(jsField),
		"property_signature":             ended(jsField),
		"method_signature":               ended(tsSignature("method")),
		"abstract_method_signature":      ended(tsSignature("method")),
		"function_signature":             ended(tsSignature("function")),
		"function_declaration":           tsSignature("function"),
		"generator_function_declaration": tsSignature("function"),
	} {
		rules[kind] = r
	}
	ignore(rules, "import_alias index_signature construct_signature call_signature")
	l.opaque = append(l.opaque, "union_type", "intersection_type", "generic_type", "tuple_type", "conditional_type")
	return l
}

// tsSignature makes the rule of a function with or without a body.
func tsSignature(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if inner, ok := w.define(n, s, kind, w.jsName(w.field(n, "name"))); ok {
			w.jsOverload(n)
			w.bodyOfFunction(n, inner)
		}
	}
}

// tsAlias defines a type, and its members where it is an object type.
func tsAlias(w *walker, n ID, s scope) {
	inner, ok := w.define(n, s, "type", w.nameOf(n))
	if value := w.field(n, "value"); ok && w.is(value, "object_type") {
		inner.local, inner.closed = false, true
		w.children(value, inner)
	}
}

// tsEnum defines an enum and its members, which are bare names or assignments.
func tsEnum(w *walker, n ID, s scope) {
	inner, ok := w.define(n, s, "enum", w.nameOf(n))
	if !ok {
		return
	}
	for _, m := range w.named(w.field(n, "body")) {
		name := m
		if w.is(m, "enum_assignment") {
			name = w.field(m, "name")
		}
		w.define(m, inner, "member", w.jsName(name))
	}
}

// tsModule defines a namespace; "namespace A.B" has two names.
func tsModule(w *walker, n ID, s scope) {
	name := w.field(n, "name")
	names := []string{w.jsName(name)}
	if w.is(name, "nested_identifier") {
		names = splitNames(w.code(name), ".")
	}
	if w.is(w.Nodes[n].Parent, "expression_statement") && s.whole.To == 0 {
		s.whole = w.Nodes[w.Nodes[n].Parent].Span
	}
	if inner, ok := w.define(n, s, "namespace", names...); ok {
		w.members(n, inner, "body")
	}
}

// tsAmbient gives what is declared the extent of the "declare"; "declare
// global" is called global.
func tsAmbient(w *walker, n ID, s scope) {
	block := w.kind(n, "statement_block")
	if block == None {
		wrap(w, n, s)
		return
	}
	if inner, ok := w.define(n, s, "namespace", "global"); ok {
		inner.local, inner.closed = false, true
		w.children(block, inner)
	}
}
