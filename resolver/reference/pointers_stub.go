package reference

import (
	"strings"

	"ctxptr/resolver"
)

// Pointers is replaced at merge.
func Pointers(data []byte) []Reference {
	var list []Reference
	offset, line := 0, 0
	for text := range strings.Lines(string(data)) {
		line++
		for _, f := range resolver.FindInLine(strings.TrimRight(text, "\r\n")) {
			from := offset + f.Column - 1
			list = append(list, Reference{Form: Pointer, Text: f.Text, From: from, To: from + len(f.Text), Line: line, Column: f.Column})
		}
		offset += len(text)
	}
	return list
}
