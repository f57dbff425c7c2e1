package envelope

import "bytes"

// checkReviewReport checks a retained review report: front matter, then exactly
// one review-report-json block.
func checkReviewReport(data []byte) []Finding {
	doc := newDocument(data)
	if !bytes.HasPrefix(data, []byte("---\n")) || !bytes.Contains(data, []byte("\n---\n")) {
		doc.add(MalformedReport, 0, "", "the report does not begin with front matter")
	}
	if n := bytes.Count(data, []byte("\n```review-report-json\n")); n != 1 {
		doc.add(MalformedReport, 0, "", "the report has not exactly one review-report-json block")
	}
	return doc.findings
}
