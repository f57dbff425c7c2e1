package selector

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

var linesKind = &kind{
	name:       "lines",
	positional: func(string) bool { return true },
	parse:      parseLines,
	summary:    "lines of a text, counted from 1",
	example:    "lines=10-20",
	doc: `lines=FIRST-LAST; one line is lines=10-10. LF and CRLF end a line, a lone CR
does not. The range begins with the first byte of FIRST and ends before LAST's
terminator. Past the end is missing. Lines move when text above them is edited:
prefer a heading, an item or a symbol where there is one.`,
}

// lines is an inclusive pair of line numbers, 1 <= first <= last.
type lines struct{ first, last int }

func parseLines(value string, _ []string) (evaluator, error) {
	a, b, found := strings.Cut(value, "-")
	if !found {
		return nil, malformed(len(value), "lines are FIRST-LAST; one line is N-N")
	}
	first, err := parseLineNumber(a, 0)
	if err != nil {
		return nil, err
	}
	last, err := parseLineNumber(b, len(a)+1)
	if err != nil {
		return nil, err
	}
	if last < first {
		return nil, malformed(len(a)+1, fmt.Sprintf("the last line, %d, comes before the first, %d", last, first))
	}
	return lines{first, last}, nil
}

// parseLineNumber parses a decimal from 1 to 999,999,999 without leading zeros;
// offset is where it stands in the value.
func parseLineNumber(s string, offset int) (int, error) {
	if len(s) == 0 || len(s) > 9 || s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, malformed(offset, "a line number is a decimal from 1 to 999999999 without leading zeros")
	}
	return strconv.Atoi(s)
}

func (l lines) value() string { return strconv.Itoa(l.first) + "-" + strconv.Itoa(l.last) }

func (l lines) find(_ context.Context, d *Document) ([]Match, error) {
	r, ok := d.LineRange(l.first, l.last)
	if !ok {
		return nil, &Error{Fault: NoMatch, Proof: fmt.Sprintf("the document ends before line %d: it has %d", l.last, d.lineCount())}
	}
	return []Match{{Range: r}}, nil
}

// LinesOf returns the first and last line, counted from 1, of what s selected in d.
// Lines that were named are those, also where the last one is empty.
func (s Selector) LinesOf(d *Document, r Range) (first, last int) {
	if l, ok := s.eval.(lines); ok {
		return l.first, l.last
	}
	return d.Lines(r)
}

// LineCount returns how many lines s selects, false when it is no selector of
// lines.
func (s Selector) LineCount() (int, bool) {
	l, ok := s.eval.(lines)
	return l.last - l.first + 1, ok
}
