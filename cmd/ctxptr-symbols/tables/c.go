package tables

import (
	"strings"

	"ctxptr/authority/selector/symbols"
)

// c is the table of C. A declaration counts as the definition does: a prototype
// and its function are twins.
func c() *Language { return &Language{rules: cRules(), opaque: cOpaque()} }

func cRules() map[string]rule {
	rules := map[string]rule{
		"function_definition":   cFunction,
		"declaration":           cDeclaration,
		"field_declaration":     cDeclaration,
		"type_definition":       cTypedef,
		"struct_specifier":      ended(cType("struct")),
		"union_specifier":       ended(cType("union")),
		"enum_specifier":        ended(cType("enum")),
		"enumerator":            simple("enumerator"),
		"linkage_specification": cLinkage,
		"declaration_list":      pass,
		"preproc_def":           cMacro,
		"preproc_function_def":  cMacro,
		"preproc_if":            pass,
		"preproc_ifdef":         pass,
		"preproc_else":          pass,
		"preproc_elif":          pass,
		"preproc_elifdef":       pass,
	}
	same(rules, loose, `compound_statement if_statement else_clause switch_statement case_statement while_statement
		do_statement for_statement labeled_statement`)
	ignore(rules, `preproc_include preproc_call preproc_directive preproc_arg expression_statement attribute_specifier attribute_declaration
		return_statement`)
	return rules
}

func cOpaque() []string {
	return []string{
		"argument_list", "binary_expression", "call_expression", "assignment_expression", "string_literal",
		"initializer_list", "expression_statement", "return_statement", "parenthesized_expression", "field_expression",
		"preproc_params", "preproc_include", "preproc_call", "concatenated_string", "gnu_asm_expression",
	}
}

func cMacro(w *walker, n ID, s scope) {
	if !s.local {
		w.define(n, s, "macro", w.nameOf(n))
	}
}

// cLinkage passes through extern "C"; one with a single declaration has the
// extent of the whole.
func cLinkage(w *walker, n ID, s scope) {
	if body := w.field(n, "body"); w.is(body, "declaration_list") {
		pass(w, body, s)
		return
	}
	wrap(w, n, s)
}

// cType makes the rule of a struct, union or enum that stands by itself.
func cType(kind string) rule {
	return func(w *walker, n ID, s scope) { w.cTypeAt(n, s, kind, "") }
}

// cTypeAt defines a type that has a body or stands by itself. Without a name of
// its own, or with that of the typedef around it, only its members count.
func (w *walker) cTypeAt(n ID, s scope, kind, typedef string) {
	name := w.field(n, "name")
	inner := s
	inner.whole = symbols.Span{}
	if name != None && w.text(name) != typedef {
		var ok bool
		if inner, ok = w.define(n, s, kind, w.cNames(name)...); !ok {
			return
		}
	}
	inner.ended = false
	w.members(n, inner, "body")
}

// cTypeOf defines the type that a declaration defines on the way.
func (w *walker) cTypeOf(n ID, s scope, typedef string) {
	of := w.field(n, "type")
	if !w.is(of, "struct_specifier", "union_specifier", "enum_specifier", "class_specifier") || w.field(of, "body") == None {
		return
	}
	s.whole, s.ended = symbols.Span{}, false
	w.cTypeAt(of, s, strings.TrimSuffix(w.Nodes[of].Kind, "_specifier"), typedef)
}

// anonymousOf returns the body of the type without a name that a declaration
// defines on the way, or None.
func (w *walker) anonymousOf(n ID) ID {
	of := w.field(n, "type")
	if w.is(of, "struct_specifier", "union_specifier", "class_specifier") && w.field(of, "name") == None {
		return w.field(of, "body")
	}
	return None
}

// cFunction defines a function that has a body, or is defaulted or deleted.
func cFunction(w *walker, n ID, s scope) {
	declarator := w.field(n, "declarator")
	name, params := w.cDeclared(declarator)
	if params == None {
		w.gap(n) // another language, or a macro
		return
	}
	inner, ok := w.define(n, s, "function", w.cNames(name)...)
	if !ok {
		return
	}
	w.cOverload(params)
	w.bodyOfFunction(n, inner)
}

// cDeclaration defines what a declaration declares, and the type that it
// defines on the way.
func cDeclaration(w *walker, n ID, s scope) {
	if s.local {
		return
	}
	list := w.inField(n, "declarator")
	body := w.anonymousOf(n)
	if body == None || len(list) == 0 {
		w.cTypeOf(n, s, "")
		body = None
	}
	if len(list) > 1 {
		body = None // no one of several has the members
	}
	for _, d := range list {
		at := w.extent(n, s)
		if len(list) > 1 {
			at = symbols.Span{From: w.Nodes[d].From, To: w.endOfDeclarator(d)}
		}
		w.cDeclarator(n, d, at, s, body)
	}
}

// cDeclarator defines what one declarator of a declaration at n declares, with
// the members of the type without a name that the declaration has.
func (w *walker) cDeclarator(n, d ID, at symbols.Span, s scope, body ID) {
	for _, name := range w.cBindings(d) {
		w.defineAt(at, n, s, "variable", w.text(name))
	}
	name, params := w.cDeclared(d)
	kind := "variable"
	if params != None {
		kind = "function"
	} else if w.is(n, "field_declaration") {
		kind = "field"
	}
	inner, ok := w.defineAt(at, d, s, kind, w.cNames(name)...)
	if !ok {
		return
	}
	w.cOverload(params)
	if body != None {
		inner.closed = true
		w.children(body, inner)
	}
}

// inField returns the children of n in a field.
func (w *walker) inField(n ID, field string) []ID {
	var out []ID
	for c := w.first(n); c != None; c = w.Nodes[c].Next {
		if w.Nodes[c].Field == field {
			out = append(out, c)
		}
	}
	return out
}

