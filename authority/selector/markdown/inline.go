package markdown

import (
	"bytes"
	"strings"
)

// inline parses the inlines of one heading into nodes. What is a mark is found
// out as CommonMark's appendix describes it: delimiter runs and brackets stay
// text until their partner is met.
type inline struct {
	doc      *Document
	text     []byte
	at       int
	nodes    []node
	last     int // the last delimiter run that may still match, or none
	brackets []bracket
	anchors  []string
	closers  map[int]int // offset of the last backtick run of each length
	never    [4]bool     // for each of rawEnds, that it stands nowhere ahead
}

type nodeKind uint8

const (
	plainNode nodeKind = iota
	codeNode
	breakNode // a line end
	runNode   // a delimiter run, count of whose bytes are text
	imageOpen
	imageClose
)

// node is a piece of text, or a mark that has none.
type node struct {
	kind nodeKind
	text []byte
	run
}

// none is the index of no node.
const none = -1

// parseInline parses text, the lines of a heading joined with LF.
func parseInline(doc *Document, text []byte) *inline {
	p := &inline{doc: doc, text: text, last: none}
	for p.at < len(text) {
		p.next()
	}
	p.matchRuns(none)
	doc.steps += len(text)
	return p
}

// next parses what begins at the current byte.
func (p *inline) next() {
	rest := p.text[p.at:]
	switch c := rest[0]; c {
	case '\n':
		p.breakLine()
	case '\\':
		p.escape(rest)
	case '`':
		p.code(runLength(rest))
	case '*', '_', '~':
		p.delimiters(runLength(rest))
	case '[':
		p.openBracket(1)
	case '!':
		if len(rest) > 1 && rest[1] == '[' {
			p.openBracket(2)
			return
		}
		p.plain(1)
	case ']':
		p.closeBracket()
	case '<':
		p.angle(rest)
	case '&':
		p.entity(rest)
	default:
		n := bytes.IndexAny(rest, "\n\\`*_~[!]<&")
		if n < 0 {
			n = len(rest)
		}
		p.plain(n)
	}
}

// plain takes the next n bytes as text.
func (p *inline) plain(n int) {
	p.add(node{text: p.text[p.at : p.at+n]}, n)
}

// add appends a node for the next n bytes.
func (p *inline) add(n node, bytes int) {
	p.nodes = append(p.nodes, n)
	p.at += bytes
}

// breakLine ends a line; the white space before it is no text.
func (p *inline) breakLine() {
	if n := len(p.nodes); n > 0 && p.nodes[n-1].kind == plainNode {
		p.nodes[n-1].text = bytes.TrimRight(p.nodes[n-1].text, " \t")
	}
	p.add(node{kind: breakNode}, 1)
}

// escape reads a backslash: before punctuation it makes it text, before a line
// end it is a hard break.
func (p *inline) escape(rest []byte) {
	switch {
	case len(rest) > 1 && isPunct(rest[1]):
		p.add(node{kind: codeNode, text: rest[1:2]}, 2)
	case len(rest) > 1 && rest[1] == '\n':
		p.at++
	default:
		p.plain(1)
	}
}

// code reads a code span that a run of n backticks opens, or the run as text.
func (p *inline) code(n int) {
	from := p.at + n
	end := p.findBackticks(n, from)
	if end < 0 {
		p.plain(n)
		return
	}
	content := bytes.ReplaceAll(p.text[from:end], []byte{'\n'}, []byte{' '})
	if k := len(content); k > 1 && content[0] == ' ' && content[k-1] == ' ' && len(bytes.Trim(content, " ")) > 0 {
		content = content[1 : k-1]
	}
	p.add(node{kind: codeNode, text: content}, end+n-p.at)
}

// findBackticks returns the offset of the first run of exactly n backticks at
// or after from, -1 when there is none. Where there is none it does not search.
func (p *inline) findBackticks(n, from int) int {
	if p.closers == nil {
		p.closers = map[int]int{}
		for at := from - n; at < len(p.text); {
			at = p.eachRun(at, func(at, length int) bool {
				p.closers[length] = at
				return false
			})
		}
	}
	found := -1
	if last, ok := p.closers[n]; ok && last >= from {
		p.eachRun(from, func(at, length int) bool {
			found = at
			return length == n
		})
	}
	return found
}

