package selector

import "bytes"

// isFrontMatter reports whether files with extension ext may begin with front
// matter.
func isFrontMatter(ext string) bool {
	switch ext {
	case ".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdc", ".qmd", ".rmd":
		return true
	}
	return false
}

// frontMatter returns the block of data between a first line and the next line
// that are both "---" (YAML) or both "+++" (TOML). White space may follow the
// marks; a YAML block may also end with "...".
func frontMatter(data []byte) (*dataFormat, Range, *Error) {
	at := skipBOM(data)
	first, next := cutLine(data, at)
	format, fence := yamlFormat, "---"
	if string(first) == "+++" {
		format, fence = tomlFormat, "+++"
	}
	if string(first) != fence {
		return nil, Range{}, &Error{Fault: NoMatch, Proof: "the file has no front matter: its first line is neither --- nor +++"}
	}
	from := next
	for at = next; at < len(data); at = next {
		var line []byte
		line, next = cutLine(data, at)
		if string(line) == fence || string(line) == "..." && fence == "---" {
			return format, Range{from, at}, nil
		}
	}
	return nil, Range{}, &Error{Fault: NoMatch, Proof: "the file has no front matter: the block that its first line opens is not closed"}
}

// cutLine returns the line at offset at, without white space at its end, and
// the offset of the next one.
func cutLine(data []byte, at int) (line []byte, next int) {
	next = len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		next = at + i + 1
	}
	return bytes.TrimRight(data[at:next], " \t\r\n"), next
}