// cBindings returns the names that a structured binding, "auto [a, b] = c",
// declares, nil for another declarator.
func (w *walker) cBindings(d ID) []ID {
	if w.is(d, "init_declarator") {
		d = w.field(d, "declarator")
	}
	for w.is(d, "reference_declarator") {
		d = w.declaratorIn(d)
	}
	if !w.is(d, "structured_binding_declarator") {
		return nil
	}
	return w.all(d, "identifier")
}

// endOfDeclarator returns the end of a declarator with its width or value.
func (w *walker) endOfDeclarator(d ID) int {
	to := w.Nodes[d].To
	for d = w.Nodes[d].Next; d != None && !w.is(d, ",", ";"); d = w.Nodes[d].Next {
		if !strings.HasSuffix(w.Nodes[d].Kind, "comment") {
			to = w.Nodes[d].To
		}
	}
	return to
}

// cTypedef defines the names of a typedef, the first of which has the members
// of an anonymous type.
func cTypedef(w *walker, n ID, s scope) {
	if s.local {
		return
	}
	list := w.inField(n, "declarator")
	own := w.nameOf(w.field(n, "type"))
	body := w.field(w.field(n, "type"), "body")
	for i, d := range list {
		name, _ := w.cDeclared(d)
		inner, ok := w.define(d, w.one(n, s, len(list) > 1), "type", w.cNames(name)...)
		if ok && i == 0 && body != None && (own == "" || own == w.text(name)) {
			inner.closed = true
			w.children(body, inner)
			body = None
		}
	}
	if body != None {
		w.cTypeOf(n, s, "")
	}
}

// cDeclared returns the name inside a declarator and the parameter list where
// it declares a function, rather than a pointer to one.
func (w *walker) cDeclared(d ID) (name, params ID) {
	params = None
	pointer := false
	for steps := 0; d != None && steps < MaxDepth; steps++ {
		switch {
		case w.is(d, "function_declarator", "abstract_function_declarator"):
			if params == None {
				params = w.field(d, "parameters")
			}
			pointer = false
		case w.is(d, "parenthesized_declarator"):
			pointer = true
		case w.is(d, "pointer_declarator", "array_declarator", "reference_declarator") && pointer:
			params = None
		case w.is(d, "operator_cast"):
			_, params = w.cDeclared(w.field(d, "declarator"))
			return d, params
		}
		if w.is(d, "structured_binding_declarator") {
			return None, None
		}
		if !strings.HasSuffix(w.Nodes[d].Kind, "declarator") {
			return d, params
		}
		next := w.field(d, "declarator")
		if next == None {
			next = w.declaratorIn(d)
		}
		d = next
	}
	return None, params
}

// declaratorIn returns the last named child of a declarator that has no field
// for what it declares.
func (w *walker) declaratorIn(d ID) ID {
	list := w.named(d)
	if len(list) == 0 {
		return None
	}
	for _, c := range list {
		if k := w.Nodes[c].Kind; strings.HasSuffix(k, "declarator") || strings.HasSuffix(k, "identifier") || k == "operator_name" || k == "destructor_name" {
			return c
		}
	}
	return list[len(list)-1]
}

// cNames returns the names of a declared entity, qualified ones apart and
// without template arguments.
func (w *walker) cNames(name ID) []string {
	var names []string
	for w.is(name, "qualified_identifier", "nested_namespace_specifier") {
		if w.is(name, "nested_namespace_specifier") {
			for _, c := range w.named(name) {
				names = append(names, w.cNames(c)...)
			}
			return names
		}
		if scope := w.field(name, "scope"); scope != None {
			names = append(names, w.cName(scope))
		}
		name = w.field(name, "name")
	}
	return append(names, w.cName(name))
}

func (w *walker) cName(n ID) string {
	switch {
	case w.is(n, "template_type", "template_function", "template_method"):
		return w.nameOf(n)
	case w.is(n, "operator_cast"):
		_, params := w.cDeclared(w.field(n, "declarator"))
		if params == None {
			return ""
		}
		return symbols.Squeeze(string(w.Source[w.Nodes[n].From:w.Nodes[params].From]))
	case w.is(n, "identifier", "field_identifier", "type_identifier", "namespace_identifier", "primitive_type"):
		return w.text(n)
	case w.is(n, "operator_name", "destructor_name"):
		return symbols.Squeeze(w.code(n))
	}
	return ""
}

// cOverload records the parameter types of a C++ function.
func (w *walker) cOverload(params ID) {
	if params == None || w.lang.name != symbols.CPP {
		return
	}
	var types []string
	for p := w.Nodes[params].First; p != None; p = w.Nodes[p].Next {
		switch {
		case w.is(p, "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"):
			types = append(types, w.cType(p))
		case w.is(p, "...", "variadic_parameter"):
			types = append(types, "...")
		}
	}
	if len(types) == 1 && types[0] == "void" {
		types = nil
	}
	w.overload(types)
}

// cType returns the type of a parameter: its source without name and default
// value.
func (w *walker) cType(p ID) string {
	node := w.Nodes[p]
	end := node.To
	if value := w.field(p, "default_value"); value != None {
		for end = w.Nodes[value].From; end > node.From && w.Source[end-1] != '='; end-- {
		}
		end = max(node.From, end-1)
	}
	name, _ := w.cDeclared(w.field(p, "declarator"))
	if !w.is(name, "identifier") {
		return symbols.DropSpace(string(w.Source[node.From:end]))
	}
	return symbols.DropSpace(string(w.Source[node.From:w.Nodes[name].From]) + string(w.Source[w.Nodes[name].To:end]))
}
