package yaml

// properties are an anchor, a tag or both as they stand before a node.
type properties struct {
	given    bool
	from, to int
	index    int32 // in File.Props
}

func (p *parser) atProperties() bool { return p.at(0) == '&' || p.at(0) == '!' }

// properties parses c-ns-properties [96]. Between a tag and an anchor only
// white space of the line may stand.
func (p *parser) properties() properties {
	pr := properties{given: true, from: p.i}
	var props Props
	for {
		switch {
		case p.at(0) == '&' && props.Anchor == "":
			p.i++
			props.Anchor = p.anchorName()
			p.anchors[props.Anchor] = true
		case p.at(0) == '!' && props.Tag == "":
			props.Tag = p.tag()
		default:
			p.fail(p.i, "has two anchors or two tags on one node")
		}
		pr.to = p.i
		p.end = p.i
		p.white()
		if !p.atProperties() {
			break
		}
	}
	pr.index = int32(len(p.file.Props))
	p.file.Props = append(p.file.Props, props)
	p.i = pr.to
	return pr
}

// merge returns the properties of a node that has both a and b, which stand on
// different lines.
func (p *parser) merge(a, b properties) properties {
	switch {
	case !a.given:
		return b
	case !b.given:
		return a
	}
	x, y := p.file.Props[a.index], p.file.Props[b.index]
	if x.Anchor != "" && y.Anchor != "" || x.Tag != "" && y.Tag != "" {
		p.fail(b.from, "has two anchors or two tags on one node")
	}
	p.file.Props[b.index] = Props{Anchor: x.Anchor + y.Anchor, Tag: x.Tag + y.Tag}
	return properties{given: true, from: a.from, to: b.to, index: b.index}
}

// anchorName parses ns-anchor-name [103].
func (p *parser) anchorName() string {
	from := p.i
	for !p.spaceAt(0) && !isFlow(p.src[p.i]) {
		p.i++
	}
	if p.i == from {
		p.fail(from, "has an anchor or alias without a name")
	}
	return string(p.src[from:p.i])
}

// tag parses c-ns-tag-property [97] and resolves its handle.
func (p *parser) tag() string {
	from := p.i
	if p.at(1) == '<' {
		return p.verbatimTag()
	}
	handle := p.tagHandle()
	prefix, defined := p.handles[handle]
	if !defined {
		p.fail(from, "has a tag with an undefined handle")
	}
	suffix := p.tagText(true)
	if suffix == "" && handle != "!" || !p.spaceAt(0) && !p.flowEnds() {
		p.fail(from, "has a tag that is not understood")
	}
	return prefix + suffix
}

func (p *parser) verbatimTag() string {
	from := p.i
	p.i += 2
	text := p.tagText(false)
	if text == "" || text == "!" || p.at(0) != '>' {
		p.fail(from, "has a tag that is not understood")
	}
	p.i++
	if !p.spaceAt(0) && !p.flowEnds() {
		p.fail(from, "has a tag that is not understood")
	}
	return text
}

// tagHandle reads "!", "!!" or "!word!".
func (p *parser) tagHandle() string {
	n := 1
	for p.i+n < len(p.src) && isWord(p.src[p.i+n]) {
		n++
	}
	if p.at(n) != '!' {
		n = 0
	}
	handle := string(p.src[p.i : p.i+n+1])
	p.i += n + 1
	return handle
}

// tagText reads URI characters (ns-uri-char [39]), without those that a
// shorthand may not hold, and decodes their escapes.
func (p *parser) tagText(short bool) string {
	var text []byte
	for !p.eof() {
		c := p.src[p.i]
		switch {
		case c == '%':
			hi, lo := hexDigit(p.at(1)), hexDigit(p.at(2))
			if hi < 0 || lo < 0 {
				p.fail(p.i, "has a tag with a broken escape")
			}
			c = byte(hi<<4 | lo)
			p.i += 2
		case !isURI(c) || short && (isFlow(c) || c == '!'):
			return string(text)
		}
		text = append(text, c)
		p.i++
	}
	return string(text)
}

func isURI(c byte) bool {
	if isWord(c) {
		return true
	}
	for _, mark := range []byte("#;/?:@&=+$,_.!~*'()[]") {
		if c == mark {
			return true
		}
	}
	return false
}

// hexDigit returns the value of a hexadecimal digit, -1 for other bytes.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
