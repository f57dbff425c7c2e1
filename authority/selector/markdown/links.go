package markdown

import (
	"bytes"
	"slices"
	"sort"
)

// Link is a link, an image, an autolink, a link reference definition, or an
// attribute href or src of a tag of HTML.
type Link struct {
	Span // all of it; of an attribute the whole tag
	// Destination is as written, without angle brackets or quotes, and empty where
	// the link's reference definition has it.
	Destination Span
	HTML        bool // an attribute's: character references are its only escapes
}

// Links calls add with every link in b, which is a Paragraph, Heading, Row,
// Definition or HTML, in the order in which they end. A link may hold images and
// tags: their Spans then lie in its own.
func (d *Document) Links(b Block, add func(Link)) {
	switch b.Kind {
	case Definition:
		d.definitionLink(b, add)
		return
	case HTML:
		d.htmlLinks(b, add)
		return
	}
	lines := d.Lines(b)
	if !slices.ContainsFunc(lines, d.mayHoldLink) {
		return
	}
	if b.Kind == Row {
		d.rowLinks(lines[0], add)
		return
	}
	d.linksIn(lines, add)
}

func (d *Document) mayHoldLink(line Span) bool {
	text := d.Bytes(line)
	return bytes.IndexByte(text, ']') >= 0 || bytes.IndexByte(text, '<') >= 0
}

// definitionLink gives the link of a link reference definition.
func (d *Document) definitionLink(b Block, add func(Link)) {
	lines := d.Lines(b)
	text := d.join(nil, lines)
	from := skipBreak(text, scanLabel(text)+1)
	at := places{lines: lines}
	at.measure()
	to := from + scanDestination(text[from:])
	add(Link{Span: b.Span, Destination: at.span(bare(text, from, to))})
}

// rowLinks looks into each cell of a row apart: no link goes over its end.
func (d *Document) rowLinks(line Span, add func(Link)) {
	for from := int(line.From); from < int(line.To); {
		to := from + cellEnd(d.src[from:line.To])
		d.linksIn([]Span{{int32(from), int32(to)}}, add)
		from = to + 1
	}
}

func (d *Document) linksIn(lines []Span, add func(Link)) {
	at := places{lines: lines}
	at.measure()
	p := linkScanner{inline: inline{doc: d, text: d.join(nil, lines)}}
	p.add = func(from, to int, dest [2]int, html bool) {
		add(Link{at.span(from, to), at.span(dest[0], dest[1]), html})
	}
	for p.at < len(p.text) {
		p.next()
	}
	d.steps += len(p.text)
}

// htmlLinks looks for tags in an HTML block, but not in its comments.
func (d *Document) htmlLinks(b Block, add func(Link)) {
	text := d.Bytes(b.Span)
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'}) // in a tag either is white space
	}
	p := linkScanner{inline: inline{doc: d, text: text}}
	p.add = func(from, to int, dest [2]int, html bool) {
		add(Link{Span{b.From + int32(from), b.From + int32(to)}, Span{b.From + int32(dest[0]), b.From + int32(dest[1])}, html})
	}
	for {
		i := bytes.IndexByte(p.text[p.at:], '<')
		if i < 0 {
			return
		}
		p.at += i
		p.tag(p.text[p.at:])
		d.steps += i
	}
}

// places finds offsets in joined lines again in the document.
type places struct {
	lines []Span
	from  []int // where each line begins when they are joined
}

func (l *places) measure() {
	at := 0
	for _, line := range l.lines {
		l.from = append(l.from, at)
		at += int(line.To-line.From) + 1
	}
}

func (l *places) of(at int) int32 {
	i := sort.SearchInts(l.from, at+1) - 1
	return min(l.lines[i].From+int32(at-l.from[i]), l.lines[i].To)
}

func (l *places) span(from, to int) Span {
	if from == to {
		return Span{l.of(from), l.of(from)}
	}
	return Span{l.of(from), l.of(to-1) + 1}
}

