package markdown

import "bytes"

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\ufeff"

// contentStart returns where the Markdown begins: behind a byte order mark and
// front matter.
func contentStart(src []byte) int {
	at := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		at = len(byteOrderMark)
	}
	return at + frontMatter(src[at:])
}

// frontMatter returns the length of the front matter with which text begins:
// YAML between lines of --- (the last may be ...), TOML between lines of +++.
// Without its last line there is none, and --- is a thematic break.
func frontMatter(text []byte) int {
	if !bytes.HasPrefix(text, []byte("---")) && !bytes.HasPrefix(text, []byte("+++")) {
		return 0
	}
	r := newReader(text, 0)
	first, _ := r.line()
	fence := string(bytes.TrimRight(text[first.From:first.To], " \t"))
	if fence != "---" && fence != "+++" {
		return 0
	}
	for line, ok := r.line(); ok; line, ok = r.line() {
		last := string(bytes.TrimRight(text[line.From:line.To], " \t"))
		if last == fence || last == "..." && fence == "---" {
			return min(r.next, len(text))
		}
	}
	return 0
}
