package envelope

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"ctxptr/authority"
)

// Report is a retained review report that is sound in itself: whether what it
// names still is as it says is for pointers to prove.
type Report struct {
	Version string // of the table of versions
	Lineage string // 64 hexadecimal digits, as are the other hashes
	Run     string
	Mode    string // delivery or standalone
	Time    string // YYYYMMDDTHHMMSSZ

	Bounds     string // the accepted bounds' identity
	BoundsHash string
	Snapshot   string
	SourceSet  string
	Sources    []authority.ReviewFile // the governing sources, sorted by path
	Target     ReportTarget
	Goal       string // of a delivery
	Ordinal    int    // of a delivery, from 1
	Findings   int    // how many
}

// ReportTarget is what was reviewed: a diff, or files as they stood.
type ReportTarget struct {
	Kind       string // delivery-git-diff or standalone-artifact
	Locator    string
	Scope      []string
	BaseRef    string   // of a diff, as the next three
	FixedPoint string   // full commit id
	Head       string   // full commit id, or what names a dirty working tree
	PatchHash  string   // SHA-256 of the patch
	Files      []string // of an artifact, as the next
	BundleHash string
}

const (
	blockInfo  = "review-report-json"
	blockOpen  = "```" + blockInfo + "\n"
	blockClose = "```"
)

// maxReport is the most bytes that a report may have.
const maxReport = 16 << 20

// ParseReport reads a retained review report: front matter, the one fenced block
// with the report's JSON, and prose. p is the file's path, whose last part must be
// the name that lineage, time and snapshot give; an empty one is not looked at.
// The report is nil unless there are no findings.
func ParseReport(p string, data []byte) (*Report, []Finding) {
	c := newCheck(data)
	document := c.readReport(data)
	if document == nil {
		return nil, c.done()
	}
	c.shape("review-report", document)
	newReportCheck(c, document).rules(p)
	if found := c.done(); len(found) > 0 {
		return nil, found
	}
	return newReport(c, document), nil
}

// checkReviewReport reports what is wrong with a retained review report, but for
// the name of its file.
func checkReviewReport(data []byte) []Finding {
	_, findings := ParseReport("", data)
	return findings
}

// readReport reads the two parts of a report as one value of front_matter and
// report, nil when one of them cannot be read.
func (c *check) readReport(data []byte) *element {
	switch {
	case len(data) > maxReport:
		c.add("", -1, CodeLimit, "it has %d bytes; a report has at most %d", len(data), maxReport)
		return nil
	case !utf8.Valid(data):
		c.add("", invalidAt(data), CodeSyntax, "a byte is no UTF-8")
		return nil
	}
	at, text, rest, ok := c.cutFrontMatter(data)
	if !ok {
		return nil
	}
	front := c.readFrontMatter(at, text)
	from, to, ok := c.cutBlock(data, rest)
	if !ok {
		return nil
	}
	report := readElement(c, "/report", from, data[from:to])
	if front == nil || report == nil {
		return nil
	}
	front.key, report.key = "front_matter", "report"
	return &element{kind: '{', children: []*element{front, report}}
}

// invalidAt is the offset of the first byte that is no UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// cutBlock returns where the JSON of the one block stands, which begins behind
// the front matter that ends at offset rest.
func (c *check) cutBlock(data []byte, rest int) (from, to int, ok bool) {
	for rest < len(data) && data[rest] == '\n' {
		rest++
	}
	if !bytes.HasPrefix(data[rest:], []byte(blockOpen)) {
		c.add("/report", rest, CodeBlock, "the block %s does not follow the front matter", blockInfo)
		return 0, 0, false
	}
	from = rest + len(blockOpen)
	to = from
	for line := range bytes.Lines(data[from:]) {
		if string(bytes.TrimSuffix(line, []byte("\n"))) == blockClose {
			c.checkProse(data, to+len(line))
			return from, to, true
		}
		to += len(line)
	}
	c.add("/report", rest, CodeBlock, "no line %s closes the block", blockClose)
	return 0, 0, false
}

// checkProse refuses a second block or front matter in what follows the first.
func (c *check) checkProse(data []byte, from int) {
	at := from
	for line := range bytes.Lines(data[from:]) {
		text := strings.TrimSpace(string(line))
		info := strings.TrimLeft(text, "`~")
		switch {
		case len(text)-len(info) >= len(blockClose) && strings.HasPrefix(strings.TrimSpace(info), blockInfo):
			c.add("/report", at, CodeBlock, "a second block %s follows", blockInfo)
		case string(line) == frontMatterMark:
			c.add("/front_matter", at, CodeFrontMatter, "a line --- in the prose would be a second front matter")
		}
		at += len(line)
	}
}
