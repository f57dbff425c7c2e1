package report

import (
	"bytes"
	"fmt"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// Report is what a run found. It holds no time, no host and no absolute path.
type Report struct {
	Version string // of ctxptr

	Total     int // references that were proven or not: pointers, pins and plain ones
	Resolved  int
	Refreshed int
	Blocked   int
	Found     int // plain references, without an identity, that name exactly one thing
	Skipped   int // references that a filter left out, not among Total
	Defects   int // what is wrong with documents beside their references, not among Total

	Proven   []Proven   // what holds, in input order
	Findings []Finding  // what does not, or not as it is written, in input order
	Accepted []Accepted // identities accepted against the base

	// Changed are the paths that a change touches, nil where no change is looked at.
	// A forge shows annotations only on files that the change touches, and one that
	// changes an authority need not touch the files that refer to it: such a finding
	// is shown at the authority, together with the others about the same range.
	Changed []string
}

// Finding is one reference that must not be acted on as it stands, or one thing that
// is wrong with a document.
type Finding struct {
	Code      authority.Code // "refreshed" where a new pointer must be adopted first
	Level     Level
	Subject   string          // what the pointer names, printable and short
	Message   string          // one sentence, printable and short
	Detail    string          // the whole text that resolve prints, printable, lines end in a line feed
	Place     *resolver.Place // where the pointer stands, nil where it stood in no file
	Authority Authority
	Means     string // what the code means and what to do next, "" for a code of a record
	Next      string
	Pointer   string // canonical, "" when it did not parse
	Episode   string // names this pointer with this observation, "" where there is none
	Fix       []string
}

// Authority is where what the pointer names stands now.
type Authority struct {
	Path  string  // relative to the root, as it is; "" where no path is known
	Lines *[2]int // first and last, from 1; nil for all of it
}

// Level is how bad a finding is.
type Level int

// The levels.
const (
	Note    Level = iota // something that a reviewer must see
	Warning              // adopt the new pointer first
	Error                // do not act
)

// Proven is one reference that holds.
type Proven struct {
	Subject string
	Place   *resolver.Place
}

// Accepted is one identity that was accepted against the base.
type Accepted struct {
	Place          *resolver.Place
	Subject        string
	Added, Removed int // lines of the selection, both 0 where they are not known
}

// Refreshed is the Code of a finding about a refreshed pointer.
const Refreshed authority.Code = resolver.Refreshed

// Bounds of what is printed of one name or sentence, in bytes. A finding's Detail
// has all of it.
const (
	maxSubject = 200
	maxMessage = 600
)

// FromRecords makes the report of a batch.
func FromRecords(records []*resolver.Record) Report {
	r := Report{Total: len(records)}
	for _, record := range records {
		switch record.Outcome {
		case resolver.Resolved:
			r.Resolved++
		case resolver.Exists:
			r.Found++
		case resolver.Refreshed:
			r.Refreshed++
		default:
			r.Blocked++
		}
		if record.Outcome == resolver.Resolved || record.Outcome == resolver.Exists {
			r.Proven = append(r.Proven, Proven{subject(record), record.At})
		} else {
			r.Findings = append(r.Findings, finding(record))
		}
	}
	return r
}

func finding(record *resolver.Record) Finding {
	var detail bytes.Buffer
	Text(&detail, record)
	f := Finding{
		Code: record.Code, Level: Error, Subject: subject(record), Message: sentence(record.MissingProof),
		Detail: detail.String(), Place: record.At, Authority: authorityOf(record),
		Pointer: record.Pointer, Episode: record.Episode, Fix: record.Fix,
	}
	if record.Outcome == resolver.Refreshed {
		f.Code, f.Level = Refreshed, Warning
		f.Message = "the authority has another identity now than the pointer states; adopt the new pointer first"
	}
	return f
}

func subject(record *resolver.Record) string { return subjectText(record.Name()) }

func sentence(s string) string { return cut(Printable(s), maxMessage) }

// cut shortens a printable text and says by how much.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xc0 == 0x80 { // not within a character
		n--
	}
	return fmt.Sprintf("%s… (%d bytes more)", s[:n], len(s)-n)
}

// authorityOf says where what a pointer names stands, as far as the record tells.
func authorityOf(record *resolver.Record) Authority {
	if path, ok := record.Observed.Place(); ok {
		return Authority{path, record.Observed.Lines}
	}
	return Authority{Path: locatorPath(record)}
}

// locatorPath is the path that a pointer states, relative to the root, "" where
// there is none.
func locatorPath(record *resolver.Record) string {
	p := record.Subject()
	if p.IsZero() {
		return ""
	}
	from := ""
	if record.At != nil {
		from = record.At.Path
	}
	path, _ := p.Path(from)
	return path
}

// Summary is the one sentence about the whole run.
func (r Report) Summary() string {
	parts := []string{Counted(r.Total, "reference"), fmt.Sprintf("%d resolved", r.Resolved)}
	if r.Found > 0 {
		parts = append(parts, fmt.Sprintf("%d found", r.Found))
	}
	if r.Refreshed > 0 {
		parts = append(parts, fmt.Sprintf("%d refreshed", r.Refreshed))
	}
	parts = append(parts, fmt.Sprintf("%d blocked", r.Blocked))
	if r.Defects > 0 {
		parts = append(parts, Counted(r.Defects, "defect"))
	}
	if r.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", r.Skipped))
	}
	if len(r.Accepted) > 0 {
		parts = append(parts, fmt.Sprintf("%d accepted", len(r.Accepted)))
	}
	return strings.Join(parts, ", ")
}

// Counted is a number with its noun: 1 pin, 2 pins.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// PlaceText is a place as text prints it, "" where there is none.
func PlaceText(p *resolver.Place) string {
	switch {
	case p == nil:
		return ""
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", Shown(p.Path), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", Shown(p.Path), p.Line, p.Column)
}

// String is one accepted change as check prints it.
func (a Accepted) String() string {
	text := "accepted " + subjectText(a.Subject)
	if a.Place != nil {
		text = fmt.Sprintf("accepted %s:%d → %s", cut(Shown(a.Place.Path), maxPath), a.Place.Line, subjectText(a.Subject))
	}
	if a.Added+a.Removed > 0 {
		text += fmt.Sprintf(" (+%d −%d)", a.Added, a.Removed)
	}
	return text
}
