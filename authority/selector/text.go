package selector

import (
	"bytes"
	"context"
	"fmt"
)

var textKind = &kind{
	name:    "text",
	parse:   parseText,
	summary: "bytes by quotation",
	example: "text=exact words",
	doc: `text=QUOTATION; the very bytes, which stand in the document exactly once. It proves
that they are there and nothing about what is around them.`,
}

// mostQuotation is the greatest length of a quotation in bytes.
const mostQuotation = 64 << 10

// quotation is bytes to be found.
type quotation string

func parseText(value string, _ []string) (evaluator, error) {
	if err := checkQuotation(value, 0); err != nil {
		return nil, err
	}
	return quotation(value), nil
}

// checkQuotation returns a Malformed error with offset unless s can be looked
// for.
func checkQuotation(s string, offset int) error {
	if s == "" {
		return malformed(offset, "the quotation is empty")
	}
	if len(s) > mostQuotation {
		return malformed(offset, fmt.Sprintf("a quotation is at most %d bytes long", mostQuotation))
	}
	return nil
}

func (q quotation) value() string { return string(q) }

func (q quotation) find(_ context.Context, d *Document) ([]Match, error) {
	ranges := q.occurrences(d.data)
	return capMatches(ranges, func(most int) []string { return d.linesNames(ranges[:most]) })
}

// occurrences returns where q stands in data, overlapping ones too, and at most
// one more than mostMatches.
func (q quotation) occurrences(data []byte) []Range {
	var all []Range
	for from := 0; len(all) <= mostMatches; {
		i := bytes.Index(data[from:], []byte(q))
		if i < 0 {
			break
		}
		all = append(all, Range{from + i, from + i + len(q)})
		from += i + 1
	}
	return all
}
