package envelope

import "slices"

// The codes of findings about a retained review report and a receipt.
const (
	CodeAgreement    = "agreement"     // two places must say the same and do not
	CodeBlock        = "block"         // the fenced block is missing, unclosed, repeated or misplaced
	CodeDuplicate    = "duplicate"     // a member of a set stands twice
	CodeDuplicateKey = "duplicate_key" // a key stands twice in one object
	CodeFileName     = "file_name"     // the file's name is not what the content says
	CodeForm         = "form"          // a text is not of its form
	CodeFrontMatter  = "front_matter"  // the front matter is missing, unclosed, repeated or no YAML mapping
	CodeHash         = "hash"          // a hash is not that of what it is of
	CodeInstant      = "instant"       // a time is no real UTC instant
	CodeLimit        = "limit"         // the document is larger than what is read
	CodeMissingKey   = "missing_key"   // a required key is missing
	CodeOrder        = "order"         // a set does not stand in the order of its bytes
	CodeOrdinal      = "ordinal"       // the review's number is not allowed, or not in its row
	CodeSyntax       = "syntax"        // the text is no UTF-8 or no strict JSON
	CodeType         = "type"          // the value has another JSON type
	CodeUnknownKey   = "unknown_key"   // the set of keys is closed
	CodeVocabulary   = "vocabulary"    // the value is not one of a closed set
)

// reportCodes is the table of codes, sorted, with what each means.
var reportCodes = []struct{ code, means string }{
	{CodeAgreement, "Two places must say the same and do not."},
	{CodeBlock, "The one fenced block review-report-json is missing, unclosed, repeated or not right behind the front matter."},
	{CodeDuplicate, "A member of a set stands twice."},
	{CodeDuplicateKey, "A key stands twice in one object."},
	{CodeFileName, "The file's name, or the name recorded for it, is not the one that lineage, time and snapshot give."},
	{CodeForm, "A text is empty or not of its form, such as 64 lower-case hexadecimal digits."},
	{CodeFrontMatter, "The front matter is missing, unclosed, repeated or no YAML mapping of plain values."},
	{CodeHash, "A recorded hash is not the hash of what it is recorded for."},
	{CodeInstant, "A time is no real UTC instant in its form."},
	{CodeLimit, "The document is larger than what is read."},
	{CodeMissingKey, "A required key is missing."},
	{CodeOrder, "A set does not stand in the order of its bytes."},
	{CodeOrdinal, "The number of the review or of the repair before it is not allowed."},
	{CodeSyntax, "The text is no UTF-8 or no strict JSON."},
	{CodeType, "The value has another type than the one required."},
	{CodeUnknownKey, "The key is not one of the closed set."},
	{CodeVocabulary, "The value is not one of the closed set."},
}

// ReportCodes returns the codes of findings about reports and receipts, sorted.
func ReportCodes() []string {
	codes := make([]string, len(reportCodes))
	for i, c := range reportCodes {
		codes[i] = c.code
	}
	return codes
}

// ExplainReportCode says what a code means, "" for an unknown one.
func ExplainReportCode(code string) string {
	i := slices.IndexFunc(reportCodes, func(c struct{ code, means string }) bool { return c.code == code })
	if i < 0 {
		return ""
	}
	return reportCodes[i].means
}
