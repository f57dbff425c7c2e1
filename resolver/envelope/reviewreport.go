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

// ParseReport reads a retained review report: front matter, the one fenced block
// with the report's JSON, and prose. name is the file's name or path, whose last
// part must be the one that lineage, time and snapshot give; an empty one is not
// looked at. The report is nil unless there are no findings.
//
// JSON Pointers of findings are of the value of front_matter and report that the
// schema review-report describes.
func ParseReport(name string, data []byte) (*Report, []Finding) {
	c := newCheck(data, &Options{})
	c.readReport()
	if c.root != nil {
		c.shape(schemaOf("review-report"), c.root)
		newReportCheck(c).rules(name)
	}
	if found := sortFindings(c.findings); len(found) > 0 {
		return nil, found
	}
	return newReportCheck(c).report(), nil
}

// checkReviewReport reports what is wrong with a retained review report.
func checkReviewReport(name string, data []byte) []Finding {
	_, findings := ParseReport(name, data)
	return findings
}

// readReport reads the two parts of a report as one value of front_matter and
// report. The root stays nil when one of them cannot be read.
func (c *check) readReport() {
	if !utf8.Valid(c.data) {
		c.add(InvalidUTF8, invalidAt(c.data), "", "a byte of the file is no UTF-8")
		return
	}
	root := &node{kind: '{', to: len(c.data)}
	from, to, rest, ok := c.cutFrontMatter()
	if !ok {
		return
	}
	c.readFrontMatter(root, from, to)
	if from, to, ok = c.cutBlock(rest); !ok {
		return
	}
	c.parse(from, to, "/report", func(n *node) { root.adopt("report", from, n) })
	if len(root.members) == 2 {
		c.root = root
	}
}

// adopt makes a value a member of an object.
func (n *node) adopt(key string, at int, value *node) {
	value.up, value.key = n, key
	n.members = append(n.members, member{at, value})
}

// cutBlock returns where the JSON of the one block stands, which begins behind
// the front matter that ends at offset rest.
func (c *check) cutBlock(rest int) (from, to int, ok bool) {
	for rest < len(c.data) && c.data[rest] == '\n' {
		rest++
	}
	if !bytes.HasPrefix(c.data[rest:], []byte(blockOpen)) {
		c.add(MalformedReport, rest, "/report", "the block "+blockInfo+" does not follow the front matter")
		return 0, 0, false
	}
	from = rest + len(blockOpen)
	to = from
	for line := range bytes.Lines(c.data[from:]) {
		if string(bytes.TrimSuffix(line, []byte("\n"))) == blockClose {
			c.checkProse(to + len(line))
			return from, to, true
		}
		to += len(line)
	}
	c.add(MalformedReport, rest, "/report", "no line "+blockClose+" closes the block")
	return 0, 0, false
}

// checkProse refuses a second block or front matter in what follows the first.
func (c *check) checkProse(from int) {
	at := from
	for line := range bytes.Lines(c.data[from:]) {
		text := strings.TrimSpace(string(line))
		info := strings.TrimLeft(text, "`~")
		switch {
		case len(text)-len(info) >= len(blockClose) && strings.HasPrefix(strings.TrimSpace(info), blockInfo):
			c.add(MalformedReport, at, "/report", "a second block "+blockInfo+" follows")
		case string(line) == frontMatterMark:
			c.add(MalformedReport, at, "/front_matter", "a line --- in the prose would be a second front matter")
		}
		at += len(line)
	}
}
