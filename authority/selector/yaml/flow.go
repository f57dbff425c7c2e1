package yaml

// flowNode parses the content of a flow node behind its properties: an alias, a
// scalar or a flow collection. n is the least indentation of further lines. It
// reports whether the node is JSON-like, so that ':' may follow at once.
func (p *parser) flowNode(n int, inFlow bool, pr properties) (jsonLike bool) {
	node := Node{From: int32(p.i), Props: pr.index}
	if pr.given {
		node.From = int32(pr.from)
	}
	switch c := p.at(0); {
	case c == '*':
		p.alias(node, pr)
		return false
	case c == '"':
		node.Style, node.Value = DoubleQuoted, p.doubleQuoted(n)
	case c == '\'':
		node.Style, node.Value = SingleQuoted, p.singleQuoted(n)
	case c == '[':
		p.flowSequence(n, node)
		return true
	case c == '{':
		p.flowMapping(n, node)
		return true
	case p.plainBegins(inFlow):
		node.Value = p.plain(n, inFlow)
	default:
		p.fail(p.i, "has a character that begins no node")
	}
	node.To = int32(p.end)
	p.add(node)
	return node.Style != Plain
}

func (p *parser) alias(node Node, pr properties) {
	if pr.given {
		p.fail(pr.from, "has an alias with properties")
	}
	p.i++
	node.Kind, node.Value = Alias, p.anchorName()
	if !p.anchors[node.Value] {
		p.fail(int(node.From), "has an alias to an anchor that is not defined before it")
	}
	p.end = p.i
	node.To = int32(p.end)
	p.add(node)
}

// flowGap skips to the next content of a flow collection, whose lines are
// indented by at least n spaces. Its closing bracket may stand anywhere.
func (p *parser) flowGap(n int) {
	bol := p.bol
	p.gap()
	if p.eof() || p.bol == bol {
		return
	}
	if c := p.src[p.i]; p.marker() || p.indent < n && c != ']' && c != '}' {
		p.fail(p.i, "has a flow collection that is indented too little")
	}
}

// flowSequence parses c-flow-sequence [137].
func (p *parser) flowSequence(n int, node Node) {
	node.Kind = Sequence
	p.flowCollection(n, node, ']', p.flowSequenceEntry)
}

// flowMapping parses c-flow-mapping [140].
func (p *parser) flowMapping(n int, node Node) {
	node.Kind = Mapping
	p.flowCollection(n, node, '}', p.flowMappingEntry)
}

func (p *parser) flowCollection(n int, node Node, closing byte, entry func(n int)) {
	from := p.i
	p.add(node)
	p.i++
	p.flowGap(n)
	for !p.eof() && p.src[p.i] != closing {
		entry(n)
		p.flowGap(n)
		switch c := p.at(0); {
		case c == ',':
			p.i++
			p.flowGap(n)
		case c != closing && !p.eof():
			p.fail(p.i, "has a flow collection without a ',' between its entries")
		}
	}
	if p.eof() {
		p.fail(from, "has a flow collection that is not closed")
	}
	p.take(1)
	p.close()
}

// flowEnds reports whether an entry of a flow collection ends here.
func (p *parser) flowEnds() bool { c := p.at(0); return c == ',' || c == ']' || c == '}' }

// flowColon reports whether a ':' here is an indicator: what follows can't be
// part of a plain scalar, or the key is JSON-like.
func (p *parser) flowColon(jsonLike bool) bool {
	return p.at(0) == ':' && (jsonLike || !p.plainSafe(true))
}

// flowItem parses a node of a flow collection with its properties.
func (p *parser) flowItem(n int) (jsonLike bool) {
	var pr properties
	if p.atProperties() {
		pr = p.properties()
		p.flowGap(n)
		if p.flowEnds() || p.flowColon(false) {
			p.emptyWith(pr)
			return false
		}
	}
	return p.flowNode(n, true, pr)
}

// flowValue parses the value behind a ':'.
func (p *parser) flowValue(n int) {
	p.take(1)
	p.flowGap(n)
	if p.flowEnds() {
		p.empty()
		return
	}
	p.flowItem(n)
}

// flowSequenceEntry parses ns-flow-seq-entry [139], which may be a mapping of
// one pair.
func (p *parser) flowSequenceEntry(n int) {
	start, bol, index := p.i, p.bol, len(p.file.Nodes)
	pair := Node{Kind: Mapping, From: int32(start)}
	switch {
	case p.indicator('?'):
		p.add(pair)
		p.flowExplicit(n)
	case p.flowColon(false):
		p.add(pair)
		p.end = p.i
		p.empty()
		p.flowValue(n)
	default:
		jsonLike := p.flowItem(n)
		end := p.i
		p.white()
		if p.bol != bol && p.at(0) == ':' && p.flowColon(jsonLike) {
			p.fail(p.i, "has a key of several lines")
		}
		if !p.flowColon(jsonLike) {
			return
		}
		p.checkKeyLength(start, end)
		p.insert(index, pair)
		p.flowValue(n)
	}
	p.close()
}

// flowMappingEntry parses ns-flow-map-entry [142].
func (p *parser) flowMappingEntry(n int) {
	switch {
	case p.indicator('?'):
		p.flowExplicit(n)
		return
	case p.flowColon(false):
		p.end = p.i
		p.empty()
		p.flowValue(n)
		return
	}
	jsonLike := p.flowItem(n)
	p.flowPairRest(n, jsonLike)
}

// flowExplicit parses a pair behind its '?'.
func (p *parser) flowExplicit(n int) {
	p.take(1)
	p.flowGap(n)
	jsonLike := false
	if p.flowEnds() || p.flowColon(false) {
		p.empty()
	} else {
		jsonLike = p.flowItem(n)
	}
	p.flowPairRest(n, jsonLike)
}

// flowPairRest parses the value of a key that may stand lines above it.
func (p *parser) flowPairRest(n int, jsonLike bool) {
	p.flowGap(n)
	if p.flowColon(jsonLike) {
		p.flowValue(n)
		return
	}
	p.empty()
}
