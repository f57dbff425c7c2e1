package report

import (
	"fmt"
	"strings"

	"ctxptr/resolver"
)

// sample is a report with everything that a report can hold.
func sample() Report {
	const pointer = "ctxptr:file:docs/SPEC.md@blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262:matches_current#item=AC-010"
	stale := Finding{
		Code: "stale:identity", Level: Error, Subject: "docs/SPEC.md#item=AC-010",
		Message: "the selection has another identity now than the pointer states",
		Detail: "BLOCKED stale:identity docs/SPEC.md#item=AC-010: do not act on it; return this record\n" +
			"  missing   the selection has another identity now than the pointer states\n  pointer   " + pointer + "\n",
		Place:     &resolver.Place{Path: "plans/p1.md", Line: 12, Column: 3},
		Authority: Authority{"docs/SPEC.md", &[2]int{4, 6}},
		Pointer:   pointer, Episode: "blake3:c20d9d95537def8ec0167f944e8812eeb1f3f093ec9929f6b5dec393cfd4de6e",
	}
	again := stale
	again.Place = &resolver.Place{Path: "plans/p2.md", Line: 1, Column: 1}
	twice := again
	twice.Place = &resolver.Place{Path: "plans/p2.md", Line: 9, Column: 1}
	shallow := Finding{
		Code: "missing:history_shallow", Level: Error, Subject: "commit:HEAD~9", Message: "the history is cut before the answer",
		Detail: "BLOCKED missing:history_shallow commit:HEAD~9: do not act on it; return this record\n  fix       git fetch --unshallow\n",
		Fix:    []string{"git", "fetch", "--unshallow"},
	}
	refreshed := Finding{
		Code: Refreshed, Level: Warning, Subject: "docs/API.md#heading=Start",
		Message:   "the authority has another identity now than the pointer states; adopt the new pointer first",
		Detail:    "refreshed docs/API.md#heading=Start: adopt the new pointer first\n",
		Place:     &resolver.Place{Path: "notes, 100%: a b.md", Line: 2},
		Authority: Authority{Path: "docs/API.md"},
	}
	return Report{
		Version: "v1.2.3", Total: 8, Resolved: 2, Refreshed: 1, Blocked: 4, Found: 1, Skipped: 2,
		Findings: []Finding{stale, shallow, again, refreshed, twice},
		Proven:   []Proven{{"src/main.go#symbol=main", &resolver.Place{Path: "plans/p1.md", Line: 3, Column: 1}}, {"docs", nil}, {`"../docs/SPEC.md#ac-010"`, &resolver.Place{Path: "plans/p1.md", Line: 5, Column: 9}}},
		Accepted: []Accepted{{&resolver.Place{Path: "plans/p1.md", Line: 20}, "docs/SPEC.md#item=AC-011", 1, 1}},
	}
}

// hostile are texts that mean something to a runner, a terminal, a browser or a
// parser.
var hostile = []string{
	"::error::x", "\n::set-output name=a::b\n", "\r::endgroup::\r\n::add-mask::a", "##[error]x", "a ##[stop-commands]t", "%0A::error::x", "%25", "::stop-commands::",
	"]]>", "<![CDATA[", "</failure></testcase>", "&lt;&amp;&#0;", `"'` + "`", "```", "````\n# heading", "| a | b |", "[x](javascript:alert(1))", "<script>alert(1)</script>", "<!--", "-->",
	"\x1b[31mred\x1b[0m", "\x1b]0;title\a", "\u202eright to left", "a\u2066b\u2069c", "\u200bzero width", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "\ufffe", "  ", `\u0022`, `\`, `{"a":1}`, "{0}", "@someone", "$(id)", "`id`", "${{ inputs.x }}", "~~~", "    code", "http://example.com/a", "www.example.com",
	strings.Repeat("n", 1<<20), strings.Repeat("`", 3000), strings.Repeat("\n", 3000), strings.Repeat("\x1b", 9000), strings.Repeat("é", 4097),
}

// attack is a report in which a hostile text stands wherever others write.
func attack(text string) Report {
	place := &resolver.Place{Path: "docs/" + text, Line: 3, Column: 2}
	f := Finding{
		Code: "stale:identity", Level: Error, Subject: text, Message: text, Detail: text, Place: place,
		Authority: Authority{Path: text, Lines: &[2]int{1, 2}}, Pointer: text, Episode: text, Fix: []string{text, text},
	}
	bare := f
	bare.Place, bare.Level = nil, Warning
	return Report{
		Version: text, Total: 4, Resolved: 1, Refreshed: 1, Blocked: 2,
		Findings: []Finding{f, bare, f}, Proven: []Proven{{text, place}},
		Accepted: []Accepted{{place, text, 3, 0}},
	}
}

// many is a report of n blocked pointers.
func many(n int) Report {
	r := Report{Total: n, Blocked: n}
	for i := range n {
		r.Findings = append(r.Findings, Finding{
			Code: "missing:authority", Level: Error, Subject: fmt.Sprintf("gone/%d.md", i), Message: "nothing stands there",
			Detail:    fmt.Sprintf("BLOCKED missing:authority gone/%d.md: do not act on it; return this record\n", i),
			Place:     &resolver.Place{Path: "plans/p.md", Line: i + 1, Column: 1},
			Authority: Authority{Path: fmt.Sprintf("gone/%d.md", i)},
		})
	}
	return r
}
