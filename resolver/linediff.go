package resolver

import (
	"bytes"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
)

// lineText is text whose first line is line first of its file, counted from 1.
type lineText struct {
	name  string // what a header calls it
	data  []byte
	first int
}

// LineChanges returns how many lines a diff of two texts adds and removes. A last
// line counts whether or not it is terminated. It takes time in proportion to
// n log n of the lines, whatever they are, and not always the smallest diff.
func LineChanges(old, new []byte) (added, removed int) {
	return countChanges(hunks(old, new))
}

func countChanges(body []byte) (added, removed int) {
	for line := range bytes.Lines(body) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// unified returns a unified diff whose line numbers are those of the files, nil
// when the texts are identical, and how many lines it adds and removes.
func unified(old, new lineText) (text []byte, added, removed int) {
	body := hunks(old.data, new.data)
	if body == nil {
		return nil, 0, 0
	}
	out := fmt.Appendf(nil, "--- %s\n+++ %s\n", old.name, new.name)
	for line := range bytes.Lines(body) {
		if line[0] == '@' {
			line = shiftHunk(line, old.first-1, new.first-1)
		}
		out = append(out, line...)
	}
	added, removed = countChanges(body)
	return out, added, removed
}

// hunks is a diff from its first hunk on. Every line of a text begins with a
// blank, + or -, so that what begins with @ is the head of a hunk.
func hunks(old, new []byte) []byte {
	body := diff.Diff("", old, "", new)
	for range 3 { // the lines diff, --- and +++
		_, body, _ = bytes.Cut(body, []byte{'\n'})
	}
	return body
}

// shiftHunk adds to the line numbers in the head of a hunk. A side without lines
// is numbered by the line before it, to which the same is added.
func shiftHunk(head []byte, old, new int) []byte {
	var from, removed, to, added int
	if _, err := fmt.Sscanf(string(head), "@@ -%d,%d +%d,%d @@", &from, &removed, &to, &added); err != nil {
		return head
	}
	return fmt.Appendf(nil, "@@ -%d,%d +%d,%d @@\n", from+old, removed, to+new, added)
}
