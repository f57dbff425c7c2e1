package markdown

import (
	"bytes"
	"strings"
)

// htmlKind is the kind of an HTML block, 1 to 7 as CommonMark §4.6 numbers the
// conditions with which one begins and ends.
type htmlKind uint8

const (
	htmlRaw         htmlKind = iota + 1 // <script>, <pre>, <style>, <textarea>
	htmlComment                         // <!-- -->
	htmlInstruction                     // <? ?>
	htmlDeclaration                     // <!X >
	htmlCDATA                           // <![CDATA[ ]]>
	htmlBlockTag                        // <div> and the like, to a blank line
	htmlAnyTag                          // any tag alone in its line, to a blank line
)

// endsBlank reports whether a blank line ends the block.
func (k htmlKind) endsBlank() bool { return k >= htmlBlockTag }

// startHTML begins an HTML block. A tag alone in its line does not interrupt a
// paragraph, which lazy says is open.
func (s *scanner) startHTML(matched int, rest []byte, lazy bool) bool {
	kind := htmlStart(rest)
	if kind == 0 || kind == htmlAnyTag && lazy {
		return false
	}
	s.closeTo(matched)
	s.openLeaf(HTML)
	s.leaf.html = kind
	s.closeHTML()
	return true
}

// closeHTML closes the open HTML block when the line fulfils its end condition.
func (s *scanner) closeHTML() {
	if s.leaf.html.endsIn(s.c.rest()) {
		s.closeLeaf()
	}
}

// endsIn reports whether line holds the end of the block.
func (k htmlKind) endsIn(line []byte) bool {
	switch k {
	case htmlRaw:
		return containsRawEnd(line)
	case htmlComment:
		return bytes.Contains(line, []byte("-->"))
	case htmlInstruction:
		return bytes.Contains(line, []byte("?>"))
	case htmlDeclaration:
		return bytes.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}

// containsRawEnd reports whether line holds the end tag of a raw text element.
func containsRawEnd(line []byte) bool {
	for {
		i := bytes.Index(line, []byte("</"))
		if i < 0 {
			return false
		}
		line = line[i+2:]
		name := tagName(line)
		if isRawText(string(name)) && len(line) > len(name) && line[len(name)] == '>' {
			return true
		}
	}
}

// htmlStart returns the kind of HTML block that begins with text, 0 for none.
func htmlStart(text []byte) htmlKind {
	switch {
	case bytes.HasPrefix(text, []byte("<!--")):
		return htmlComment
	case bytes.HasPrefix(text, []byte("<?")):
		return htmlInstruction
	case bytes.HasPrefix(text, []byte("<![CDATA[")):
		return htmlCDATA
	case len(text) > 2 && text[1] == '!' && isLetter(text[2]):
		return htmlDeclaration
	}
	closing := len(text) > 1 && text[1] == '/'
	after := text[1:]
	if closing {
		after = text[2:]
	}
	name := tagName(after)
	lower := strings.ToLower(string(name))
	after = after[len(name):]
	switch {
	case !closing && isRawText(lower) && endsTagName(after):
		return htmlRaw
	case isBlockTag(lower) && (endsTagName(after) || bytes.HasPrefix(after, []byte("/>"))):
		return htmlBlockTag
	case isRawText(lower) && !closing:
		return 0
	}
	if n := tagLength(text); n > 0 && len(trimSpace(text[n:])) == 0 {
		return htmlAnyTag
	}
	return 0
}

// endsTagName reports whether a tag name ends before after.
func endsTagName(after []byte) bool {
	return len(after) == 0 || isSpace(after[0]) || after[0] == '>'
}

// tagName returns the tag name with which text begins: a letter, then letters,
// digits and hyphens.
func tagName(text []byte) []byte {
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && (isDigit(text[n]) || text[n] == '-')) {
		n++
	}
	return text[:n]
}

// isRawText reports whether name, in any case, is an element whose content
// HTML does not parse.
func isRawText(name string) bool {
	switch strings.ToLower(name) {
	case "script", "pre", "style", "textarea":
		return true
	}
	return false
}

// isBlockTag reports whether name, in lower case, begins an HTML block of kind
// 6.
func isBlockTag(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body",
		"caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir",
		"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
		"frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
		"hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem",
		"nav", "noframes", "ol", "optgroup", "option", "p", "param", "search",
		"section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
		"title", "tr", "track", "ul":
		return true
	}
	return false
}
