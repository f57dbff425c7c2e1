package reference

// byteClass says what a byte may be in running text.
type byteClass uint8

const (
	wordByte    byteClass = 1 << iota // letter, digit, _
	hexByte                           // 0-9 a-f
	digitByte                         // 0-9
	pathByte                          // may stand in a path as it is
	triggerByte                       // something may begin or turn here
)

var classes = func() (t [256]byteClass) {
	for c := range 256 {
		b := byte(c)
		letter := 'a' <= b|0x20 && b|0x20 <= 'z'
		digit := '0' <= b && b <= '9'
		if letter || digit || b == '_' {
			t[c] |= wordByte | pathByte
		}
		if digit || 'a' <= b && b <= 'f' {
			t[c] |= hexByte
		}
		if digit {
			t[c] |= digitByte
		}
	}
	for _, b := range []byte("-./+~$%@") {
		t[b] |= pathByte
	}
	for _, b := range []byte(":#@.[") {
		t[b] |= triggerByte
	}
	return t
}()

func is(b byte, class byteClass) bool { return classes[b]&class != 0 }

// readText reads data[from:to] as plain text: paragraphs, and list items that
// begin with a mark, are scopes.
func (f *finder) readText(from, to int) {
	f.enter(nil, from, to)
	eachLine(f.data, from, to, func(from, to int) {
		first := skipBlank(f.data, from, to)
		if first == to || isListMark(f.data[first:to]) {
			f.enter(nil, from, len(f.data))
		}
		f.scan(from, to)
	})
}

// skipBlank returns the first offset that is no space or tab.
func skipBlank(data []byte, from, to int) int {
	for from < to && (data[from] == ' ' || data[from] == '\t') {
		from++
	}
	return from
}

// isListMark reports whether text begins with -, *, + or a number, and a space.
func isListMark(text []byte) bool {
	n := 0
	for n < len(text) && is(text[n], digitByte) {
		n++
	}
	if n == len(text) || n == 0 && text[0] != '-' && text[0] != '*' && text[0] != '+' || n > 0 && text[n] != '.' && text[n] != ')' {
		return false
	}
	return n+1 < len(text) && text[n+1] == ' '
}

// scan finds the plain forms in data[from:to], which is within one line, around
// the pointers there.
func (f *finder) scan(from, to int) {
	for i := f.pointerFrom(from); i < len(f.pointers) && f.pointers[i].From < to; i++ {
		f.scanPiece(from, f.pointers[i].From)
		from = f.pointers[i].To
	}
	f.scanPiece(from, to)
}

// piece is a part of a line without pointers. What was found ends before floor.
type piece struct {
	from, to int
	floor    int
}

// scanPiece looks at each byte once, and once more only within what it takes for
// a reference: from a mark that one form or another needs it looks back, never
// over the mark before, and forward.
func (f *finder) scanPiece(from, to int) {
	p := piece{from: from, to: to, floor: from}
	data := f.data
	for i := from; i < to; {
		c := classes[data[i]]
		if c&(wordByte|triggerByte) == 0 {
			i++
			continue
		}
		next := 0
		if c&wordByte != 0 {
			i, next = f.word(&p, i)
		} else {
			next = f.trigger(&p, i)
		}
		if next > i {
			p.floor = next
			i = next
		} else if c&wordByte == 0 {
			i++
		}
	}
}

// word passes a run of letters and digits, which may be a commit id or say that
// lines follow. next is where what was found ends, 0 when nothing was.
func (f *finder) word(p *piece, from int) (end, next int) {
	all := wordByte | hexByte | digitByte
	i := from
	for i < p.to {
		c := classes[f.data[i]]
		if c&wordByte == 0 {
			break
		}
		all &= c
		i++
	}
	switch {
	case all&hexByte != 0 && i-from >= shortestID:
		f.commit(p, from, i)
	case f.data[from] == 'l' && i-from <= len("lines"):
		return i, f.spokenLines(p, from, i)
	}
	return i, 0
}

// trigger tries the forms that the byte at i is the mark of and returns where
// what it found ends, 0 when there is nothing.
func (f *finder) trigger(p *piece, i int) int {
	data := f.data
	switch data[i] {
	case ':':
		if i+2 < p.to && data[i+1] == '/' && data[i+2] == '/' {
			return f.webAddress(p, i)
		}
		return f.pathLine(p, i)
	case '#':
		if i+2 < p.to && data[i+1] == '[' && data[i+2] == '[' {
			return f.fileBlock(p, i)
		}
		return f.pathFragment(p, i)
	case '@':
		return f.importPath(p, i)
	case '.':
		if i+1 < p.to && data[i+1] == '.' {
			return f.commitRange(p, i)
		}
	case '[':
		return f.source(p, i)
	}
	return 0
}
