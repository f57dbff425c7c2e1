package envelope

import (
	"bytes"
	"index/suffixarray"

	"ctxptr/authority"
)

// source is what excerpts are taken from.
type source struct {
	data     []byte
	excerpts []*node // their contents
}

// excerpts holds the derived excerpts of a packet against their sources.
func excerpts(c *check) {
	g := sources{byPointer: map[string]*source{}, byDigest: map[authority.Identity]*source{}}
	for _, e := range c.root.get("derived_context_excerpts").list() {
		from, content := e.get("source_context_pointer"), e.get("content")
		p, ok := c.standsAt(from)
		if !ok {
			continue
		}
		c.agrees(e.get("source_identity"), p.Identity().String(), "the excerpt states another identity than its source's pointer")
		c.agrees(e.get("freshness_rule"), p.Rules().String(), "the excerpt states other freshness rules than its source's pointer")
		if data, ok := c.bytesAt(from); ok && content.str() != "" {
			s := g.of(p.String(), data)
			s.excerpts = append(s.excerpts, content)
		}
	}
	for _, s := range g.order {
		s.verbatim(c)
		s.cover(c)
	}
}

// sources are what the excerpts of one packet are taken from, each once, however it
// is pointed at.
type sources struct {
	byPointer map[string]*source
	byDigest  map[authority.Identity]*source
	order     []*source
}

// of returns the source that a pointer names, which has these bytes.
func (g *sources) of(pointer string, data []byte) *source {
	if s := g.byPointer[pointer]; s != nil {
		return s
	}
	id := authority.BLAKE3Sum(data)
	if g.byDigest[id] == nil {
		g.byDigest[id] = &source{data: data}
		g.order = append(g.order, g.byDigest[id])
	}
	g.byPointer[pointer] = g.byDigest[id]
	return g.byDigest[id]
}

func (c *check) agrees(n *node, want, message string) {
	if n != nil && n.kind == '"' && n.text != want {
		c.addAt(n, ExcerptDisagrees, message)
	}
}

// verbatim notes every excerpt that is no part of the source's bytes.
func (s *source) verbatim(c *check) {
	find := finder(s.data, len(s.excerpts))
	for _, n := range s.excerpts {
		if find([]byte(n.text)) < 0 {
			c.addAt(n, ExcerptNotVerbatim, "excerpt: not_verbatim: it is no part of its source, which wins")
		}
	}
}

// finder returns what finds where a part of a text stands, -1 for nowhere: the same
// place for the same part. It is made for so many searches.
func finder(text []byte, searches int) func(part []byte) int {
	const indexFrom = 16 // searches in one text that are dearer than an index of it
	if searches <= indexFrom {
		return func(part []byte) int { return bytes.Index(text, part) }
	}
	index := suffixarray.New(text)
	return func(part []byte) int {
		if found := index.Lookup(part, 1); len(found) > 0 {
			return found[0]
		}
		return -1
	}
}

// cover notes that excerpts hold all of their source, white space folded. Each
// counts once, in one place where it stands.
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
	find := finder(all, len(parts))
	covered := make([]bool, len(all))
	for part := range parts {
		if at := find([]byte(part)); at >= 0 {
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