// bare cuts the angle brackets from the destination at text[from:to].
func bare(text []byte, from, to int) (int, int) {
	if from < to && text[from] == '<' {
		return from + 1, to - 1
	}
	return from, to
}

// linkScanner finds links and looks at nothing else: emphasis never decides
// whether brackets are one.
type linkScanner struct {
	inline
	inactive int // so many of the open brackets cannot open a link any more, images still can
	add      func(from, to int, dest [2]int, html bool)
}

// next passes what begins at the current byte.
func (p *linkScanner) next() {
	rest := p.text[p.at:]
	switch rest[0] {
	case '\\':
		p.at += min(2, len(rest))
		if len(rest) > 1 && !isPunct(rest[1]) {
			p.at--
		}
	case '`':
		n := runLength(rest)
		if end := p.findBackticks(n, p.at+n); end >= 0 {
			p.at = end
		}
		p.at += n
	case '<':
		p.angle(rest)
	case '[':
		p.open(1)
	case ']':
		p.close()
	case '!':
		if len(rest) > 1 && rest[1] == '[' {
			p.open(2)
			return
		}
		p.at++
	default:
		p.at += max(1, plainLength(rest))
	}
}

// plainLength returns how many bytes of text mean nothing to a linkScanner.
func plainLength(text []byte) int {
	for i, c := range text {
		switch c {
		case '\\', '`', '<', '[', ']', '!':
			return i
		}
	}
	return len(text)
}

// angle passes an autolink, raw HTML or a plain '<'.
func (p *linkScanner) angle(rest []byte) {
	n := autolink(rest)
	if n == 0 {
		p.tag(rest)
		return
	}
	p.add(p.at, p.at+n, [2]int{p.at + 1, p.at + n - 1}, false)
	p.doc.steps += n
	p.at += n
}

// tag passes raw HTML or a plain '<'.
func (p *linkScanner) tag(rest []byte) {
	var found [][2]int
	n, _ := scanTag(rest, func(name, value []byte) {
		if len(value) > 0 && (bytes.EqualFold(name, []byte("href")) || bytes.EqualFold(name, []byte("src"))) {
			from := p.at + cap(rest) - cap(value)
			found = append(found, [2]int{from, from + len(value)})
		}
	})
	if n == 0 {
		n = p.rawHTML(rest)
		found = nil
	}
	for _, dest := range found {
		p.add(p.at, p.at+n, dest, true)
	}
	p.doc.steps += n
	p.at += max(1, n)
}

func (p *linkScanner) open(n int) {
	if k := len(p.brackets); k > 0 {
		p.brackets[k-1].inner = true
	}
	p.brackets = append(p.brackets, bracket{from: p.at + n, image: n == 2})
	p.at += n
}

// close reads ']': the end of a link or image, or text.
func (p *linkScanner) close() {
	k := len(p.brackets) - 1
	if k < 0 {
		p.at++
		return
	}
	open := p.brackets[k]
	p.brackets = p.brackets[:k]
	dead := k < p.inactive && !open.image
	p.inactive = min(p.inactive, k)
	var end int
	var dest [2]int
	if !dead {
		end, dest = p.linkEnd(open)
	}
	if end == 0 {
		p.at++
		return
	}
	from := open.from - 1
	if open.image {
		from--
	} else {
		p.inactive = k
	}
	p.add(from, end, dest, false)
	p.at = end
}

// Unescape undoes the backslash escapes and character references of a link's
// destination.
func Unescape(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '&') < 0 {
		return string(text)
	}
	var b []byte
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && isPunct(text[i+1]):
			i++
		case text[i] == '&':
			if s, n := scanEntity(text[i:]); n > 0 {
				b = append(b, s...)
				i += n - 1
				continue
			}
		}
		b = append(b, text[i])
	}
	return string(b)
}

// FrontMatter returns the front matter of src with its fences, an empty Span at
// the beginning of the Markdown when there is none.
func FrontMatter(src []byte) Span {
	to := contentStart(src)
	from := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		from = len(byteOrderMark)
	}
	return Span{int32(from), int32(to)}
}
