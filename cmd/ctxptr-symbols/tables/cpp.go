package tables

import "ctxptr/authority/selector/symbols"

// cpp is the table of C++.
func cpp() *Language {
	rules := cRules()
	for kind, r := range map[string]rule{
		"class_specifier":            ended(cType("class")),
		"namespace_definition":       cppNamespace,
		"namespace_alias_definition": simple("namespace"),
		"alias_declaration":          simple("type"),
		"concept_definition":         simple("concept"),
		"template_declaration":       wrap,
		"friend_declaration":         wrap,
	} {
		rules[kind] = r
	}
	same(rules, loose, "try_statement catch_clause for_range_loop")
	ignore(rules, `using_declaration static_assert_declaration access_specifier template_instantiation
		template_parameter_list requires_clause type_identifier qualified_identifier`)
	return &Language{name: symbols.CPP, rules: rules, opaque: append(cOpaque(),
		"field_initializer_list", "template_parameter_list", "raw_string_literal", "lambda_expression", "base_class_clause",
	)}
}

// cppNamespace defines a namespace; what stands in one without a name belongs
// to what is around it.
func cppNamespace(w *walker, n ID, s scope) {
	name := w.field(n, "name")
	if name == None {
		s.whole, s.ended = symbols.Span{}, false
		w.members(n, s, "body")
		return
	}
	if inner, ok := w.define(n, s, "namespace", w.cNames(name)...); ok {
		w.members(n, inner, "body")
	}
}
