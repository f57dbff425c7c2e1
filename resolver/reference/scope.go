package reference

// scope is a piece of text in which a bare :12 continues the path that was
// named last: a paragraph, heading or table row of Markdown, a paragraph or list
// item of plain text, comment lines that follow one another, one value of YAML
// or JSON. In a list item of Markdown the text of the items around it comes
// before it, nearest first.
type scope struct {
	outer    *scope
	from, to int
	path     Target // the last that was named
	skip     Skip   // of the reference that named it
	stated   bool   // path had lines or a fragment, or was a link's
	end      int    // no other path stands between from and here
}

// lookBack is how far before a continuation a path without lines may stand.
const lookBack = 1 << 10

// enter begins a scope at from within outer; the one before is over.
func (f *finder) enter(outer *scope, from, to int) {
	f.scope = scope{outer: outer, from: from, to: to, end: from}
}

// named keeps the path that a reference ending at end names.
func (f *finder) named(r Reference, end int) {
	if t := r.Target; t.Path != "" {
		f.scope.path = Target{Base: t.Base, Path: t.Path, Web: t.Web, Revision: t.Revision}
		f.scope.skip, f.scope.stated, f.scope.end = r.Skip, true, end
	}
}

// antecedent returns a continuation, yet without lines, of the path named before
// at; stated is false when that had neither lines nor a fragment and was no link's.
// Without such a path the continuation has none.
func (f *finder) antecedent(at int) (r Reference, stated bool) {
	for s := &f.scope; s != nil; s = s.outer {
		if s.to < at {
			at = s.to
		}
		if word, ok := f.barePath(max(s.end, at-lookBack), at); ok {
			s.path, s.skip, s.stated = textTarget(word), skipOf(word), false
		}
		s.end = max(s.end, at)
		if s.path.Path != "" {
			return Reference{Form: Continuation, Skip: s.skip, Target: s.path}, s.stated
		}
	}
	return Reference{}, false
}

// barePath returns the last word of data[from:to] that is a path with a known
// extension.
func (f *finder) barePath(from, to int) (word string, ok bool) {
	for to > from {
		start := f.pathStart(from, to)
		word := trimWord(string(f.data[start:to]))
		if knownFile(word) && !hasHost(word) && !isPlaceholder(word) {
			return word, true
		}
		to = max(from, min(start, to-1))
	}
	return "", false
}
