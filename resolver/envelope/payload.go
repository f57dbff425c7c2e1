package envelope

import (
	"slices"
	"strings"

	"ctxptr/resolver"
)

// payloads are the classes of content that an envelope must not carry, each found
// by what stands in a text. They are structures, not lengths: a long text of none
// of them passes, a short one of any does not.
var payloads = []struct {
	code    string
	message string
	in      func(text string) bool
}{
	{SkillBody, "the text is the body of a skill", isSkill},
	{FrontMatter, "the text is a document with front matter", func(text string) bool { return isFrontMatter(text) && !isSkill(text) }},
	{ReportBlock, "the text holds a review-report-json block", func(text string) bool { return reportBlock.get().MatchString(text) }},
	{Diff, "the text holds a diff", isDiff},
	{Transcript, "the text holds terminal escapes, a log or a stack trace", isTranscript},
}

// payload looks at every text that is no pointer: for pointers that stand in it,
// and for content that must not.
func (c *check) payload() {
	c.root.texts(func(n *node) {
		c.texts = append(c.texts, n)
		for _, found := range resolver.FindInLine(n.text) {
			c.inText(n, n.from, found.Text)
		}
		text := unixLines.Replace(n.text)
		for _, p := range payloads {
			if p.in(text) {
				c.addAt(n, p.code, p.message)
			}
		}
	})
}

// unixLines writes every line end as one line feed.
var unixLines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// inset is what stands before a line that is quoted, indented or in a list.
const inset = `^(?:[ \t>]|[-*+] |\d+[.)] )*`

var (
	key        = pattern{text: `(?m)^(?:[A-Za-z_][A-Za-z0-9_-]*|"[^"\n]+"|'[^'\n]+'):(?:[ \t]|$)`}
	yamlLine   = pattern{text: `^(?:$|[ \t#\]}]|- |-$|["'A-Za-z_][A-Za-z0-9_."'-]*:(?:[ \t]|$))`}
	skillName  = pattern{text: `(?m)^["']?name["']?:[ \t]*\S`}
	skillAbout = pattern{text: `(?m)^["']?description["']?:(?:[ \t]*\S|\n[ \t]+\S)`}

	reportBlock = pattern{text: "(?m)" + inset + "(?:`{3,}|~{3,})[ \t]*review-report-json\\b"}

	diffHead = pattern{text: `(?m)` + inset + `(?:diff --git "?a/|diff --(?:cc|combined) \S|` + diffHunk + `|` + diffFence + `)`}
	diffPair = pattern{text: `(?m)^[ \t>]*--- \S[^\n]*\n[ \t>]*\+\+\+ \S`}

	escapes  = pattern{text: "[\x1b\u009b]"}
	logLines = pattern{text: `(?m)(?:^[ \t>]*(?:` + logLine + `)[^\n]*(?:\n+|\z)){2}`}
	traces   = pattern{text: `(?m)^[ \t>]*(?:` + trace + `)|(?:^[ \t>]+at [^\n]*[/.(][^\n]*:(?:line )?\d+\)?\n?){2}`}
)

// diffHunk is where a hunk of a diff begins, diffFence a code block that is one.
const (
	diffFence = "(?:`{3,}|~{3,})[ \t]*(?:diff|patch)\\b"
	diffHunk  = `@@@? -\d+(?:,\d+)? (?:-\d+(?:,\d+)? )?\+\d+(?:,\d+)? @@|[*]{3} \d+(?:,\d+)? [*]{4}$|\d+(?:,\d+)?[acd]\d+(?:,\d+)?\n[ \t]*[<>] `
)

// logLine is how a line of a log begins: with an instant, a level, a test's verdict,
// as syslog and servers write it, or with an object that has a level.
const logLine = `\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?[\] ]|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[\]:]|(?:time|level|lvl|ts)=\S|[EWIF]\d{4} \d\d:\d\d|npm (?:ERR!|WARN)|=== RUN |--- (?:PASS|FAIL|SKIP): |(?:ok|FAIL)[ \t]+\S+[ \t]+[\d.(]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\S+ \S+ \S+ \[\d\d?/[A-Z][a-z]{2}/\d{4}:|\{[^\n]*"(?:level|lvl|severity)":`

// trace is a line that only the end of a program, or of its tests, writes.
const trace = `Traceback \(most recent call last\):|goroutine \d+ \[[a-z][^\]\n]*\]:|stack backtrace:$|thread '[^'\n]*' panicked at |=+ (?:test session starts|short test summary info|[^=\n]* in \d[\d.]*s[^=\n]*) =+$`

// heads returns what stands between two neighbouring fences of a text where each
// line of it can be YAML: of one that begins the text with a key, elsewhere with
// two, since a rule of Markdown is spelled as a fence is. What stands before the
// first fence, in a quotation or an indented block, stands before each line.
func heads(text string) (found []string) {
	var head strings.Builder
	open, least, before, prefix := false, 1, 2, ""
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		bare := strings.TrimRight(line, " \t\n")
		mark := strings.TrimLeft(bare, " \t>")
		inner, inside := strings.CutPrefix(bare, prefix)
		switch {
		case mark == "---" || open && mark == "...":
			if open && len(key.get().FindAllStringIndex(head.String(), 2)) >= before {
				found = append(found, head.String())
			}
			head.Reset()
			open, before, prefix = true, least, strings.TrimSuffix(bare, mark)
		case mark == "":
			head.WriteByte('\n')
			continue
		case open && inside && yamlLine.get().MatchString(inner):
			head.WriteString(inner + "\n")
		default:
			open = false
		}
		least = 2
	}
	return found
}

func isFrontMatter(text string) bool { return len(heads(text)) > 0 }

func isSkill(text string) bool {
	return slices.ContainsFunc(heads(text), func(head string) bool {
		return skillName.get().MatchString(head) && skillAbout.get().MatchString(head)
	})
}

func isDiff(text string) bool {
	return diffHead.get().MatchString(text) || diffPair.get().MatchString(text)
}

func isTranscript(text string) bool {
	return escapes.get().MatchString(text) || logLines.get().MatchString(text) || traces.get().MatchString(text)
}
