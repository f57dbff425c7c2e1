package reference

import (
	"bytes"
	"net/url"
	"strings"
)

// pathFragment reads path#L10-L20, path#L10 or path#name around the # at i and
// returns where it ends, 0 when it is none.
func (f *finder) pathFragment(p *piece, i int) int {
	end := f.fragmentEnd(i+1, p.to)
	if end == i+1 {
		return 0
	}
	start := f.pathStart(p.floor, i)
	if start == i {
		return 0
	}
	r, start, ok := f.pathReference(PathFragment, start, i)
	if !ok {
		return 0
	}
	end = f.spacedEnd(p, start, end)
	fragment := string(f.data[i+1 : end])
	r.Target.setFragment(fragment)
	if r.Target.Lines[0] == 0 && !namesPart(string(f.data[start:i]), fragment) {
		return 0
	}
	if isPlaceholder(fragment) {
		r.Skip = Placeholder
	}
	f.add(r, start, end)
	f.named(r, end)
	return end
}

// namesPart reports whether path#fragment is about a part of a file and is no
// method (List#add) and no issue (owner/repo#12).
func namesPart(path, fragment string) bool {
	return knownFile(path) && strings.ContainsFunc(fragment, func(r rune) bool { return r < '0' || r > '9' })
}

// fragmentEnd looks forward for the end of a fragment, which is without the
// punctuation of the sentence.
func (f *finder) fragmentEnd(from, to int) int {
	end := f.pathEnd(from, to)
	for end > from && strings.IndexByte(".-~+%", f.data[end-1]) >= 0 {
		end--
	}
	return end
}

// spacedEnd extends a fragment that ends at end over spaces: up to the closing
// quote or backtick when one stands right before the path, and to the end of a
// line or value that holds nothing else when each further word begins as those
// of a heading do.
func (f *finder) spacedEnd(p *piece, start, end int) int {
	const longest = 120
	rest := f.data[end:min(p.to, end+longest)]
	if start > p.from && strings.IndexByte("\"'`", f.data[start-1]) >= 0 {
		if i := bytes.IndexByte(rest, f.data[start-1]); i >= 0 {
			return end + i
		}
		return end
	}
	if len(rest) == 0 || rest[0] != ' ' || len(rest) == longest || len(bytes.Trim(f.data[p.from:start], " \t-*+/#>")) > 0 {
		return end
	}
	for word := range bytes.FieldsSeq(rest) {
		if c := word[0]; ('A' > c || c > 'Z') && !is(c, digitByte) && c != '&' {
			return end
		}
	}
	return end + len(bytes.TrimRight(rest, " \t."))
}

// setFragment fills in the lines that a fragment spells, or the fragment,
// decoded.
func (t *Target) setFragment(fragment string) {
	if lines, ok := fragmentLines(fragment); ok {
		t.Lines = lines
		return
	}
	t.Fragment = decode(fragment)
}

// fragmentLines reads L10, L10-L20, L10-20 and L10C3-L20C8.
func fragmentLines(fragment string) (lines [2]int, ok bool) {
	if !strings.HasPrefix(fragment, "L") {
		return lines, false
	}
	first, rest, ok := cutLine(fragment)
	if !ok {
		return lines, false
	}
	if rest == "" {
		return [2]int{first, first}, true
	}
	last, rest, ok := cutLine(strings.TrimPrefix(rest, "-"))
	return [2]int{first, last}, ok && rest == ""
}

// cutLine cuts L10 or 10, and C3 behind it, off text.
func cutLine(text string) (n int, rest string, ok bool) {
	f := finder{data: []byte(text)}
	n, end, ok := f.number(0, len(text))
	if ok && end < len(text) && text[end] == 'C' {
		if _, after, column := f.number(end+1, len(text)); column {
			end = after
		}
	}
	return n, text[end:], ok
}

// decode undoes percent-encoding; where that is broken the text stands for
// itself.
func decode(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// splitFragment splits path#fragment at the first #.
func splitFragment(text string) (path, fragment string) {
	path, fragment, _ = strings.Cut(text, "#")
	return path, fragment
}
