package envelope

import (
	"bytes"
	"index/suffixarray"
)

// source is what excerpts are taken from.
type source struct {
	data     []byte
	excerpts []*node // their contents
}

// excerpts holds the derived excerpts of a packet against their sources.
func excerpts(c *check) {
	sources := map[string]*source{} // by their bytes
	var order []*source
	for _, e := range c.root.get("derived_context_excerpts").list() {
		from, content := e.get("source_context_pointer"), e.get("content")
		p, ok := c.standsAt(from)
		if !ok {
			continue
		}
		c.agrees(e.get("source_identity"), p.Identity().String(), "the excerpt states another identity than its source's pointer")
		c.agrees(e.get("freshness_rule"), p.Rules().String(), "the excerpt states other freshness rules than its source's pointer")
		data, ok := c.bytesAt(from)
		if !ok || content.str() == "" {
			continue
		}
		name := string(data) // however it is pointed at
		if sources[name] == nil {
			sources[name] = &source{data: data}
			order = append(order, sources[name])
		}
		sources[name].excerpts = append(sources[name].excerpts, content)
	}
	for _, s := range order {
		s.verbatim(c)
		s.cover(c)
	}
}

func (c *check) agrees(n *node, want, message string) {
	if n != nil && n.kind == '"' && n.text != want {
		c.addAt(n, ExcerptDisagrees, message)
	}
}

// verbatim notes every excerpt that is no part of the source's bytes.
func (s *source) verbatim(c *check) {
	contains := func(text []byte) bool { return bytes.Contains(s.data, text) }
	if len(s.excerpts) > indexFrom {
		index := suffixarray.New(s.data)
		contains = func(text []byte) bool { return len(index.Lookup(text, 1)) > 0 }
	}
	for _, n := range s.excerpts {
		if !contains([]byte(n.text)) {
			c.addAt(n, ExcerptNotVerbatim, "excerpt: not_verbatim: it is no part of its source, which wins")
		}
	}
}

// indexFrom is how many searches in one text are dearer than an index of it.
const indexFrom = 16

// cover notes that excerpts hold all of their source, white space folded. Each
// counts once, where it first stands.
func (s *source) cover(c *check) {
	all := fold(s.data)
	parts := map[string]bool{}
	length := 0
	for _, n := range s.excerpts {
		part := string(fold([]byte(n.text)))
		if !parts[part] {
			parts[part] = true
			length += len(part) + 1 // and the space behind it
		}
	}
	if length < len(all) || len(all) == 0 {
		return
	}
	covered := make([]bool, len(all))
	for part := range parts {
		if at := bytes.Index(all, []byte(part)); at >= 0 {
			for i := range part {
				covered[at+i] = true
			}
		}
	}
	for i, is := range covered {
		if !is && all[i] != ' ' {
			return
		}
	}
	last := s.excerpts[len(s.excerpts)-1]
	c.addAt(last, ExcerptCoversSource, "with this excerpt the whole of its source is copied")
}
