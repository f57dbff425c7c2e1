package tables

// python is the table of Python. Variables are those assigned at module or
// class level, by plain assignment or annotation.
func python() *Language {
	rules := map[string]rule{
		"class_definition":     simple("class", "body"),
		"function_definition":  function("function"),
		"decorated_definition": wrap,
		"expression_statement": pythonAssignment,
		"type_alias_statement": pythonAlias,
		"if_statement":         loose,
		"try_statement":        loose,
		"for_statement":        loose,
		"while_statement":      loose,
		"with_statement":       loose,
		"match_statement":      loose,
		"block":                block,
	}
	same(rules, loose, "elif_clause else_clause except_clause finally_clause case_clause")
	ignore(rules, `import_statement future_import_statement import_from_statement print_statement
		assert_statement return_statement delete_statement raise_statement pass_statement break_statement
		continue_statement global_statement nonlocal_statement exec_statement`)
	return &Language{rules: rules, lines: true, opaque: []string{
		"argument_list", "string", "call", "binary_operator", "boolean_operator", "comparison_operator",
		"not_operator", "dictionary", "list", "set", "tuple", "list_comprehension", "dictionary_comprehension",
		"set_comprehension", "generator_expression", "lambda", "parenthesized_expression", "conditional_expression",
		"concatenated_string", "subscript", "attribute", "await", "parameters", "return_statement",
		"assert_statement", "raise_statement", "import_statement", "import_from_statement", "decorator",
	}}
}

// pythonAssignment defines the names that a statement assigns.
func pythonAssignment(w *walker, n ID, s scope) {
	if s.local {
		return
	}
	for a := w.kind(n, "assignment"); a != None; a = w.kind(a, "assignment") {
		w.pythonTargets(w.field(a, "left"), n, s)
	}
}

// pythonTargets defines the names in the target of an assignment; each has the
// whole statement for its extent.
func (w *walker) pythonTargets(target, statement ID, s scope) {
	switch {
	case w.is(target, "identifier"):
		w.define(statement, s, "variable", w.text(target))
	case w.is(target, "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"):
		for _, c := range w.named(target) {
			w.pythonTargets(c, statement, s)
		}
	}
}

func pythonAlias(w *walker, n ID, s scope) {
	left := w.field(n, "left")
	for left != None && !w.is(left, "identifier") {
		left = w.Nodes[left].First
	}
	w.define(n, s, "type", w.text(left))
}
