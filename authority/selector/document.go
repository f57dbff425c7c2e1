package selector

import "strings"

// Document is the bytes of one authority, with what has been parsed of them so
// far, so that a batch of selectors on one authority parses it once. It is not
// safe for concurrent use.
type Document struct {
	path   string
	data   []byte
	index  lineIndex    // where lines begin, made on first use
	marked outlineCache // the document as Markdown, made on first use
	parsed dataCache    // the document as data, made on first use
	source sourceCache  // the document as source code, made on first use
}

// NewDocument makes a Document of data. path is the slash-separated path under
// which it is known; its extension decides the language. data must not change
// afterwards.
func NewDocument(path string, data []byte) *Document { return &Document{path: path, data: data} }

// Bytes returns the bytes of r.
func (d *Document) Bytes(r Range) []byte { return d.data[r.From:r.To] }

// Len returns the length of the document in bytes.
func (d *Document) Len() int { return len(d.data) }

// WithTerminator returns r with the line terminator that stands right behind it,
// if one does: what a selector names ends before it, and text that is shown does
// not.
func (d *Document) WithTerminator(r Range) Range {
	for _, end := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(string(d.data[r.To:min(len(d.data), r.To+len(end))]), end) {
			r.To += len(end)
			break
		}
	}
	return r
}
