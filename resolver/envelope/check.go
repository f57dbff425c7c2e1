package envelope

import (
	"cmp"
	"fmt"
	"slices"
)

// check collects what is wrong with one document.
type check struct {
	lines    []int // the offset of each line's first byte
	findings []Finding
}

func newCheck(document []byte) *check {
	c := &check{lines: []int{0}}
	for i, b := range document {
		if b == '\n' {
			c.lines = append(c.lines, i+1)
		}
	}
	return c
}

// add reports a finding about the value of that pointer, which stands at an
// offset of the document; a negative one is about the whole document.
func (c *check) add(pointer string, offset int, code, format string, args ...any) {
	f := Finding{Pointer: pointer, Code: code, Message: fmt.Sprintf(format, args...)}
	if offset >= 0 {
		f.Line, f.Column = c.place(offset)
	}
	c.findings = append(c.findings, f)
}

// place returns line and column of an offset, both from 1.
func (c *check) place(offset int) (line, column int) {
	i, exact := slices.BinarySearch(c.lines, offset)
	if !exact {
		i--
	}
	return i + 1, offset - c.lines[i] + 1
}

// done returns the findings in order of place.
func (c *check) done() []Finding {
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(c.findings)
}