// eachRun calls f with each run of backticks from at on until f returns true,
// and returns where it stopped.
func (p *inline) eachRun(at int, f func(at, length int) bool) int {
	for at < len(p.text) {
		i := bytes.IndexByte(p.text[at:], '`')
		if i < 0 {
			return len(p.text)
		}
		at += i
		n := runLength(p.text[at:])
		p.doc.steps += i + n
		if f(at, n) {
			return at
		}
		at += n
	}
	return at
}

// rawEnds are the ends of the raw HTML that is no tag.
var rawEnds = [...]struct{ begin, end string }{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}}

// angle reads an autolink or raw HTML, or '<' as text.
func (p *inline) angle(rest []byte) {
	if n := autolink(rest); n > 0 {
		p.add(node{kind: codeNode, text: rest[1 : n-1]}, n)
		return
	}
	n := tagLength(rest)
	if n > 0 {
		_, names := Anchor(rest)
		p.anchors = append(p.anchors, names...)
	} else {
		n = p.rawHTML(rest)
	}
	p.doc.steps += n
	if n == 0 {
		p.plain(1)
		return
	}
	p.at += n
}

// rawHTML returns the length of the comment, processing instruction, CDATA
// section or declaration with which rest begins, 0 for none. An end that is
// missing once is missing for all that begin later.
func (p *inline) rawHTML(rest []byte) int {
	for i, raw := range rawEnds {
		if p.never[i] || !bytes.HasPrefix(rest, []byte(raw.begin)) {
			continue
		}
		from := len(raw.begin)
		switch raw.begin {
		case "<!":
			if len(rest) < 3 || !isLetter(rest[2]) {
				return 0
			}
		case "<!--":
			from = len("<!") // <!--> and <!---> are whole comments
		}
		n := bytes.Index(rest[from:], []byte(raw.end))
		if n < 0 {
			p.never[i] = true
			return 0
		}
		return from + n + len(raw.end)
	}
	return 0
}

// entity reads a character reference, or '&' as text.
func (p *inline) entity(rest []byte) {
	text, n := scanEntity(rest)
	if n == 0 {
		p.plain(1)
		return
	}
	p.add(node{kind: codeNode, text: []byte(text)}, n)
}

// write writes the text: to all everything, a line end as a space, and to
// visible all but line ends and the text of images.
func (p *inline) write(all, visible *strings.Builder) {
	images := 0
	for i := range p.nodes {
		n := &p.nodes[i]
		text := n.text
		switch n.kind {
		case breakNode:
			all.WriteByte(' ')
		case imageOpen:
			images++
		case imageClose:
			images--
		case runNode:
			text = text[:n.count]
		}
		all.Write(text)
		if images == 0 {
			visible.Write(text)
		}
	}
}

// autolink returns the length of the autolink with which text, which begins
// with '<', begins, 0 for none.
func autolink(text []byte) int {
	end := bytes.IndexAny(text[1:], "<> \n\t")
	if end < 0 || text[1+end] != '>' {
		return 0
	}
	if inner := text[1 : 1+end]; isURI(inner) || isEmail(inner) {
		return end + 2
	}
	return 0
}

// isURI reports whether text is an absolute URI as CommonMark §6.5 has it.
func isURI(text []byte) bool {
	scheme, rest, found := bytes.Cut(text, []byte{':'})
	if !found || len(scheme) < 2 || len(scheme) > 32 || !isLetter(scheme[0]) {
		return false
	}
	for _, c := range scheme {
		if !isLetter(c) && !isDigit(c) && c != '+' && c != '.' && c != '-' {
			return false
		}
	}
	return bytes.IndexFunc(rest, func(r rune) bool { return r <= ' ' || r == 0x7f }) < 0
}

// isEmail reports whether text is an e-mail address as CommonMark §6.5 has it.
func isEmail(text []byte) bool {
	local, domain, found := bytes.Cut(text, []byte{'@'})
	if !found || len(local) == 0 {
		return false
	}
	for _, c := range local {
		if !isLetter(c) && !isDigit(c) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) < 0 {
			return false
		}
	}
	for label := range bytes.SplitSeq(domain, []byte{'.'}) {
		if !isHostLabel(label) {
			return false
		}
	}
	return true
}

// isHostLabel reports whether text is one label of a host name.
func isHostLabel(text []byte) bool {
	const longest = 63
	if len(text) == 0 || len(text) > longest || text[0] == '-' || text[len(text)-1] == '-' {
		return false
	}
	for _, c := range text {
		if !isLetter(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}
