package envelope

import (
	"regexp"
	"slices"
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
	yamlLine   = lazy(`^(?:$|[ \t#\]}]|- |-$|["'A-Za-z_][A-Za-z0-9_."'-]*:(?:[ \t]|$))`)
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

// heads returns what stands between two neighbouring fences of a text where each
// line of it can be YAML: of one that begins the text with a key, elsewhere with
// two, since a rule of Markdown is spelled as a fence is.
func heads(text string) (found []string) {
	text = strings.TrimLeft(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff \t\n")
	open, at := -1, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\n")
		switch {
		case open >= 0 && (bare == "---" || bare == "..."):
			head := text[open:at]
			if keys := len(key().FindAllStringIndex(head, 2)); keys == 2 || keys == 1 && open == len("---\n") {
				found = append(found, head)
			}
			open = at + len(line)
		case bare == "---":
			open = at + len(line)
		case !yamlLine().MatchString(bare):
			open = -1
		}
		at += len(line)
	}
	return found
}

func isFrontMatter(text string) bool { return len(heads(text)) > 0 }

func isSkill(text string) bool {
	return slices.ContainsFunc(heads(text), func(head string) bool {
		return skillName().MatchString(head) && skillAbout().MatchString(head)
	})
}

func isDiff(text string) bool { return diffHead().MatchString(text) || diffPair().MatchString(text) }

func isTranscript(text string) bool {
	return escapes().MatchString(text) || logLines().MatchString(text) || traces().MatchString(text)
}
