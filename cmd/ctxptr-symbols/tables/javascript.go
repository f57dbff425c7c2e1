package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// javaScript is the table of JavaScript with JSX.
func javaScript() *Language { return withJSX(ecmaScript()) }

func withJSX(l *Language) *Language {
	l.opaque = append(l.opaque, "jsx_element", "jsx_self_closing_element")
	return l
}

// ecmaScript is what JavaScript and TypeScript share.
func ecmaScript() *Language {
	rules := map[string]rule{
		"class_declaration":              simple("class", "body"),
		"class":                          simple("class", "body"),
		"function_declaration":           function("function"),
		"generator_function_declaration": function("function"),
		"lexical_declaration":            jsVariables,
		"variable_declaration":           jsVariables,
		"using_declaration":              jsVariables,
		"export_statement":               jsExport,
		"field_definition":               ended(jsField),
		"method_definition":              jsMethod,
		"pair":                           jsPair,
		"expression_statement":           jsExpression,
	}
	same(rules, loose, `if_statement else_clause for_statement for_in_statement while_statement do_statement
		try_statement catch_clause finally_clause with_statement labeled_statement switch_statement switch_body
		switch_case switch_default`)
	rules["statement_block"] = pass
	ignore(rules, `hash_bang_line import_statement empty_statement return_statement throw_statement break_statement
		continue_statement debugger_statement class_static_block html_comment`)
	return &Language{rules: rules, opaque: []string{
		"arguments", "array", "binary_expression", "unary_expression", "string", "template_string", "regex",
		"subscript_expression", "new_expression", "ternary_expression",
		"return_statement", "import_statement", "export_clause", "update_expression", "throw_statement",
	}}
}

// jsExport gives what is exported the extent of the export statement. A default
// export without a name is called default.
func jsExport(w *walker, n ID, s scope) {
	unnamed := w.jsUnnamed(n)
	if unnamed == None {
		wrap(w, n, s)
		return
	}
	if inner, ok := w.define(n, s, "export", "default"); ok {
		w.jsValue(unnamed, inner)
	}
}

// jsUnnamed returns the value or declaration without a name that an export
// statement exports as the default, or None.
func (w *walker) jsUnnamed(n ID) ID {
	if value := w.field(n, "value"); value != None && w.nameOf(value) == "" {
		return value
	}
	d := w.field(n, "declaration")
	if d != None && w.nameOf(d) == "" && w.kind(n, "default") != None && !w.is(d, "lexical_declaration") {
		return d
	}
	return None
}

// jsVariables defines what a statement declares. Inside a function only
// functions and classes count.
func jsVariables(w *walker, n ID, s scope) {
	list := w.all(n, "variable_declarator")
	for _, d := range list {
		value := w.field(d, "value")
		if s.local && !w.isJSFunction(value) {
			continue
		}
		w.jsPattern(w.field(d, "name"), d, w.one(n, s, len(list) > 1), value)
	}
}

// jsPattern defines the names that a declarator binds; those that share it all
// have its extent.
func (w *walker) jsPattern(name, declarator ID, s scope, value ID) {
	if w.is(name, "identifier") {
		if inner, ok := w.define(declarator, s, w.jsKind(value), w.text(name)); ok {
			w.jsOverload(value)
			w.jsValue(value, inner)
		}
		return
	}
	for _, bound := range w.jsBound(name, 0) {
		w.define(declarator, s, "variable", w.text(bound))
	}
}

// jsBound returns the identifiers that a pattern binds.
func (w *walker) jsBound(pattern ID, depth int) []ID {
	var out []ID
	if pattern == None || depth > maxPath {
		return nil
	}
	for _, c := range w.named(pattern) {
		switch {
		case w.Nodes[c].Field == "key" || w.Nodes[c].Field == "right":
		case w.is(c, "identifier", "shorthand_property_identifier_pattern"):
			out = append(out, c)
		case w.is(c, "object_pattern", "array_pattern", "pair_pattern", "rest_pattern", "assignment_pattern", "object_assignment_pattern"):
			out = append(out, w.jsBound(c, depth+1)...)
		}
	}
	return out
}

func (w *walker) jsKind(value ID) string {
	switch value = w.jsBare(value); {
	case w.is(value, "class"):
		return "class"
	case w.isJSFunction(value):
		return "function"
	}
	return "variable"
}

func (w *walker) isJSFunction(n ID) bool {
	return w.is(w.jsBare(n), "function_expression", "generator_function", "arrow_function", "class")
}

// jsBare takes parentheses and type assertions off an expression.
func (w *walker) jsBare(n ID) ID {
	for w.is(n, "parenthesized_expression", "as_expression", "satisfies_expression") {
		inner := w.named(n)
		if len(inner) == 0 {
			return None
		}
		n = inner[0]
	}
	return n
}

// jsValue applies the rules to what stands in a value: members of a class or an
// object, functions inside a function.
func (w *walker) jsValue(value ID, inner scope) {
	switch value = w.jsBare(value); {
	case w.is(value, "object"):
		inner.local, inner.closed = false, false
		w.children(value, inner)
	case w.is(value, "class", "class_declaration", "abstract_class_declaration"):
		w.members(value, inner, "body")
	case value != None:
		w.bodyOfFunction(value, inner)
	}
}

// jsField is the rule of a class field.
func jsField(w *walker, n ID, s scope) {
	name := w.field(n, "property")
	if name == None {
		name = w.field(n, "name")
	}
	w.jsProperty(n, s, name)
}

func jsMethod(w *walker, n ID, s scope) {
	if inner, ok := w.define(n, s, "method", w.jsName(w.field(n, "name"))); ok {
		w.jsOverload(n)
		w.bodyOfFunction(n, inner)
	}
}

func jsPair(w *walker, n ID, s scope) { w.jsProperty(n, s, w.field(n, "key")) }

// jsProperty defines a field of a class or an object, and what is in its value.
func (w *walker) jsProperty(n ID, s scope, name ID) {
	value := w.field(n, "value")
	if inner, ok := w.define(n, s, "property", w.jsName(name)); ok {
		w.jsOverload(value)
		w.jsValue(value, inner)
	}
}

// jsName returns the name of a member: that of a quoted one is what the string
// says, that of a computed one its source.
func (w *walker) jsName(n ID) string {
	if w.is(n, "string") {
		return w.stringText(n)
	}
	return symbols.Squeeze(w.code(n))
}

// jsExpression looks for what is no expression though the grammar takes it for
// one.
func jsExpression(w *walker, n ID, s scope) {
	first := w.Nodes[n].First
	if w.is(first, "internal_module") {
		w.apply(first, s)
		return
	}
	if w.is(first, "await_expression") {
		first = w.find(first, func(c *Node) bool { return c.Named })
	}
	if w.is(first, "assignment_expression") && w.kind(first, "using") != None {
		w.gap(n)
	}
}

// jsOverload records the parameter types of a TypeScript function.
func (w *walker) jsOverload(fn ID) {
	if fn = w.jsBare(fn); fn == None || w.lang.name != symbols.TypeScript {
		return
	}
	params := w.field(fn, "parameters")
	if params == None {
		return
	}
	var types []string
	for _, p := range w.all(params, "required_parameter", "optional_parameter") {
		t := strings.TrimPrefix(w.typeText(w.field(p, "type")), ":")
		if t == "" {
			t = "any"
		}
		if w.is(w.field(p, "pattern"), "rest_pattern") {
			t = "..." + t
		}
		types = append(types, t)
	}
	w.overload(types)
}
