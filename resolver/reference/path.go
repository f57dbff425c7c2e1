package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pathStart looks back from to for the beginning of a path: over bytes of paths
// and over brackets that are closed again, never before floor. It passes few #,
// and those within brackets only, as in [###-feature].
func (f *finder) pathStart(floor, to int) int {
	const mostHashes = 8
	depth, unopened, hashes := 0, to, 0
	i := to
	for i > floor {
		c := f.data[i-1]
		switch {
		case is(c, pathByte):
			i--
		case c == '#' && depth > 0 && hashes < mostHashes:
			hashes++
			i--
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeLastRune(f.data[max(floor, i-utf8.UTFMax):i])
			if !inPath(r) {
				return cutUnopened(i, depth, unopened)
			}
			i -= n
		case c == ')' || c == ']' || c == '}' || c == '>':
			if depth == 0 {
				unopened = i
			}
			depth++
			i--
		case c == '(' || c == '[' || c == '{' || c == '<':
			if depth == 0 {
				return i
			}
			depth--
			i--
		default:
			return cutUnopened(i, depth, unopened)
		}
	}
	return cutUnopened(i, depth, unopened)
}

// cutUnopened begins the path behind a bracket that is closed but not opened.
func cutUnopened(i, depth, unopened int) int {
	if depth > 0 {
		return unopened
	}
	return i
}

// inPath reports whether a rune beyond ASCII may stand in a path: letters, marks
// and digits, and the ellipsis of a placeholder.
func inPath(r rune) bool {
	return r != utf8.RuneError && (r == '…' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

// pathEnd looks forward from from for the end of a path; brackets must be
// balanced, and punctuation at its end belongs to the sentence.
func (f *finder) pathEnd(from, to int) int {
	const deepest = 4 // more would let many openings be read again and again
	depth := 0
	i := from
loop:
	for i < to {
		c := f.data[i]
		switch {
		case is(c, pathByte):
			i++
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(f.data[i:to])
			if !inPath(r) {
				break loop
			}
			i += n
		case (c == '(' || c == '[' || c == '{' || c == '<') && depth < deepest:
			depth++
			i++
		case (c == ')' || c == ']' || c == '}' || c == '>') && depth > 0:
			depth--
			i++
		default:
			break loop
		}
	}
	for i > from && strings.IndexByte(".([{<@", f.data[i-1]) >= 0 && !(f.data[i-1] == '.' && i-from > 2 && f.data[i-2] == '.') {
		i--
	}
	return i
}

// trimWord cuts the punctuation of a sentence from both ends of a word.
func trimWord(word string) string {
	word = strings.TrimRight(word, ".-+~$%@")
	return strings.TrimLeft(word, "-+%@")
}

// projectRoot is how documents of BMAD name the root.
const projectRoot = "{project-root}/"

// textTarget is the target of a path in running text.
func textTarget(path string) Target {
	if rest, rooted := strings.CutPrefix(path, projectRoot); rooted {
		return Target{Base: FromRoot, Path: rest}
	}
	if isOutside(path) {
		return Target{Path: path}
	}
	if rest, rooted := strings.CutPrefix(path, "/"); rooted {
		return Target{Base: FromRoot, Path: rest}
	}
	return Target{Base: FromEither, Path: path}
}

// extension returns what stands behind the last dot of a path's last segment, ""
// when it is no letter followed by letters and digits.
func extension(path string) string {
	name := lastSegment(path)
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	ext := name[i+1:]
	const longest = 12
	if ext == "" || len(ext) > longest || !isAlpha(ext[0]) {
		return ""
	}
	for j := range len(ext) {
		if !is(ext[j], wordByte) {
			return ""
		}
	}
	return ext
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// knownFile reports whether a path ends in a name that is a file's beyond doubt.
func knownFile(path string) bool {
	if path == "" || strings.Contains(path, "//") {
		return false
	}
	name := lastSegment(path)
	if knownNames.has(name) {
		return true
	}
	ext := extension(path)
	return ext != "" && len(ext) < len(name)-1 && knownExtensions.has(strings.ToLower(ext))
}

// namesFile reports whether a path in running text names a file. strict asks for
// an extension or a known name.
func namesFile(path string, strict bool) bool {
	slashes := strings.Count(path, "/")
	if slashes == 0 || strings.Contains(path, "//") || strings.HasSuffix(path, "/") {
		return knownFile(path)
	}
	if !strings.ContainsFunc(lastSegment(path), unicode.IsLetter) {
		return isPlaceholder(path)
	}
	if knownFile(path) || extension(path) != "" && !hasHost(path) {
		return true
	}
	if strict || hasHost(path) {
		return false
	}
	return slashes > 1 || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/")
}

// hasHost reports whether a path begins with the name of a host, as those of Go
// packages do.
func hasHost(path string) bool {
	first, _, slash := strings.Cut(path, "/")
	if !slash {
		return false
	}
	i := strings.LastIndexByte(first, '.')
	return i > 0 && topDomains.has(first[i+1:])
}

// isOutside reports whether a path stands outside every repository: in a home
// folder or among the folders of a system, or as another repository's.
func isOutside(path string) bool {
	if strings.HasPrefix(path, "~") || hasHost(path) {
		return true
	}
	if path == "" || path[0] != '/' {
		return false
	}
	first, _, _ := strings.Cut(path[1:], "/")
	return systemFolders.has(first)
}

// skipOf is why a path in running text cannot be proven, "" when it can.
func skipOf(path string) Skip {
	path = strings.TrimPrefix(path, projectRoot)
	switch {
	case isPlaceholder(path):
		return Placeholder
	case isOutside(path):
		return Elsewhere
	}
	return ""
}
