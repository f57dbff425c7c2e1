package tables

// java is the table of Java.
func java() *Language {
	rules := map[string]rule{
		"class_declaration":                   simple("class", "body"),
		"interface_declaration":               simple("interface", "body"),
		"enum_declaration":                    simple("enum", "body"),
		"record_declaration":                  simple("record", "body"),
		"annotation_type_declaration":         simple("annotation", "body"),
		"enum_constant":                       simple("constant", "body", "class_body"),
		"annotation_type_element_declaration": simple("element"),
		"enum_body_declarations":              pass,
		"method_declaration":                  javaMethod("method"),
		"constructor_declaration":             javaMethod("constructor"),
		"compact_constructor_declaration":     function("constructor"),
		"field_declaration":                   declarators("field", (*walker).nameOf, "variable_declarator"),
		"constant_declaration":                declarators("constant", (*walker).nameOf, "variable_declarator"),
		"local_variable_declaration":          declarators("variable", (*walker).nameOf, "variable_declarator"),
	}
	same(rules, loose, `if_statement while_statement do_statement for_statement enhanced_for_statement
		try_statement try_with_resources_statement catch_clause finally_clause synchronized_statement labeled_statement
		switch_expression switch_block switch_block_statement_group switch_rule`)
	rules["static_initializer"] = javaInitializer
	rules["block"] = javaInitializer
	ignore(rules, `package_declaration import_declaration module_declaration expression_statement return_statement
		throw_statement break_statement continue_statement yield_statement assert_statement
		explicit_constructor_invocation`)
	return &Language{rules: rules, opaque: []string{
		"argument_list", "binary_expression", "method_invocation", "string_literal", "expression_statement",
		"return_statement", "throw_statement", "array_initializer", "annotation_argument_list", "lambda_expression",
		"import_declaration", "object_creation_expression", "assignment_expression", "parenthesized_expression",
	}}
}

// javaInitializer passes through the blocks of a function only: what stands in
// an initializer block of a class has no path.
func javaInitializer(w *walker, n ID, s scope) {
	if s.local {
		loose(w, n, s)
	}
}

func javaMethod(kind string) rule {
	return func(w *walker, n ID, s scope) {
		inner, ok := w.define(n, s, kind, w.nameOf(n))
		if !ok {
			return
		}
		var types []string
		for _, p := range w.all(w.field(n, "parameters"), "formal_parameter", "spread_parameter") {
			types = append(types, w.javaType(p))
		}
		w.overload(types)
		w.bodyOfFunction(n, inner)
	}
}

// javaType returns the type of a parameter without its modifiers.
func (w *walker) javaType(p ID) string {
	if t := w.field(p, "type"); t != None {
		return w.typeText(t) + w.typeText(w.field(p, "dimensions"))
	}
	for _, c := range w.named(p) {
		if !w.is(c, "modifiers") {
			return w.typeText(c) + "..."
		}
	}
	return ""
}
