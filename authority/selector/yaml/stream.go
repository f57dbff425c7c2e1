package yaml

import "strings"

// stream parses every document (l-yaml-stream [211]).
func (p *parser) stream() {
	bare := true // a document may begin here without "---", and directives may stand
	for {
		p.documentPrefix()
		switch {
		case p.eof():
			return
		case p.marker() && p.has("..."):
			p.documentEnd()
			bare = true
			continue
		}
		p.handles, p.anchors = map[string]string{"!": "!", "!!": "tag:yaml.org,2002:"}, map[string]bool{}
		directives := false
		if bare && p.i == p.bol && p.at(0) == '%' {
			directives = true
			p.directives()
		}
		switch {
		case p.marker() && p.has("---"):
			p.take(3)
		case directives:
			p.fail(p.i, "has directives without a document")
		case !bare:
			p.fail(p.i, "has content behind a document's end")
		}
		bare = p.document()
	}
}

// documentPrefix skips blank lines, comments and byte order marks.
func (p *parser) documentPrefix() {
	for p.gap(); p.i == p.bol && p.has("\ufeff"); p.gap() {
		p.i += len("\ufeff")
		p.bol = p.i
	}
}

// document parses one document's node and what ends it. It reports whether a
// bare document or directives may follow.
func (p *parser) document() bool {
	p.file.Roots = append(p.file.Roots, len(p.file.Nodes))
	p.blockNode(block{n: -1, seq: -1})
	p.gap()
	switch {
	case p.eof():
		return false
	case !p.fresh() || !p.marker():
		p.fail(p.i, "has content that belongs to no node")
	case p.has("..."):
		p.documentEnd()
		return true
	}
	return false
}

// documentEnd skips "..." and the rest of its line.
func (p *parser) documentEnd() {
	p.i += 3
	p.endOfLine("has content behind a document's end marker")
}

// endOfLine skips white space and a comment up to and over the line's end.
func (p *parser) endOfLine(what string) {
	p.white()
	p.comment()
	switch {
	case p.eof():
	case isBreak(p.src[p.i]):
		p.lineBreak()
	default:
		p.fail(p.i, what)
	}
}

// directives parses lines that begin with '%' (l-directive [82]).
func (p *parser) directives() {
	version, defined := false, map[string]bool{}
	for p.i == p.bol && p.at(0) == '%' {
		at := p.i
		words := p.directiveWords()
		switch {
		case words[0] == "%YAML" && (version || len(words) != 2 || !versionOne(words[1])):
			p.fail(at, "has a YAML directive that is not understood")
		case words[0] == "%YAML":
			version = true
		case words[0] == "%TAG":
			p.tagDirective(at, words, defined)
		}
		p.endOfLine("has a directive that is not understood")
		p.documentPrefix()
	}
}

// directiveWords reads the words of a line up to a comment.
func (p *parser) directiveWords() []string {
	from := p.i
	for !p.eof() && !isBreak(p.src[p.i]) && !(p.src[p.i] == '#' && isWhite(p.src[p.i-1])) {
		p.i++
	}
	return strings.Fields(string(p.src[from:p.i]))
}

// versionOne reports whether v is a version 1.x.
func versionOne(v string) bool {
	minor, found := strings.CutPrefix(v, "1.")
	return found && minor != "" && strings.Trim(minor, "0123456789") == ""
}

func (p *parser) tagDirective(at int, words []string, defined map[string]bool) {
	if len(words) != 3 || !isHandle(words[1]) {
		p.fail(at, "has a TAG directive that is not understood")
	}
	if defined[words[1]] {
		p.fail(at, "defines a tag handle twice")
	}
	defined[words[1]] = true
	p.handles[words[1]] = words[2]
}

// isHandle reports whether s is "!", "!!" or "!word!" (c-tag-handle [89]).
func isHandle(s string) bool {
	if s == "!" || s == "!!" {
		return true
	}
	if len(s) < 3 || s[0] != '!' || s[len(s)-1] != '!' {
		return false
	}
	for _, c := range []byte(s[1 : len(s)-1]) {
		if !isWord(c) {
			return false
		}
	}
	return true
}

func isWord(c byte) bool {
	return c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
