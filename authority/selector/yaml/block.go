package yaml

import "unicode/utf8"

// keyLength is how many characters an implicit key may have (section 7.4.2).
const keyLength = 1024

// block says where a block node stands.
type block struct {
	n       int  // indentation of the parent, -1 for a document
	seq     int  // least indentation of a block sequence: n under a mapping, else n+1
	compact bool // a block collection may begin on the indicator's line
}

// pending is a node whose content has not been read yet.
type pending struct {
	block
	from  int        // offset of the node
	outer properties // properties on a line above the content
	inner properties // properties on the content's line, which may be a key's
	start int        // offset of the content's line part: inner, else the content
	index int        // index of the first node to be added
	may   bool       // a block collection may begin here
}

// blockNode parses s-l+block-node [196] or nothing, which is an empty node.
func (p *parser) blockNode(b block) {
	p.gap()
	if p.outside(b) {
		p.empty()
		return
	}
	d := pending{block: b, from: p.i, index: len(p.file.Nodes), start: p.i, may: p.mayBegin(b.compact)}
	for p.atProperties() {
		bol := p.bol
		pr := p.properties()
		p.gap()
		if p.bol == bol {
			d.inner = pr
			break
		}
		d.outer = p.merge(d.outer, pr)
		d.start, d.may = p.i, p.mayBegin(false)
		if p.outside(b) {
			break
		}
	}
	if p.outside(b) {
		p.emptyWith(p.merge(d.outer, d.inner))
		return
	}
	p.content(d)
}

// mayBegin reports whether a block collection may begin here.
func (p *parser) mayBegin(compact bool) bool { return (compact || p.fresh()) && !p.tabbed }

// outside reports whether what stands here does not belong to a node of b.
func (p *parser) outside(b block) bool {
	if p.eof() || p.marker() {
		return true
	}
	if !p.fresh() || p.indent > b.n {
		return false
	}
	return p.indent < b.seq || !p.indicator('-')
}

// content parses what stands behind a node's properties.
func (p *parser) content(d pending) {
	switch {
	case p.indicator('-') && d.may && !d.inner.given:
		p.blockSequence(d)
	case p.indicator('?') && d.may && !d.inner.given, p.indicator(':') && d.may:
		p.blockMapping(d, false)
	case p.at(0) == '|' || p.at(0) == '>':
		p.blockScalar(d)
	default:
		p.flowOrKey(d)
	}
}

// column returns the indentation that a collection beginning at offset has.
func (p *parser) column(offset int) int { return offset - p.bol }

// flowOrKey parses a flow node, which is the node itself or the first key of a
// block mapping.
func (p *parser) flowOrKey(d pending) {
	bol := p.bol
	p.flowNode(d.n+1, false, d.inner)
	if p.keyEnds(d.start, bol) {
		if !d.may {
			p.fail(d.start, "has a block mapping where none may begin")
		}
		p.blockMapping(d, true)
		return
	}
	if d.outer.given {
		n := &p.file.Nodes[d.index]
		if n.Kind == Alias {
			p.fail(d.outer.from, "has an alias with properties")
		}
		n.From, n.Props = int32(d.from), p.merge(d.outer, d.inner).index
	}
}

// keyEnds reports whether the node read from offset start is an implicit key: a
// ':' with space behind it follows. It skips the white space between.
func (p *parser) keyEnds(start, bol int) bool {
	end := p.i
	p.white()
	if !p.indicator(':') {
		p.i = end
		return false
	}
	if p.bol != bol {
		p.fail(p.i, "has a key of several lines")
	}
	p.checkKeyLength(start, end)
	return true
}

func (p *parser) checkKeyLength(start, end int) {
	if end-start > keyLength && utf8.RuneCount(p.src[start:end]) > keyLength {
		p.fail(start, "has an implicit key of more than 1024 characters")
	}
}

// blockSequence parses l+block-sequence [183].
func (p *parser) blockSequence(d pending) {
	m := p.column(d.start)
	p.insert(d.index, Node{Kind: Sequence, From: int32(d.from), Props: d.outer.index})
	for p.indicator('-') {
		p.take(1)
		p.blockNode(block{n: m, seq: m + 1, compact: true})
		if !p.nextEntry(m) {
			break
		}
	}
	p.close()
}

// nextEntry goes to the next content and reports whether it stands at column m.
func (p *parser) nextEntry(m int) bool {
	p.gap()
	switch {
	case p.eof() || p.marker():
		return false
	case !p.fresh():
		p.fail(p.i, "has content that belongs to no node")
	case p.indent > m:
		p.fail(p.i, "has a line indented like no collection")
	case p.indent == m && p.tabbed:
		p.fail(p.i, "has a tab in its indentation")
	}
	return p.indent == m
}

// blockMapping parses l+block-mapping [187]. hasKey says that the first key is
// read and stands in the nodes from d.index on.
func (p *parser) blockMapping(d pending, hasKey bool) {
	m := p.column(d.start)
	p.insert(d.index, Node{Kind: Mapping, From: int32(d.from), Props: d.outer.index})
	if !hasKey && d.inner.given {
		p.emptyWith(d.inner)
		hasKey = true
	}
	for {
		switch {
		case hasKey:
			p.implicitValue(m)
		case p.indicator('?'):
			p.explicitEntry(m)
		default:
			p.implicitKey(m)
			p.implicitValue(m)
		}
		hasKey = false
		if !p.nextEntry(m) {
			break
		}
		if p.indicator('-') {
			p.fail(p.i, "has a sequence entry in a mapping")
		}
	}
	p.close()
}

// implicitValue parses c-l-block-map-implicit-value [194].
func (p *parser) implicitValue(m int) {
	p.take(1)
	p.blockNode(block{n: m, seq: m})
}

// explicitEntry parses c-l-block-map-explicit-entry [189].
func (p *parser) explicitEntry(m int) {
	p.take(1)
	p.blockNode(block{n: m, seq: m, compact: true})
	p.gap()
	if p.fresh() && p.indent == m && !p.tabbed && p.indicator(':') {
		p.take(1)
		p.blockNode(block{n: m, seq: m, compact: true})
		return
	}
	p.empty()
}

// implicitKey parses a key up to its ':'.
func (p *parser) implicitKey(m int) {
	start, bol := p.i, p.bol
	var pr properties
	if p.atProperties() {
		pr = p.properties()
		p.white()
	}
	if p.indicator(':') {
		if !pr.given {
			p.end = p.i
		}
		p.emptyWith(pr)
		return
	}
	p.flowNode(m+1, false, pr)
	if !p.keyEnds(start, bol) {
		p.fail(start, "has a line in a mapping that is no key")
	}
}
