package selector

import (
	"cmp"
	"context"
	"slices"

	"ctxptr/authority/selector/symbols"
)

// definitions is the outline of a document with what looking up paths in it needs.
type definitions struct {
	symbols.Outline
	byName map[string][]int // definitions by their last name
	plain  []int            // per definition the number of its path without parameter types
	typed  []int            // per definition the number of its path with parameter types
	depth  []int            // per definition the number of names in its path
	uses   map[int]int      // how many definitions have a path, by its number

	suspects *suspects // of a document with syntax errors, made on first use
}

// sourceCache keeps the definitions of a document, or why there are none.
type sourceCache struct {
	defs *definitions
	err  error
}

// definitionsOf returns d's definitions, found once.
func (d *Document) definitionsOf(ctx context.Context) (*definitions, error) {
	c := &d.source
	if c.defs != nil || c.err != nil {
		return c.defs, c.err
	}
	parsed, err := parseSource(ctx, d)
	switch {
	case err == nil:
		c.defs = newDefinitions(parsed)
	case ctx.Err() != nil: // says nothing about the document
		return nil, err
	default:
		c.err = err
	}
	return c.defs, c.err
}

// parseSource checks that d is text and has its language's parser outline it.
func parseSource(ctx context.Context, d *Document) (symbols.Outline, error) {
	language := symbols.Of(d.path, d.data)
	if language == "" {
		return symbols.Outline{}, &Error{Fault: Unsupported, Proof: "no language is known for a file of this name: symbols need one"}
	}
	if len(d.data) > symbols.MaxSource {
		return symbols.Outline{}, &Error{Fault: OverLimit, Proof: "the file is larger than the 16 MiB that are parsed for symbols"}
	}
	if at := symbols.NotText(d.data); at >= 0 {
		return symbols.Outline{}, &Error{Fault: BadContent, Offset: at, Proof: "the file is no source code: it has a NUL byte or is not UTF-8"}
	}
	switch language {
	case symbols.Go:
		return outlineGo(d.data), nil
	case symbols.Swift:
		return symbols.Outline{}, &Error{Fault: Unsupported, Proof: "no installation can parse swift"}
	}
	s, done := sessionOf(ctx)
	defer done()
	return s.outline(ctx, language, d.data)
}

// newDefinitions prepares o for look-ups, in time linear in its definitions.
func newDefinitions(o symbols.Outline) *definitions {
	slices.SortFunc(o.Errors, func(a, b symbols.Span) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	x := &definitions{
		Outline: o,
		byName:  make(map[string][]int, len(o.Defs)),
		plain:   make([]int, len(o.Defs)),
		typed:   make([]int, len(o.Defs)),
		depth:   make([]int, len(o.Defs)),
		uses:    make(map[int]int, len(o.Defs)),
	}
	numbers := make(pathNumbers, len(o.Defs))
	for i := range o.Defs {
		x.number(i, numbers)
		x.byName[x.nameOf(i)] = append(x.byName[x.nameOf(i)], i)
	}
	return x
}

// pathNumbers numbers paths: that of a path and one more name give the next.
type pathNumbers map[pathStep]int

type pathStep struct {
	from int
	seg  segment
}

func (p pathNumbers) step(from int, seg segment) int {
	n, known := p[pathStep{from, seg}]
	if !known {
		n = len(p) + 1
		p[pathStep{from, seg}] = n
	}
	return n
}

// number gives definition i the numbers of its path without and with parameter
// types.
func (o *definitions) number(i int, numbers pathNumbers) {
	def := &o.Defs[i]
	plain, typed, depth := 0, 0, len(def.Names)
	if p := def.Parent; p >= 0 {
		plain, typed, depth = o.plain[p], o.typed[p], depth+o.depth[p]
	}
	for j, name := range def.Names {
		plain = numbers.step(plain, segment{name: name})
		typed = numbers.step(typed, o.segment(i, j))
	}
	o.plain[i], o.typed[i], o.depth[i] = plain, typed, depth
	o.uses[plain]++
	if typed != plain {
		o.uses[typed]++
	}
}

// segment returns name number j of definition i, the last one with its
// parameter types where it has some.
func (o *definitions) segment(i, j int) segment {
	def := &o.Defs[i]
	seg := segment{name: def.Names[j]}
	if def.Overloads && j == len(def.Names)-1 {
		seg.typed, seg.params = true, def.Params
	}
	return seg
}

func (o *definitions) nameOf(i int) string { return o.Defs[i].Names[len(o.Defs[i].Names)-1] }

func (o *definitions) rangeOf(i int, doc bool) Range {
	def := &o.Defs[i]
	if doc {
		return Range{def.Doc, def.To}
	}
	return Range{def.From, def.To}
}

// lookup returns the definitions at path, in document order.
func (o *definitions) lookup(path []segment) []int {
	var found []int
	for _, i := range o.byName[path[len(path)-1].name] {
		if rest, ok := o.match(i, path); ok && rest == 0 {
			found = append(found, i)
		}
	}
	return found
}

// match compares the path of definition i with path from their ends. It returns
// how many names of path are left when the root is reached.
func (o *definitions) match(i int, path []segment) (left int, ok bool) {
	left = len(path)
	for ; i >= 0; i = o.Defs[i].Parent {
		for j := len(o.Defs[i].Names) - 1; j >= 0; j-- {
			if left == 0 || !path[left-1].names(o.segment(i, j)) {
				return left, false
			}
			left--
		}
	}
	return left, true
}

// names reports whether a selector's segment fits a definition's.
func (s segment) names(def segment) bool {
	return s.name == def.name && (!s.typed || def.typed && s.params == def.params)
}

// alone returns the shortest path that names definition i and no other, nil
// where there is none.
func (o *definitions) alone(i int) []segment {
	if o.uses[o.plain[i]] == 1 {
		return o.path(i, false)
	}
	if o.typed[i] == o.plain[i] || o.uses[o.typed[i]] > 1 {
		return nil
	}
	path := o.path(i, true)
	if again, err := parsePath(formatPath(path)); err != nil || !slices.Equal(again, path) {
		return nil
	}
	return path
}

// path returns the path of definition i from the root.
func (o *definitions) path(i int, typed bool) []segment {
	var path []segment
	for ; i >= 0; i = o.Defs[i].Parent {
		for j := len(o.Defs[i].Names) - 1; j >= 0; j-- {
			seg := o.segment(i, j)
			if !typed {
				seg = segment{name: seg.name}
			}
			path = append(path, seg)
		}
	}
	slices.Reverse(path)
	return path
}
