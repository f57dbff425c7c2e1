package gitref

import "strings"

// Flags of wildmatch.
const (
	wildPath = 1 << iota // '/' is matched only by itself and by "**"
	wildFold             // ASCII letters match either case
)

// wildmatch matches text against a git pattern: '?', '*', "**" between slashes,
// bracket expressions and backslash quoting, as gitignore(5) and gitattributes(5)
// use them. A malformed pattern matches nothing. Time is bounded by the product
// of both lengths: every pattern position is visited at most once per text
// position.
func wildmatch(pattern, text string, flags int) bool {
	items, ok := compileWild(pattern, flags)
	return ok && matchWild(items, text, flags)
}

// matchWild matches text against a compiled pattern.
func matchWild(items []wildItem, text string, flags int) bool {
	var room [2][64]bool // most patterns are short
	now, next := room[0][:], room[1][:]
	if n := len(items) + 1; n <= len(now) {
		now, next = now[:n], next[:n]
	} else {
		now, next = make([]bool, n), make([]bool, n)
	}
	enter(items, now, 0)
	for i := 0; i < len(text); i++ {
		clear(next)
		alive := false
		for s, on := range now[:len(items)] {
			if !on || !items[s].step(text[i], flags) {
				continue
			}
			if items[s].kind.repeats() {
				next[s] = true
			}
			enter(items, next, s+1)
			alive = true
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[len(items)]
}

// wildKind is what one item of a compiled pattern accepts.
type wildKind uint8

const (
	wildByte    wildKind = iota // one given byte
	wildAny                     // '?'
	wildSet                     // a bracket expression
	wildStar                    // '*': bytes up to a slash
	wildAll                     // "**", or '*' outside path matching: any bytes
	wildFolders                 // before the wildAll and the slash of "**/", which may match nothing
)

func (k wildKind) repeats() bool { return k == wildStar || k == wildAll }

type wildItem struct {
	kind wildKind
	b    byte
	set  string // the bracket expression after '['
}

// enter marks state s and all that is reached from it without reading a byte.
func enter(items []wildItem, states []bool, s int) {
	for !states[s] {
		states[s] = true
		if s == len(items) {
			return
		}
		switch items[s].kind {
		case wildStar, wildAll:
			s++
		case wildFolders:
			enter(items, states, s+3)
			s++
		default:
			return
		}
	}
}

func (w wildItem) step(c byte, flags int) bool {
	slash := c == '/' && flags&wildPath != 0
	if flags&wildFold != 0 {
		c = lower(c)
	}
	switch w.kind {
	case wildByte:
		return c == w.b
	case wildAny:
		return !slash
	case wildSet:
		in, _, _ := inSet(w.set, c, flags)
		return in && !slash
	case wildStar:
		return c != '/'
	case wildAll:
		return true
	}
	return false
}

// compileWild splits a pattern into items. It fails where git would abandon the
// match whatever the text is.
func compileWild(p string, flags int) ([]wildItem, bool) {
	items := make([]wildItem, 0, len(p))
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '\\':
			if i+1 == len(p) {
				return nil, false
			}
			items = append(items, wildItem{kind: wildByte, b: p[i+1]})
			i += 2
		case '?':
			items = append(items, wildItem{kind: wildAny})
			i++
		case '[':
			_, n, ok := inSet(p[i+1:], 0, flags)
			if !ok {
				return nil, false
			}
			items = append(items, wildItem{kind: wildSet, set: p[i+1 : i+1+n]})
			i += 1 + n
		case '*':
			items, i = compileStar(items, p, i, flags)
		default:
			if flags&wildFold != 0 {
				c = lower(c)
			}
			items = append(items, wildItem{kind: wildByte, b: c})
			i++
		}
	}
	return items, true
}

func compileStar(items []wildItem, p string, i, flags int) ([]wildItem, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	star := wildItem{kind: wildStar}
	switch {
	case flags&wildPath == 0:
		star.kind = wildAll
	case end-i < 2 || i > 0 && p[i-1] != '/':
	case rest == "" || strings.HasPrefix(rest, `\/`):
		star.kind = wildAll
	case rest[0] == '/':
		items = append(items, wildItem{kind: wildFolders})
		star.kind = wildAll
	}
	return append(items, star), end
}

// inSet decides whether c, already folded, is in the bracket expression that
// starts at p (behind '['), and how many bytes that expression has. ok is false
// when it has no end or names an unknown class.
func inSet(p string, c byte, flags int) (in bool, n int, ok bool) {
	negated := p != "" && (p[0] == '!' || p[0] == '^')
	if negated {
		n++
	}
	var prev byte
	for first := true; ; first = false {
		if n >= len(p) {
			return false, 0, false
		}
		b := p[n]
		if b == ']' && !first {
			return in != negated, n + 1, true
		}
		var hit bool
		if hit, prev, n, ok = setElement(p, n, prev, c, flags); !ok {
			return false, 0, false
		}
		in = in || hit
	}
}

// setElement reads one element of a bracket expression at p[n]. prev is the
// character that may start a range, 0 when none may.
func setElement(p string, n int, prev, c byte, flags int) (in bool, last byte, next int, ok bool) {
	b := p[n]
	switch {
	case b == '\\':
		if n++; n == len(p) {
			return false, 0, n, false
		}
		return c == p[n], p[n], n + 1, true
	case b == '-' && prev != 0 && n+1 < len(p) && p[n+1] != ']':
		n++
		if p[n] == '\\' {
			if n++; n == len(p) {
				return false, 0, n, false
			}
		}
		return inRange(c, prev, p[n], flags), 0, n + 1, true
	case b == '[' && n+1 < len(p) && p[n+1] == ':':
		end := strings.IndexByte(p[n+2:], ']')
		if end < 0 {
			return false, 0, n, false
		}
		name := p[n+2 : n+2+end]
		if !strings.HasSuffix(name, ":") {
			return c == '[', '[', n + 1, true
		}
		in, ok = inClass(strings.TrimSuffix(name, ":"), c, flags)
		return in, 0, n + 2 + end + 1, ok
	}
	return c == b, b, n + 1, true
}

func inRange(c, from, to byte, flags int) bool {
	if from <= c && c <= to {
		return true
	}
	if flags&wildFold == 0 || c < 'a' || c > 'z' {
		return false
	}
	c -= 'a' - 'A'
	return from <= c && c <= to
}

// inClass decides a POSIX class as git does: in the C locale, with its own isspace.
func inClass(name string, c byte, flags int) (in, ok bool) {
	upper, low := 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z'
	graph := c > ' ' && c < 0x7f
	switch name {
	case "alnum":
		return upper || low || isDigit(c), true
	case "alpha":
		return upper || low, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return isDigit(c), true
	case "graph":
		return graph, true
	case "lower":
		return low, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !upper && !low && !isDigit(c), true
	case "space":
		return gitSpace(c), true
	case "upper":
		return upper || low && flags&wildFold != 0, true
	case "xdigit":
		return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f', true
	}
	return false, false
}

// samePrefix reports whether s, which is no shorter, begins with prefix; fold
// makes ASCII letters of either case equal.
func samePrefix(prefix, s string, fold bool) bool {
	if !fold {
		return strings.HasPrefix(s, prefix)
	}
	for i := range len(prefix) {
		if lower(prefix[i]) != lower(s[i]) {
			return false
		}
	}
	return true
}
