package selector

import (
	"strings"
	"unicode"
)

// suspects is what a document with syntax errors may define besides what its
// outline says.
type suspects struct {
	words  map[string]bool         // that stand in parts that were not understood
	broken map[string]*brokenTwins // definitions with an unproven path, by their last name
}

// brokenTwins are definitions of one name whose paths are not to be trusted.
type brokenTwins struct {
	least, most int          // how many names their paths have
	paths       map[int]bool // by number
}

func (o *definitions) suspectsOf(d *Document) *suspects {
	if o.suspects != nil {
		return o.suspects
	}
	s := &suspects{words: make(map[string]bool), broken: make(map[string]*brokenTwins)}
	read := 0
	for _, e := range o.Errors { // in order; one may hold another
		if from := max(read, e.From); from < e.To {
			addWords(s.words, d.data[from:e.To])
			read = e.To
		}
	}
	for i := range o.Defs {
		if o.Defs[i].Broken >= 0 {
			s.add(o.nameOf(i), o.depth[i], o.plain[i])
		}
	}
	o.suspects = s
	return s
}

func (s *suspects) add(name string, depth, path int) {
	t := s.broken[name]
	if t == nil {
		t = &brokenTwins{least: depth, most: depth, paths: make(map[int]bool)}
		s.broken[name] = t
	}
	t.least, t.most = min(t.least, depth), max(t.most, depth)
	t.paths[path] = true
}

// mentions reports whether name may stand in a part that was not understood: it
// has its first word there. A name without words is always suspect.
func (s *suspects) mentions(name string) bool {
	first := firstWord(name)
	return first == "" || s.words[first]
}

// defines reports whether a definition behind an error may have the path, of
// depth names, in truth: it has that path, or lost or gained names on the way.
func (s *suspects) defines(name string, depth, path int) bool {
	t := s.broken[name]
	return t != nil && (t.least != depth || t.most != depth || t.paths[path])
}

// addWords adds every word of text.
func addWords(words map[string]bool, text []byte) {
	for word := range strings.FieldsFuncSeq(string(text), isNoWord) {
		words[word] = true
	}
}

func firstWord(name string) string {
	for word := range strings.FieldsFuncSeq(name, isNoWord) {
		return word
	}
	return ""
}

func isNoWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
