package resolver

import (
	"fmt"
	"slices"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// maxCandidates is how many meanings a record lists.
const maxCandidates = 1000

// candidates lists every meaning of what is ambiguous, and how many more there
// are than a record holds.
func candidates(a *attempt) (list []Candidate, omitted int) {
	for _, name := range a.fault.Candidates {
		list = append(list, Candidate{Name: name})
	}
	for _, m := range a.fault.Matches {
		if len(list) == maxCandidates {
			break
		}
		list = append(list, a.candidate(m))
	}
	if len(list) > maxCandidates {
		list = list[:maxCandidates]
	}
	return list, len(a.fault.Candidates) + len(a.fault.Matches) - len(list)
}

// maxListed is how many candidates all records of a run hold together, and as many
// places and changed inputs: the records stand in memory at once, and a few bytes
// of input can ask for a thousand candidates each.
const maxListed = 1 << 18

// shareOf is how many entries a list has in each of so many records.
func shareOf(records int) int { return max(1, maxListed/max(1, records)) }

// listAtMost cuts every list of the record, and says so.
func (r *Record) listAtMost(most int) *Record {
	if n := len(r.Candidates) - most; n > 0 {
		r.Candidates = slices.Clone(r.Candidates[:most])
		r.Omitted += n
	}
	if n := len(r.Changed) - most; n > 0 {
		r.Changed = slices.Clone(r.Changed[:most])
		r.ChangedOmitted += n
	}
	if len(r.IdenticalAt) > most {
		r.IdenticalAt = slices.Clone(r.IdenticalAt[:most])
		r.IdenticalCut = true
	}
	return r
}

// candidate is one place that fits, with a pointer that means it alone where a
// selector does.
func (a *attempt) candidate(m selector.Match) Candidate {
	c := Candidate{Bytes: &[2]int{m.From, m.To}}
	doc := a.found.Doc
	if doc == nil {
		return c
	}
	first, last := doc.Lines(m.Range)
	c.Lines = &[2]int{first, last}
	text := m.Alone
	if text == "" {
		text = doc.LinesName(m.Range)
	}
	sel, err := selector.Parse(text)
	if err != nil {
		return c
	}
	p := a.pointer.withSelector(sel)
	if !p.identity.Whole() {
		p = p.withIdentity(authority.Digest(p.identity, doc.Bytes(m.Range)))
	}
	c.Pointer = p.String()
	return c
}

// lineCandidates are the candidates of lines that moved to several places.
func lineCandidates(p Pointer, doc *selector.Document, places [][2]int) (list []Candidate, omitted int) {
	for _, place := range places {
		if len(list) == maxCandidates {
			break
		}
		r, _ := doc.LineRange(place[0], place[1])
		list = append(list, Candidate{
			Pointer: p.withSelector(linesSelector(place)).String(),
			Bytes:   &[2]int{r.From, r.To}, Lines: &[2]int{place[0], place[1]},
		})
	}
	return list, len(places) - len(list)
}

// linesSelector selects the lines from place[0] to place[1].
func linesSelector(place [2]int) selector.Selector {
	sel, err := selector.Parse(fmt.Sprintf("lines=%d-%d", place[0], place[1]))
	if err != nil {
		panic("resolver: lines found in a document do not parse: " + err.Error())
	}
	return sel
}

// episode names a pointer with one observation of it: the digest of pointer,
// code and observed identity, each framed by its length (decimal, colon).
func episode(r *Record) string {
	seen := ""
	if r.Observed != nil {
		seen = r.Observed.Identity
	}
	var text []byte
	for _, field := range []string{r.Pointer, string(r.Code), seen} {
		text = fmt.Appendf(text, "%d:%s", len(field), field)
	}
	return authority.BLAKE3Sum(text).String()
}
