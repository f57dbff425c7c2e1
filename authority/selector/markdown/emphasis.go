package markdown

import (
	"unicode"
	"unicode/utf8"
)

// run is a delimiter run of '*', '_' or '~'.
type run struct {
	count      int // delimiters that have not matched
	length     int // delimiters there were
	opens      bool
	closes     bool
	prev, next int // its neighbours among the runs that may still match, or none
}

// delimiters reads the delimiter run of the next n bytes.
func (p *inline) delimiters(n int) {
	char := p.text[p.at]
	if char == '~' && n > 2 {
		p.plain(n)
		return
	}
	before, _ := utf8.DecodeLastRune(p.text[:p.at])
	after, _ := utf8.DecodeRune(p.text[p.at+n:])
	if p.at == 0 {
		before = ' '
	}
	if p.at+n == len(p.text) {
		after = ' '
	}
	r := run{count: n, length: n, prev: p.last, next: none}
	r.opens, r.closes = flanking(char, before, after)
	index := len(p.nodes)
	if p.last != none {
		p.nodes[p.last].next = index
	}
	p.last = index
	p.add(node{kind: runNode, text: p.text[p.at : p.at+n], run: r}, n)
}

// flanking tells whether a run of char between two runes opens or closes
// emphasis (CommonMark §6.2).
func flanking(char byte, before, after rune) (opens, closes bool) {
	left := !isUnicodeSpace(after) && (!isUnicodePunct(after) || isUnicodeSpace(before) || isUnicodePunct(before))
	right := !isUnicodeSpace(before) && (!isUnicodePunct(before) || isUnicodeSpace(after) || isUnicodePunct(after))
	if char != '_' {
		return left, right
	}
	return left && (!right || isUnicodePunct(before)), right && (!left || isUnicodePunct(after))
}

func isUnicodeSpace(r rune) bool {
	return r == '\t' || r == '\n' || r == '\f' || r == '\r' || unicode.Is(unicode.Zs, r)
}

func isUnicodePunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// matchRuns matches the delimiter runs behind node bottom with one another and
// lets none of them match later.
func (p *inline) matchRuns(bottom int) {
	// Below these nodes there is no opener for a closer of the same class.
	var floors [18]int
	for i := range floors {
		floors[i] = bottom
	}
	closer := p.firstRun(bottom)
	for closer != none {
		c := &p.nodes[closer]
		if !c.closes {
			closer = c.next
			continue
		}
		floor := &floors[c.class()]
		opener := p.findOpener(closer, max(bottom, *floor))
		if opener == none {
			*floor = c.prev
			next := c.next
			if !c.opens {
				p.remove(closer)
			}
			closer = next
			continue
		}
		closer = p.match(opener, closer)
	}
	for p.last > bottom {
		p.remove(p.last)
	}
}

// firstRun returns the first run behind node bottom.
func (p *inline) firstRun(bottom int) int {
	first := none
	for i := p.last; i > bottom; i = p.nodes[i].prev {
		p.doc.steps++
		first = i
	}
	return first
}

// class numbers the closers for which the same openers match.
func (n *node) class() int {
	class := n.length % 3
	if n.opens {
		class += 3
	}
	switch n.text[0] {
	case '_':
		return class + 6
	case '~':
		return class + 12
	}
	return class
}

// findOpener returns the nearest run before closer and behind floor that it
// closes, or none.
func (p *inline) findOpener(closer, floor int) int {
	c := &p.nodes[closer]
	for i := c.prev; i > floor; i = p.nodes[i].prev {
		p.doc.steps++
		if o := &p.nodes[i]; o.opens && o.text[0] == c.text[0] && pairs(o, c) {
			return i
		}
	}
	return none
}

// pairs reports whether two runs of one delimiter go together: strikethrough
// wants equal lengths, emphasis the rule of three.
func pairs(o, c *node) bool {
	if c.text[0] == '~' {
		return o.length == c.length
	}
	if !o.closes && !c.opens {
		return true
	}
	return (o.length+c.length)%3 != 0 || o.length%3 == 0 && c.length%3 == 0
}

// match takes the marks of one emphasis or strikethrough from two runs and
// returns the next run to close with.
func (p *inline) match(opener, closer int) int {
	o, c := &p.nodes[opener], &p.nodes[closer]
	used := 1
	if o.count >= 2 && c.count >= 2 {
		used = 2
	}
	o.count -= used
	c.count -= used
	for c.prev != opener {
		p.remove(c.prev)
	}
	if o.count == 0 {
		p.remove(opener)
	}
	if c.count > 0 {
		return closer
	}
	next := c.next
	p.remove(closer)
	return next
}

// remove takes a run out of the list of those that may still match.
func (p *inline) remove(i int) {
	n := &p.nodes[i]
	if n.prev != none {
		p.nodes[n.prev].next = n.next
	}
	if n.next != none {
		p.nodes[n.next].prev = n.prev
	} else {
		p.last = n.prev
	}
}
