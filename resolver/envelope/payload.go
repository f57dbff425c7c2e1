package envelope

import (
	"regexp"
	"strings"
	"sync"

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
	{ReportBlock, "the text holds a review-report-json block", func(text string) bool { return reportBlock().MatchString(text) }},
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
		for _, p := range payloads {
			if p.in(n.text) {
				c.addAt(n, p.code, p.message)
			}
		}
	})
}

// The patterns compile when they are first needed, not at every start.
var (
	key        = lazy(`(?m)^[A-Za-z_][A-Za-z0-9_-]*:(?:[ \t\r]|$)`)
	skillName  = lazy(`(?m)^name:[ \t]*\S`)
	skillAbout = lazy(`(?m)^description:[ \t]*\S`)

	reportBlock = lazy("(?m)^ {0,3}(?:`{3,}|~{3,})[ \t]*review-report-json\\b")

	diffHead = lazy(`(?m)^(?:diff --git "?a/|diff --(?:cc|combined) \S|@@@? -\d+(?:,\d+)? (?:-\d+(?:,\d+)? )?\+\d+(?:,\d+)? @@)`)
	diffPair = lazy(`(?m)^--- \S[^\n]*\n\+\+\+ \S`)

	escapes  = lazy("\x1b[\\[\\]()#PX^_]|\u009b")
	logLines = lazy(`(?m)(?:^[ \t]*(?:` + logLine + `)[^\n]*(?:\n|\z)){2}`)
	traces   = lazy(`(?m)^Traceback \(most recent call last\):|^goroutine \d+ \[[a-z]|(?:^[ \t]+at \S[^\n]*:\d+\)?\r?\n?){2}`)
)

func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// logLine is how a line of a log begins: with an instant, a level or a test's
// verdict.
const logLine = `\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?[\] ]|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[\]:]|(?:time|level|lvl|ts)=\S|[EWIF]\d{4} \d\d:\d\d|npm (?:ERR!|WARN)|=== RUN |--- (?:PASS|FAIL|SKIP): |(?:ok|FAIL)[ \t]+\S+[ \t]+[\d.(]`

// frontMatter returns what stands between the fences at the head of a text.
func frontMatter(text string) (string, bool) {
	text = strings.TrimLeft(text, "\ufeff \t\r\n")
	rest, found := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !found {
		return "", false
	}
	head := rest
	for line := range strings.Lines(rest) {
		if fence := strings.TrimRight(line, " \t\n"); fence == "---" || fence == "..." {
			return rest[:len(rest)-len(head)], true
		}
		head = head[len(line):]
	}
	return "", false
}

func isFrontMatter(text string) bool {
	head, ok := frontMatter(text)
	return ok && key().MatchString(head)
}

func isSkill(text string) bool {
	head, ok := frontMatter(text)
	return ok && skillName().MatchString(head) && skillAbout().MatchString(head)
}

func isDiff(text string) bool { return diffHead().MatchString(text) || diffPair().MatchString(text) }

func isTranscript(text string) bool {
	return escapes().MatchString(text) || logLines().MatchString(text) || traces().MatchString(text)
}
