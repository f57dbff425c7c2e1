// Package markdown finds the blocks of a Markdown document, the text of its headings
// and its links, with exact byte offsets of the document as it was given.
//
// The block structure is that of CommonMark 0.31.2 (https://spec.commonmark.org/0.31.2/)
// with the tables of GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-).
// A byte order mark is skipped and front matter is cut off, but offsets keep
// counting both. Lines end with LF, CRLF or a lone CR, as CommonMark has it.
// Bytes are never changed: NUL and invalid UTF-8 are bytes like others.
//
// Inlines are parsed on request only, in headings for what they say and elsewhere for
// links: code spans, backslash escapes, entities, emphasis, strikethrough, links,
// images, autolinks and raw HTML.
//
// Start with block.go for the result and scanner.go for how blocks are found; inline.go
// parses inlines, heading.go and links.go ask it.
//
// Time and memory are linear in the size of the document whatever it holds;
// what would not be is refused with a [LimitError].
package markdown
