package report

import (
	"bytes"
	"fmt"
	"strings"
)

// Bounds of a Markdown report, in bytes. GitHub keeps 1 MiB of a step's summary;
// what else the step writes there has room too.
const (
	maxMarkdown       = 960 << 10
	maxMarkdownDetail = 16 << 10
)

// renderMarkdown writes a heading, then a part for each finding. All that others
// wrote stands in code spans and fences.
func renderMarkdown(b *bytes.Buffer, r Report) error {
	fmt.Fprintf(b, "### ctxptr: %s\n", r.Summary())
	parts := make([]string, 0, len(r.Findings)+1)
	if len(r.Accepted) > 0 {
		parts = append(parts, "\nIdentities accepted against the base:\n\n")
	}
	for _, a := range r.Accepted {
		parts = append(parts, "- "+codeSpan(a.String())+"\n")
	}
	for _, f := range r.Findings {
		parts = append(parts, f.markdown())
	}
	for i, part := range parts {
		if b.Len()+len(part) > maxMarkdown {
			fmt.Fprintf(b, "\n%d more are left out here.\n", len(parts)-i)
			break
		}
		b.WriteString(part)
	}
	return nil
}

func (f Finding) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### %s %s\n", codeSpan(string(f.Code)), codeSpan(f.Subject))
	if f.Place != nil {
		fmt.Fprintf(&b, "\nat %s\n", codeSpan(cut(PlaceText(f.Place), maxPath)))
	}
	detail := cutLines(f.Detail, maxMarkdownDetail)
	fence := strings.Repeat("`", max(3, longestRun(detail)+1))
	fmt.Fprintf(&b, "\n%stext\n%s%s\n", fence, detail, fence)
	return b.String()
}

// codeSpan is a printable text as a code span: between more backticks than it has
// in a row, and spaces that do not count.
func codeSpan(s string) string {
	if s == "" {
		return "` `"
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	return ticks + " " + s + " " + ticks
}

// longestRun is how many backticks stand in a row.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
