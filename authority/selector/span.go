package selector

import (
	"context"
	"fmt"
	"strings"
)

var spanKind = &kind{
	name:    "span",
	parse:   parseSpan,
	summary: "what stands between two quotations, and they themselves",
	example: "span=first words...last words",
	doc: `span=START...END; each quotation stands in the document exactly once, END behind
START. A dot next to a dot or to the ... is written \. and a backslash \\.`,
}

const ellipsis = "..."

// span is a pair of quotations.
type span struct{ start, end quotation }

func parseSpan(value string, _ []string) (evaluator, error) {
	var quotes [2]strings.Builder
	k, second := 0, 0
	for i := 0; i < len(value); i++ {
		dots := len(value[i:]) - len(strings.TrimLeft(value[i:], "."))
		switch {
		case value[i] == '\\':
			if i++; i == len(value) || value[i] != '.' && value[i] != '\\' {
				return nil, malformed(i-1, `the escapes in a span are \. and \\`)
			}
			quotes[k].WriteByte(value[i])
		case dots > len(ellipsis), dots == len(ellipsis) && k == 1:
			return nil, malformed(i, `a span is START...END with one "..."; other dots in a row are written \.`)
		case dots == len(ellipsis):
			i += len(ellipsis) - 1
			k, second = 1, i+1
		case dots > 0:
			quotes[k].WriteString(value[i : i+dots])
			i += dots - 1
		default:
			quotes[k].WriteByte(value[i])
		}
	}
	if k == 0 {
		return nil, malformed(len(value), `a span is START...END; there is no "..."`)
	}
	return newSpan(quotes[0].String(), quotes[1].String(), second)
}

// newSpan checks the two quotations, the second of which stands at offset
// second.
func newSpan(start, end string, second int) (evaluator, error) {
	if err := checkQuotation(start, 0); err != nil {
		return nil, err
	}
	if err := checkQuotation(end, second); err != nil {
		return nil, err
	}
	if start == end {
		return nil, malformed(second, "the two quotations of a span are the same")
	}
	return span{quotation(start), quotation(end)}, nil
}

func (s span) value() string {
	return escapeDots(string(s.start), false, true) + ellipsis + escapeDots(string(s.end), true, false)
}

// escapeDots escapes backslashes, and the dots that stand next to a dot or to
// the separator before or behind the quotation.
func escapeDots(q string, before, behind bool) string {
	var b strings.Builder
	for i := 0; i < len(q); i++ {
		dotBefore := before && i == 0 || i > 0 && q[i-1] == '.'
		dotBehind := behind && i == len(q)-1 || i < len(q)-1 && q[i+1] == '.'
		if q[i] == '\\' || q[i] == '.' && (dotBefore || dotBehind) {
			b.WriteByte('\\')
		}
		b.WriteByte(q[i])
	}
	return b.String()
}

func (s span) find(_ context.Context, d *Document) ([]Match, error) {
	start, err := s.start.only(d, "start")
	if err != nil {
		return nil, err
	}
	end, err := s.end.only(d, "end")
	if err != nil {
		return nil, err
	}
	if end.From < start.To {
		return nil, &Error{Fault: NoMatch, Proof: "the end quotation does not stand behind the start quotation"}
	}
	return []Match{{Range: Range{start.From, end.To}}}, nil
}

// only returns the one place of q; name says which quotation it is. When there
// are several, they are the matches of the error.
func (q quotation) only(d *Document, name string) (Range, error) {
	ranges := q.occurrences(d.data)
	switch len(ranges) {
	case 0:
		return Range{}, &Error{Fault: NoMatch, Proof: fmt.Sprintf("the %s quotation does not stand in the document", name)}
	case 1:
		return ranges[0], nil
	}
	matches, err := quotation.find(q, context.Background(), d)
	if err != nil {
		return Range{}, err
	}
	return Range{}, &Error{Fault: ManyMatches, Proof: fmt.Sprintf("the %s quotation stands in %d places; it must stand in one", name, len(matches)), Matches: matches}
}
