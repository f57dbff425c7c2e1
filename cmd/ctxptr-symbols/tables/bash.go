package tables

// bash is the table of Bash and sh. Any command may stand anywhere, so that no
// kind without a rule is a gap.
func bash() *Language {
	rules := map[string]rule{
		"function_definition":  bashFunction,
		"variable_assignment":  bashVariable,
		"declaration_command":  declarators("variable", bashName, "variable_assignment", "variable_name"),
		"variable_assignments": declarators("variable", bashName, "variable_assignment"),
		"redirected_statement": bashRedirected,
	}
	same(rules, loose, `compound_statement if_statement elif_clause else_clause for_statement c_style_for_statement
		while_statement do_group case_statement case_item list pipeline subshell negated_command`)
	return &Language{rules: rules, open: true, lines: true, opaque: []string{
		"command", "string", "raw_string", "concatenation", "array", "heredoc_body", "test_command", "herestring_redirect",
		"command_substitution", "expansion", "arithmetic_expansion", "process_substitution", "binary_expression",
	}}
}

func bashFunction(w *walker, n ID, s scope) {
	inner, ok := w.define(n, s, "function", w.nameOf(n))
	if !ok {
		return
	}
	inner.local, inner.closed = true, false
	if body := w.field(n, "body"); body != None {
		w.apply(body, inner)
	}
}

// bashRedirected gives a function the redirections that the grammar puts around
// it.
func bashRedirected(w *walker, n ID, s scope) {
	if w.kind(n, "function_definition") != None {
		wrap(w, n, s)
		return
	}
	loose(w, n, s)
}

// bashName returns the name of a variable that a word declares or assigns; one
// that adds to a variable does not define it.
func bashName(w *walker, n ID) string {
	if w.is(n, "variable_name") {
		return w.text(n)
	}
	if w.kind(n, "+=") != None {
		return ""
	}
	if name := w.field(n, "name"); w.is(name, "variable_name") {
		return w.text(name)
	}
	return ""
}

func bashVariable(w *walker, n ID, s scope) {
	if !s.local {
		w.define(n, s, "variable", bashName(w, n))
	}
}
