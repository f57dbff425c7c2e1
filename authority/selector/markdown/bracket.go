package markdown

// bracket is a '[' or '![' that may still open a link or an image.
type bracket struct {
	node   int // its node
	from   int // offset behind it
	last   int // the last delimiter run before it
	image  bool
	closed bool // a link cannot hold a link: it opens none any more
	inner  bool // a bracket follows it, so its text is no label
}

// openBracket reads '[' or '![', n bytes long.
func (p *inline) openBracket(n int) {
	if k := len(p.brackets); k > 0 {
		p.brackets[k-1].inner = true
	}
	p.brackets = append(p.brackets, bracket{node: len(p.nodes), from: p.at + n, last: p.last, image: n == 2})
	p.plain(n)
}

// closeBracket reads ']': the end of a link or image, or text.
func (p *inline) closeBracket() {
	k := len(p.brackets) - 1
	if k < 0 {
		p.plain(1)
		return
	}
	open := p.brackets[k]
	p.brackets = p.brackets[:k]
	end := 0
	if !open.closed {
		end, _ = p.linkEnd(open)
	}
	if end == 0 {
		p.plain(1)
		return
	}
	p.matchRuns(open.last)
	opener := &p.nodes[open.node]
	opener.text = nil
	if open.image {
		opener.kind = imageOpen
		p.add(node{kind: imageClose}, end-p.at)
		return
	}
	p.at = end
	p.closeBrackets()
}

// closeBrackets keeps the brackets around a link from opening another.
func (p *inline) closeBrackets() {
	for i := len(p.brackets) - 1; i >= 0; i-- {
		b := &p.brackets[i]
		if b.image {
			continue
		}
		if b.closed {
			return
		}
		b.closed = true
	}
}

// linkEnd returns the offset behind the link or image whose text ends at the
// current byte, 0 when it is none, and where its destination stands, which is
// nowhere when a definition has it.
func (p *inline) linkEnd(open bracket) (end int, dest [2]int) {
	at := p.at + 1
	if end, dest = p.inlineEnd(at); end > 0 {
		return end, dest
	}
	return p.referenceEnd(open, at), [2]int{at, at}
}

// referenceEnd returns the offset behind the link whose text ends before offset
// at and whose destination a definition has, 0 when it is none.
func (p *inline) referenceEnd(open bracket, at int) int {
	text := p.text[open.from : at-1]
	n := scanLabel(p.text[at:])
	p.doc.steps += n
	if n > 0 {
		if p.doc.defined(p.text[at+1 : at+n-1]) {
			return at + n
		}
		return 0
	}
	if open.inner || len(text) > mostLabel || !p.doc.defined(text) {
		return 0
	}
	if at+1 < len(p.text) && p.text[at] == '[' && p.text[at+1] == ']' {
		at += 2
	}
	return at
}

// inlineEnd returns the offset behind "(destination title)" at offset at, 0
// when it does not stand there, and where the destination stands.
func (p *inline) inlineEnd(at int) (end int, dest [2]int) {
	if at == len(p.text) || p.text[at] != '(' {
		return 0, dest
	}
	from := at
	defer func() { p.doc.steps += at - from }()
	at = skipWhite(p.text, at+1)
	n := scanDestination(p.text[at:])
	if n < 0 {
		return 0, dest
	}
	dest[0], dest[1] = bare(p.text, at, at+n)
	at += n
	if title := skipWhite(p.text, at); title > at {
		at = skipWhite(p.text, title+scanTitle(p.text[title:]))
	}
	if at == len(p.text) || p.text[at] != ')' {
		return 0, dest
	}
	return at + 1, dest
}
