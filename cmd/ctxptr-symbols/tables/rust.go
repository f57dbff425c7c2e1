package tables

import "ctxptr/authority/selector/symbols"

// rust is the table of Rust.
func rust() *Language {
	rules := map[string]rule{
		"struct_item":             simple("struct", "field_declaration_list"),
		"union_item":              simple("union", "body"),
		"enum_item":               simple("enum", "body"),
		"enum_variant":            simple("variant", "field_declaration_list"),
		"field_declaration":       simple("field"),
		"trait_item":              simple("trait", "body"),
		"mod_item":                simple("module", "body"),
		"function_item":           function("function"),
		"function_signature_item": simple("function"),
		"const_item":              rustValue("constant"),
		"static_item":             rustValue("static"),
		"type_item":               simple("type"),
		"associated_type":         simple("type"),
		"macro_definition":        simple("macro"),
		"impl_item":               rustImpl,
		"foreign_mod_item":        rustForeign,
	}
	same(rules, loose, `expression_statement block if_expression else_clause match_expression match_block match_arm
		loop_expression while_expression for_expression unsafe_block`)
	ignore(rules, `inner_attribute_item use_declaration extern_crate_declaration macro_invocation empty_statement
		let_declaration shebang visibility_modifier`)
	return &Language{rules: rules, inner: []string{"//!", "/*!"}, opaque: []string{
		"token_tree", "arguments", "let_declaration", "use_declaration", "macro_rule", "attribute", "string_literal",
		"binary_expression", "struct_expression", "array_expression", "where_clause", "return_expression", "parameters",
	}}
}

// rustValue is simple, but for locals, which have no path, and for "_".
func rustValue(kind string) rule {
	return func(w *walker, n ID, s scope) {
		if name := w.nameOf(n); !s.local && name != "_" {
			w.define(n, s, kind, name)
		}
	}
}

// rustImpl defines an implementation of a trait, "<S as Trait>"; what stands in
// an inherent one belongs to the type's name, which is defined elsewhere.
func rustImpl(w *walker, n ID, s scope) {
	trait, of := w.field(n, "trait"), w.field(n, "type")
	if trait == None {
		s.prefix = append(s.prefix[:len(s.prefix):len(s.prefix)], w.rustType(of))
		w.members(n, s, "body")
		return
	}
	not := ""
	if w.kind(n, "!") != None {
		not = "!"
	}
	name := symbols.Squeeze("<" + w.code(of) + " as " + not + w.code(trait) + ">")
	if inner, ok := w.define(n, s, "impl", name); ok {
		w.members(n, inner, "body")
	}
}

// rustType returns the name of a type without path and arguments, or the source
// of one that has no name.
func (w *walker) rustType(n ID) string {
	for of := n; of != None; {
		switch {
		case w.is(of, "type_identifier"):
			return w.text(of)
		case w.is(of, "generic_type"):
			of = w.field(of, "type")
		case w.is(of, "scoped_type_identifier"):
			of = w.field(of, "name")
		default:
			of = None
		}
	}
	return symbols.Squeeze(w.code(n))
}

func rustForeign(w *walker, n ID, s scope) {
	s.whole = symbols.Span{}
	w.members(n, s, "body")
}
