package reference

import (
	"strings"
	"unicode/utf8"
)

// importPath reads @docs/x.md at the @ at i, with lines behind it where they are
// stated, and returns where it ends, 0 when it is none.
func (f *finder) importPath(p *piece, i int) int {
	if !f.beginsWord(p, i) || !f.prose && f.beginsValue(p, i) {
		return 0
	}
	end := f.pathEnd(i+1, p.to)
	path := string(f.data[i+1 : end])
	if !isImport(path) || end < p.to && (f.data[end] == '(' || f.data[end] == '*') {
		return 0 // a decorator, or a pattern
	}
	r := Reference{Form: Import, Skip: skipOf(path), Target: textTarget(path)}
	end = f.importPart(&r.Target, end, p.to)
	f.add(r, i, end)
	f.named(r, end)
	return end
}

// isImport reports whether @path imports a file or folder and is no user
// (@name), no package (@scope/name) and no alias of a source folder (@/name).
func isImport(path string) bool {
	if path == "" || strings.Contains(path, "//") || strings.HasPrefix(path, "/") {
		return false
	}
	if strings.HasPrefix(path, "path/to") || strings.Contains(path, "…") && strings.Contains(path, "/") {
		return true
	}
	if rest, home := strings.CutPrefix(path, "~/"); home {
		return rest != ""
	}
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") {
		return strings.ContainsFunc(path, func(r rune) bool { return r != '.' && r != '/' })
	}
	if knownFile(path) {
		return !strings.Contains(path, "@")
	}
	return strings.HasSuffix(path, "/")
}

// importPart reads #L5-L10, #name or :12-34 behind an import.
func (f *finder) importPart(t *Target, at, to int) int {
	if at+1 >= to {
		return at
	}
	switch f.data[at] {
	case '#':
		if end := f.fragmentEnd(at+1, to); end > at+1 {
			t.setFragment(string(f.data[at+1 : end]))
			return end
		}
	case ':':
		if lines, end, ok := f.lineNumbers(at+1, to); ok && f.endsNumber(end, to) {
			t.Lines = lines
			return end
		}
	}
	return at
}

// beginsValue reports whether a quote stands before i, or nothing where the text
// is a value: in data and code that is the name of a package.
func (f *finder) beginsValue(p *piece, i int) bool {
	if i == p.from {
		return f.strict
	}
	return f.data[i-1] == '"' || f.data[i-1] == '\''
}

// beginsWord reports whether the byte at i does not go on from a word.
func (f *finder) beginsWord(p *piece, i int) bool {
	if i == p.from {
		return true
	}
	c := f.data[i-1]
	return strings.IndexByte(" \t`(['\",;:*|", c) >= 0 || c >= utf8.RuneSelf
}
