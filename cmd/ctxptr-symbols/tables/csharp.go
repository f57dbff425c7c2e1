package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// cSharp is the table of C#.
func cSharp() *Language {
	rules := map[string]rule{
		"namespace_declaration":           csNamespace,
		"class_declaration":               simple("class", "body"),
		"struct_declaration":              simple("struct", "body"),
		"interface_declaration":           simple("interface", "body"),
		"enum_declaration":                simple("enum", "body"),
		"record_declaration":              simple("record", "body"),
		"enum_member_declaration":         simple("member"),
		"delegate_declaration":            csMethod("delegate", csName),
		"method_declaration":              csMethod("method", csName),
		"constructor_declaration":         csMethod("constructor", csName),
		"local_function_statement":        csMethod("function", csName),
		"destructor_declaration":          csMethod("destructor", csDestructor),
		"operator_declaration":            csMethod("operator", csOperator),
		"conversion_operator_declaration": csMethod("operator", csConversion),
		"indexer_declaration":             csMethod("indexer", csIndexer),
		"property_declaration":            csNamed("property"),
		"event_declaration":               csNamed("event"),
		"field_declaration":               csVariables("field"),
		"event_field_declaration":         csVariables("event"),
		"local_declaration_statement":     csVariables("variable"),
		"global_statement":                wrap,
		"preproc_if":                      pass,
		"preproc_else":                    pass,
		"preproc_elif":                    pass,
	}
	same(rules, loose, `block if_statement while_statement do_statement for_statement foreach_statement try_statement
		catch_clause finally_clause lock_statement using_statement fixed_statement checked_statement unsafe_statement
		switch_statement switch_body switch_section labeled_statement`)
	ignore(rules, `using_directive global_attribute extern_alias_directive file_scoped_namespace_declaration
		preproc_region preproc_endregion preproc_line preproc_pragma preproc_nullable preproc_error preproc_warning
		preproc_define preproc_undef shebang_directive preproc_arg`)
	return &Language{rules: rules, opaque: []string{
		"argument_list", "binary_expression", "invocation_expression", "string_literal", "verbatim_string_literal",
		"raw_string_literal", "interpolated_string_expression", "expression_statement", "return_statement",
		"throw_statement", "initializer_expression", "attribute_list", "lambda_expression", "using_directive",
		"object_creation_expression", "assignment_expression",
		"accessor_list", "arrow_expression_clause", "base_list",
	}}
}

func csNamespace(w *walker, n ID, s scope) {
	if inner, ok := w.define(n, s, "namespace", splitNames(w.code(w.field(n, "name")), ".")...); ok {
		w.members(n, inner, "body")
	}
}

// csName returns the name of a member, behind that of the interface whose
// member it explicitly implements.
func csName(w *walker, n ID) string {
	name := w.nameOf(n)
	if of := w.kind(n, "explicit_interface_specifier"); of != None && name != "" {
		return w.typeText(of) + name
	}
	return name
}

func csDestructor(w *walker, n ID) string { return "~" + w.nameOf(n) }

func csIndexer(w *walker, n ID) string {
	if of := w.kind(n, "explicit_interface_specifier"); of != None {
		return w.typeText(of) + "this"
	}
	return "this"
}

// csOperator returns "operator+": the word and what stands between it and the
// parameters.
func csOperator(w *walker, n ID) string {
	word, params := w.kind(n, "operator"), w.field(n, "parameters")
	if word == None || params == None {
		return ""
	}
	return symbols.Squeeze(string(w.Source[w.Nodes[word].From:w.Nodes[params].From]))
}

func csConversion(w *walker, n ID) string {
	return symbols.Squeeze("operator " + w.code(w.field(n, "type")))
}

func csNamed(kind string) rule {
	return func(w *walker, n ID, s scope) { w.define(n, s, kind, csName(w, n)) }
}

func csMethod(kind string, name func(*walker, ID) string) rule {
	return func(w *walker, n ID, s scope) {
		inner, ok := w.define(n, s, kind, name(w, n))
		if !ok {
			return
		}
		w.overload(w.csTypes(w.field(n, "parameters")))
		w.bodyOfFunction(n, inner)
	}
}

// csTypes returns the parameter types with ref, out and in, which tell
// overloads apart. The last parameter with "params" stands in the list without
// a node of its own.
func (w *walker) csTypes(params ID) []string {
	var types []string
	for _, p := range w.named(params) {
		switch {
		case w.is(p, "parameter"):
			var b strings.Builder
			for _, c := range w.named(p) {
				if m := w.text(c); w.is(c, "modifier") && (m == "ref" || m == "out" || m == "in") {
					b.WriteString(m)
				}
			}
			types = append(types, b.String()+w.typeText(w.field(p, "type")))
		case w.Nodes[p].Field == "type":
			types = append(types, w.typeText(p))
		}
	}
	return types
}

func csVariables(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if s.local {
			return
		}
		list := w.all(n, "variable_declaration")
		if len(list) != 1 {
			return
		}
		variables := w.all(list[0], "variable_declarator")
		for _, v := range variables {
			w.define(v, w.one(n, s, len(variables) > 1), kind, w.nameOf(v))
		}
	}
}
