package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"ctxptr/resolver"
)

// Text writes what a model or a person reads of a record: one line where it is
// resolved, else what to do and then exactly why. It ends in a line feed.
func Text(b *bytes.Buffer, r *resolver.Record) {
	switch r.Outcome {
	case resolver.Resolved:
		fmt.Fprintf(b, "ok %s\n", r.Name())
	case resolver.Exists:
		fmt.Fprintf(b, "found %s\n", r.Name())
	case resolver.Refreshed:
		fmt.Fprintf(b, "refreshed %s: adopt the new pointer first\n", r.Name())
		Detail(b, "id", r.ID)
		Detail(b, "new", r.PointerNow)
		Detail(b, "stated", r.StatedIdentity)
		Detail(b, "current", r.Identity)
	default:
		blockedText(b, r)
	}
}

// blockedText is what a model reads first: what to do, then exactly why.
func blockedText(b *bytes.Buffer, r *resolver.Record) {
	fmt.Fprintf(b, "BLOCKED %s %s: do not act on it; return this record\n", r.Code, r.Name())
	Detail(b, "id", r.ID)
	Detail(b, "missing", r.MissingProof)
	if r.Pointer != "" {
		Detail(b, "pointer", r.Pointer)
	}
	if r.Input != nil {
		Detail(b, "input", inputText(r))
	}
	if r.Offset != nil {
		Detail(b, "offset", strconv.Itoa(*r.Offset))
	}
	Detail(b, "at", PlaceText(r.At))
	Detail(b, "rule", r.Rule)
	Detail(b, "expected", r.Expected)
	Detail(b, "observed", observedText(r.Observed))
	Detail(b, "difference", r.Difference)
	for _, c := range r.Candidates {
		Detail(b, "candidate", candidateText(c))
	}
	if r.Omitted > 0 {
		Detail(b, "candidates", fmt.Sprintf("%d more", r.Omitted))
	}
	for _, p := range r.IdenticalAt {
		Detail(b, "identical", identicalText(p))
	}
	if r.IdenticalCut {
		Detail(b, "identical", "the search was cut: not everything was seen")
	}
	for _, c := range r.Changed {
		Detail(b, "changed", c.Pointer+" is now "+c.Identity)
	}
	if r.ChangedOmitted > 0 {
		Detail(b, "changed", fmt.Sprintf("%d more", r.ChangedOmitted))
	}
	Detail(b, "refresh", r.Refresh)
	Detail(b, "episode", r.Episode)
	if r.Fix != nil {
		Detail(b, "fix", CommandText(r.Fix))
	}
}

// Detail writes one indented line, a name and its text, nothing where there is no
// text. What could steer a terminal is escaped.
func Detail(b *bytes.Buffer, name, text string) {
	if text != "" {
		fmt.Fprintf(b, "  %-9s %s\n", name, Printable(text))
	}
}

func inputText(r *resolver.Record) string {
	text := strconv.QuoteToASCII(*r.Input)
	if r.InputBytes > 0 {
		text += fmt.Sprintf(" (cut: %d bytes, %s)", r.InputBytes, r.InputDigest)
	}
	return text
}

func observedText(o *resolver.Observed) string {
	if o == nil {
		return ""
	}
	parts := []string{o.Layer}
	if o.Identity != "" {
		parts[0] = o.Identity + " in the " + o.Layer
	}
	if o.Lines != nil {
		parts = append(parts, LinesText(*o.Lines))
	}
	if o.Commit != "" {
		parts = append(parts, "commit "+o.Commit)
	}
	if o.MergeBase != "" {
		parts = append(parts, "from merge base "+o.MergeBase)
	} else if o.Base != "" {
		parts = append(parts, "from "+o.Base)
	}
	if o.ChangedPaths != nil {
		parts = append(parts, fmt.Sprintf("%d changed paths", *o.ChangedPaths))
	}
	if o.Conversion != "" {
		parts = append(parts, "conversion "+o.Conversion)
	}
	if o.Index != "" && o.Index != o.Identity {
		parts = append(parts, o.Index+" in the index")
	}
	if o.Notes != nil {
		parts = append(parts, "not applied: "+strings.Join(o.Notes, " "))
	}
	return strings.Join(parts, ", ")
}

func candidateText(c resolver.Candidate) string {
	text := c.Pointer
	if c.Name != "" {
		text = Shown(c.Name)
	}
	if c.Lines != nil {
		text = strings.TrimLeft(fmt.Sprintf("%s (%s)", text, LinesText(*c.Lines)), " ")
	}
	return text
}

// identicalText names the place, and gives the pointer to it where there is one.
func identicalText(p resolver.IdenticalPlace) string {
	text := p.Path
	if p.PathURI != "" {
		text = p.PathURI
	}
	text = Shown(text)
	if p.Lines != nil {
		text += ", " + LinesText(*p.Lines)
	}
	if p.Pointer != "" {
		text += ": " + p.Pointer
	}
	return text
}

// LinesText names lines as text output does.
func LinesText(lines [2]int) string {
	if lines[0] == lines[1] {
		return fmt.Sprintf("line %d", lines[0])
	}
	return fmt.Sprintf("lines %d-%d", lines[0], lines[1])
}

// CommandText is an argv as a POSIX shell takes it.
func CommandText(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = resolver.ShellQuote(word)
	}
	return strings.Join(words, " ")
}

// Printable escapes, as Go does, every character that could steer a terminal or
// reorder what stands on it. Such a text stays on its line.
func Printable(s string) string {
	if strings.IndexFunc(s, func(c rune) bool { return !safe(c) }) < 0 {
		return s
	}
	var b strings.Builder
	for i, c := range s {
		switch {
		case safe(c):
			b.WriteRune(c)
		case c == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		default:
			quoted := strconv.QuoteRuneToASCII(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// safe is false also for what decodes no UTF-8.
func safe(c rune) bool { return strconv.IsPrint(c) && c != utf8.RuneError }

// Shown makes a text safe on a terminal: as it is when every character is
// printable, so that a path can be clicked on and copied, else quoted.
func Shown(s string) string {
	if quoted := strconv.Quote(s); quoted[1:len(quoted)-1] != s {
		return quoted
	}
	return s
}
