package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// php is the table of PHP. A property keeps its "$", which tells it from a
// method or constant of the same name.
func php() *Language {
	rules := map[string]rule{
		"namespace_definition":  phpNamespace,
		"class_declaration":     simple("class", "body"),
		"interface_declaration": simple("interface", "body"),
		"trait_declaration":     simple("trait", "body"),
		"enum_declaration":      simple("enum", "body"),
		"enum_case":             simple("case"),
		"method_declaration":    function("method"),
		"function_definition":   function("function"),
		"const_declaration":     declarators("constant", phpConstant, "const_element"),
		"property_declaration":  declarators("property", (*walker).nameOf, "property_element"),
		"compound_statement":    block,
		"expression_statement":  phpExpression,
	}
	same(rules, loose, `if_statement else_clause else_if_clause colon_block while_statement do_statement for_statement
		foreach_statement switch_statement switch_block case_statement default_statement try_statement catch_clause
		finally_clause declare_statement`)
	ignore(rules, `php_tag text_interpolation text namespace_use_declaration use_declaration
		echo_statement exit_statement unset_statement goto_statement continue_statement break_statement
		return_statement named_label_statement global_declaration function_static_declaration empty_statement`)
	return &Language{rules: rules, opaque: []string{
		"arguments", "binary_expression", "encapsed_string", "string", "heredoc", "nowdoc", "array_creation_expression",
		"expression_statement", "return_statement", "echo_statement", "parenthesized_expression", "formal_parameters",
		"attribute_list", "property_hook_list", "namespace_use_declaration",
	}}
}

func phpConstant(w *walker, n ID) string { return w.text(w.kind(n, "name")) }

// phpExpression looks for __halt_compiler(), behind which there is no code.
func phpExpression(w *walker, n ID, s scope) {
	const halt = "__halt_compiler"
	at := w.Nodes[n].Span
	if len(halt) <= at.To-at.From && strings.EqualFold(string(w.Source[at.From:at.From+len(halt)]), halt) {
		w.gaps = append(w.gaps, symbols.Span{From: at.From, To: len(w.Source)})
	}
}

// phpNamespace defines a namespace that has a body; the clause of a whole file
// does not count, nor does the global namespace.
func phpNamespace(w *walker, n ID, s scope) {
	body, name := w.field(n, "body"), w.field(n, "name")
	switch {
	case body == None:
	case name == None:
		w.members(n, s, "body")
	default:
		if inner, ok := w.define(n, s, "namespace", splitNames(w.code(name), `\`)...); ok {
			w.members(n, inner, "body")
		}
	}
}
