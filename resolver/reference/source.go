package reference

import (
	"bytes"
	"strings"
)

// longestSource is the most that [Source: …] holds.
const longestSource = 1 << 10

// source reads [Source: docs/x.md#Section] at the bracket at i and returns where
// it ends, 0 when it is none. Several stand with commas or semicolons between
// them. Each reference is a path with its fragment, which may hold spaces.
func (f *finder) source(p *piece, i int) int {
	text := f.data[i:min(p.to, i+longestSource)]
	n := sourceMark(text)
	if n == 0 {
		return 0
	}
	end := closingBracket(text)
	if end < 0 || end+1 < len(text) && (text[end+1] == '(' || text[end+1] == '[') {
		return 0
	}
	found := false
	for from := n; from < end; {
		to := from + sourceEnd(text[from:end])
		found = f.oneSource(i+from, i+to) || found
		from = to + 1
	}
	if !found {
		return 0
	}
	return i + end
}

// sourceMark returns the length of "[Source:" with which text begins, or 0.
func sourceMark(text []byte) int {
	for _, mark := range []string{"[source:", "[sources:"} {
		if len(text) >= len(mark) && strings.EqualFold(string(text[:len(mark)]), mark) {
			return len(mark)
		}
	}
	return 0
}

// closingBracket returns where the bracket with which text begins is closed, -1
// when it is not.
func closingBracket(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// sourceEnd returns the length of the first of several sources.
func sourceEnd(text []byte) int {
	if i := bytes.IndexAny(text, ",;"); i >= 0 {
		return i
	}
	return len(text)
}

// oneSource reads the source in data[from:to]: a path, then lines, a fragment up
// to the end, or words that are not part of it.
func (f *finder) oneSource(from, to int) bool {
	for from < to && strings.IndexByte(" \t`", f.data[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(" \t`", f.data[to-1]) >= 0 {
		to--
	}
	end := f.pathEnd(from, to)
	path := string(f.data[from:end])
	if !namesFile(path, true) && !knownFile(path) {
		return false
	}
	r := Reference{Form: Source, Skip: skipOf(path), Target: textTarget(path)}
	if end < to && f.data[end] == '#' {
		fragment := string(f.data[end+1 : to])
		r.Target.setFragment(fragment)
		if isPlaceholder(fragment) {
			r.Skip = Placeholder
		}
		end = to
	} else {
		end = f.importPart(&r.Target, end, to)
	}
	f.add(r, from, end)
	f.named(r, end)
	return true
}

// fileBlock reads #[[file:docs/x.md]] at the # at i and returns where it ends, 0
// when it is none.
func (f *finder) fileBlock(p *piece, i int) int {
	const mark, closing = "#[[file:", "]]"
	text := f.data[i:min(p.to, i+longestSource)]
	if !bytes.HasPrefix(text, []byte(mark)) {
		return 0
	}
	n := bytes.Index(text, []byte(closing))
	if n <= len(mark) {
		return 0
	}
	path, fragment := splitFragment(string(text[len(mark):n]))
	path = strings.TrimSpace(path)
	if path == "" {
		return 0
	}
	r := Reference{Form: FileBlock, Skip: skipOf(path), Target: textTarget(path)}
	r.Target.setFragment(fragment)
	end := i + n + len(closing)
	f.add(r, i, end)
	f.named(r, end)
	return end
}
