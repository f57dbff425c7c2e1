package selector

import "fmt"

// mostMatches is how many matches an ambiguous selector lists. A quotation of
// one letter fits everywhere; nobody reads a million candidates.
const mostMatches = 1000

// capMatches makes matches of ranges. names is asked for the selectors that
// tell the first most of them apart, when there are several.
func capMatches(ranges []Range, names func(most int) []string) ([]Match, error) {
	most := min(len(ranges), mostMatches)
	matches := make([]Match, most)
	for i := range matches {
		matches[i].Range = ranges[i]
	}
	if len(ranges) < 2 {
		return matches, nil
	}
	for i, name := range names(most) {
		matches[i].Alone = name
	}
	if len(ranges) > most {
		return nil, &Error{Fault: ManyMatches, Proof: fmt.Sprintf("more than %d places fit; exactly one must", most), Matches: matches}
	}
	return matches, nil
}

// linesNames returns the lines selector of each range, empty where it is not
// whole lines.
func (d *Document) linesNames(ranges []Range) []string {
	names := make([]string, len(ranges))
	for i, r := range ranges {
		names[i] = d.LinesName(r)
	}
	return names
}
