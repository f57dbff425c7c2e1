package tables

import "ctxptr/authority/selector/symbols"

// ruby is the table of Ruby. Anything may stand where a statement may, so that
// no kind without a rule is a gap.
func ruby() *Language {
	rules := map[string]rule{
		"class":               rubyModule("class"),
		"module":              rubyModule("module"),
		"singleton_class":     rubySingletons,
		"method":              function("method"),
		"singleton_method":    rubySingleton,
		"assignment":          rubyAssignment,
		"operator_assignment": rubyAssignment,
		"call":                rubyCall,
	}
	same(rules, loose, `body_statement if unless elsif else then case when case_match in_clause while until for do begin
		rescue ensure if_modifier unless_modifier while_modifier until_modifier rescue_modifier
		parenthesized_statements block_body begin_block end_block`)
	return &Language{rules: rules, open: true, end: true, heredocs: true, opaque: []string{
		"string", "regex", "string_array", "symbol_array", "heredoc_body", "subshell", "method_parameters", "uninterpreted",
	}}
}

// rubyModule makes the rule of a class or module; "class A::B" has two names.
func rubyModule(kind string) rule {
	return func(w *walker, n ID, s scope) {
		inner, ok := w.define(n, s, kind, w.rubyNames(w.field(n, "name"))...)
		if !ok {
			return
		}
		inner.local, inner.closed = false, false
		w.bodies(n, inner, []string{"body"})
	}
}

// rubyNames returns the names of a constant, qualified ones apart.
func (w *walker) rubyNames(n ID) []string {
	var names []string
	for steps := 0; w.is(n, "scope_resolution") && steps < maxPath; steps++ {
		names = append([]string{w.nameOf(n)}, names...)
		if n = w.field(n, "scope"); n == None {
			return names
		}
	}
	return append([]string{w.text(n)}, names...)
}

// rubySingletons gives what stands in "class << self" the name self.
func rubySingletons(w *walker, n ID, s scope) {
	s.prefix = append(s.prefix[:len(s.prefix):len(s.prefix)], symbols.Squeeze(w.code(w.field(n, "value"))))
	s.whole, s.local, s.closed = symbols.Span{}, false, false
	w.bodies(n, s, []string{"body"})
}

func rubySingleton(w *walker, n ID, s scope) {
	of := symbols.Squeeze(w.code(w.field(n, "object")))
	if inner, ok := w.define(n, s, "method", of, w.nameOf(n)); ok {
		w.bodyOfFunction(n, inner)
	}
}

// rubyAssignment defines constants, global and class variables. The block of a
// class made by a call, as in "P = Struct.new(:x) do", has its members.
func rubyAssignment(w *walker, n ID, s scope) {
	left := w.field(n, "left")
	if w.is(left, "left_assignment_list") {
		for _, c := range w.named(left) {
			w.rubyTarget(c, n, s)
		}
		return
	}
	inner, ok := w.rubyTarget(left, n, s)
	right := w.field(n, "right")
	if m := w.text(w.field(right, "method")); !ok || !w.is(right, "call") || m != "new" && m != "define" {
		return
	}
	block := w.field(right, "block")
	inner.local, inner.closed = false, false
	if body := w.field(block, "body"); body != None {
		w.children(body, inner)
	}
}

func (w *walker) rubyTarget(target, statement ID, s scope) (scope, bool) {
	switch {
	case s.local:
	case w.is(target, "constant"):
		return w.define(statement, s, "constant", w.text(target))
	case w.is(target, "scope_resolution"):
		return w.define(statement, s, "constant", w.rubyNames(target)...)
	case w.is(target, "global_variable", "class_variable"):
		return w.define(statement, s, "variable", w.text(target))
	}
	return s, false
}

// rubyCall gives a method that a call takes for its argument, as in "private
// def m", the extent of the call.
func rubyCall(w *walker, n ID, s scope) {
	args := w.named(w.field(n, "arguments"))
	if len(args) != 1 || w.field(n, "receiver") != None || !w.is(args[0], "method", "singleton_method", "call") {
		return
	}
	s.whole = w.extent(n, s)
	w.apply(args[0], s)
}
