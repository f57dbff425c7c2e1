package envelope

// The codes of findings. The set is closed; every code has at least one vector
// under testdata/vectors/envelope.
const (
	CandidateRepeated      = "candidate_repeated"
	CandidateUnaccounted   = "candidate_unaccounted"
	CandidateUnknown       = "candidate_unknown"
	CopiedAuthority        = "copied_authority"
	CoverageIncomplete     = "coverage_incomplete"
	CoverageMissing        = "coverage_missing"
	CoverageRepeated       = "coverage_repeated"
	Diff                   = "diff"
	DigestDiffers          = "digest_differs"
	DuplicateKey           = "duplicate_key"
	Empty                  = "empty"
	EvidenceDiffers        = "evidence_differs"
	ExcerptCoversSource    = "excerpt_covers_source"
	ExcerptDisagrees       = "excerpt_disagrees"
	ExcerptNotVerbatim     = "excerpt_not_verbatim"
	FileNameDiffers        = "file_name_differs"
	FrontMatter            = "front_matter"
	GateWithoutResult      = "gate_without_result"
	InvalidUTF8            = "invalid_utf8"
	LoneSurrogate          = "lone_surrogate"
	MalformedCandidateRef  = "malformed_candidate_ref"
	MalformedFreshnessRule = "malformed_freshness_rule"
	MalformedIdentity      = "malformed_identity"
	MalformedJSON          = "malformed_json"
	MalformedPath          = "malformed_path"
	MalformedPointer       = "malformed_pointer"
	MalformedReport        = "malformed_report"
	MalformedTime          = "malformed_time"
	MissingKey             = "missing_key"
	MultiLine              = "multi_line"
	NoDecisionRecord       = "no_decision_record"
	NoReason               = "no_reason"
	NotInVocabulary        = "not_in_vocabulary"
	NotNone                = "not_none"
	OrdinalNotAllowed      = "ordinal_not_allowed"
	OutcomeContradicted    = "outcome_contradicted"
	OutsideScope           = "outside_scope"
	PacketDiffers          = "packet_differs"
	PacketInHandoff        = "packet_in_handoff"
	PathsDiffer            = "paths_differ"
	Repeated               = "repeated"
	ReportBlock            = "report_block"
	ReportDiffers          = "report_differs"
	SkillBody              = "skill_body"
	TaskDiffers            = "task_differs"
	TrailingData           = "trailing_data"
	Transcript             = "transcript"
	UnknownKey             = "unknown_key"
	Unsorted               = "unsorted"
	WrongType              = "wrong_type"
)

// codes is the table of codes, sorted, with what explain prints of each.
var codes = []struct {
	code        string
	advice      bool
	means, next string
}{
	{CandidateRepeated, false, "A candidate is accounted for more than once.", "Leave it in the one adjudication that decided it."},
	{CandidateUnaccounted, false, "No adjudication accounts for a candidate of the results.", "Verify it and add it to an adjudication, with a finding or with finding_id null."},
	{CandidateUnknown, false, "An adjudication names a candidate that no result has.", "Write reviewer, coverage and index (from 0) as the result has them."},
	{CopiedAuthority, false, "A text, or a list of sentences, is or holds the whole of an authority that the envelope points at.", "Leave the pointer and drop the copy; ctxptr read prints the verified bytes."},
	{CoverageIncomplete, false, "A result in an epoch is incomplete, so that its coverage is not proven.", "Complete that coverage before the epoch is assembled."},
	{CoverageMissing, false, "One of the five primary obligations has no result.", "Add the result of the coverage named."},
	{CoverageRepeated, false, "A primary obligation, or one reviewer's coverage, has more than one result.", "Keep the one result that counts."},
	{Diff, false, "A text holds a diff.", "Point at the change with a pointer of kind range."},
	{DigestDiffers, false, "A stated digest is not that of the bytes it is about.", "Compute it anew over exactly these bytes; never edit frozen facts."},
	{DuplicateKey, false, "A key stands twice in one object, so that readers would see different values.", "Remove one."},
	{Empty, false, "A text is blank, or a list that needs an element has none.", "Say what is meant there; an absent value is the literal none where the schema allows it."},
	{EvidenceDiffers, false, "Evidence is reused although identity, scope or freshness rule are not those it was made for.", "Make the evidence anew for these inputs."},
	{ExcerptCoversSource, false, "Excerpts of one source hold, together, all of it.", "Keep what the next action needs; the pointer carries the rest."},
	{ExcerptDisagrees, false, "An excerpt states another identity or freshness rule than its source's pointer.", "Take both from the pointer."},
	{ExcerptNotVerbatim, true, "An excerpt is no verbatim part of its source: excerpt: not_verbatim.", "Nothing fails; the source wins, so read it before acting."},
	{FileNameDiffers, false, "A retained report stands, or says that it stands, under another name than lineage, time and snapshot give.", "Name the report as it was retained; never rename one."},
	{FrontMatter, false, "A text is a document with front matter.", "Point at the document instead."},
	{GateWithoutResult, false, "A gate without a valid, ready task result is something else than blocked.", "Say blocked, and name the result that is missing; a pass is never inferred."},
	{InvalidUTF8, false, "Bytes of the document are no UTF-8.", "Write the document in UTF-8; a pointer to a path that is none takes the URI form."},
	{LoneSurrogate, false, "A string has half of a surrogate pair as an escape.", "Write the whole character."},
	{MalformedCandidateRef, false, "A candidate reference is not [reviewer_identity, coverage, index].", "Write the triple, as an array or as a string that holds it in JSON."},
	{MalformedFreshnessRule, false, "Freshness rules are unknown, out of order or malformed.", "See: ctxptr explain rule."},
	{MalformedIdentity, false, "An identity or digest is not spelled as one, of full length and in lower case.", "Take it from a pointer or compute it; never complete one by hand."},
	{MalformedJSON, false, "The file is no strict JSON document.", "Repair it at the place named."},
	{MalformedPath, false, "A path is absolute, or has an empty, . or .. component.", "Write the path from the root, divided by slashes."},
	{MalformedPointer, false, "What stands where a Context Pointer must stand is none.", "The message has the code: ctxptr explain CODE; mint prints pointers that are right."},
	{MalformedReport, false, "The file is no retained review report: front matter, then one review-report-json block.", "Name the immutable report; never repair one."},
	{MalformedTime, false, "A time is no real UTC instant YYYYMMDDTHHMMSSZ.", "Name the report as it was retained; never repair one."},
	{MissingKey, false, "A required key is absent.", "Add it; an absent value is the literal none where the schema allows it."},
	{MultiLine, false, "A text of one line has line breaks.", "Say it in one line, and point at the document for the rest."},
	{NoDecisionRecord, false, "A phase waits for a human without a pointer to the retained decision record.", "Retain the record and point at it."},
	{NoReason, false, "What is blocked, failed or skipped does not say why.", "Name the exact blocker or reason."},
	{NotInVocabulary, false, "A value is none of the closed vocabulary.", "Choose one of those named."},
	{NotNone, false, "An absent value is null, empty or another word than the literal none.", "Write none."},
	{OrdinalNotAllowed, false, "The number of a review, or of the repair before it, is none that its version allows.", "A further review needs a human direction for exactly its number."},
	{OutcomeContradicted, false, "An outcome or status contradicts what stands beside it.", "Correct whichever is wrong."},
	{OutsideScope, false, "A changed path lies outside the task's Active Write Scope.", "Return it to the parent: only the parent widens a scope."},
	{PacketDiffers, false, "A result in an epoch is about another packet.", "Keep only results of the epoch's own packet."},
	{PacketInHandoff, false, "A handoff holds the Delivery Context Packet, a key of it, a digest of it or a pointer to it.", "Leave it out: whoever receives a handoff starts cold."},
	{PathsDiffer, false, "The changed paths are not those that the range lists.", "Write exactly the paths of the range, or point at the range of the task."},
	{Repeated, false, "An element stands twice in a list of different ones.", "Remove one."},
	{ReportBlock, false, "A text holds a review-report-json block.", "Point at the retained report."},
	{ReportDiffers, false, "Two places of a retained report must say the same and do not.", "The report counts for nothing; name another, or review again."},
	{SkillBody, false, "A text is the body of a skill: front matter with name and description.", "Point at the skill, with its layer."},
	{TaskDiffers, false, "A gate and its task result are about different tasks.", "Gate the result of this task."},
	{TrailingData, false, "Something follows the JSON document.", "Keep one document a file."},
	{Transcript, false, "A text holds terminal escapes, a log or a stack trace.", "Retain the log as evidence and point at it."},
	{UnknownKey, false, "A key is none of the closed set.", "Remove it, or spell it as the schema does: ctxptr schema KIND."},
	{Unsorted, false, "A set does not stand in the order of its bytes.", "Sort it by unsigned UTF-8 bytes."},
	{WrongType, false, "A value has another JSON type than it must have.", "See: ctxptr schema KIND."},
}

// Codes returns every code of a finding, sorted.
func Codes() []string {
	list := make([]string, len(codes))
	for i, c := range codes {
		list[i] = c.code
	}
	return list
}

// Explain says what a code means and what to do next, false for no code.
func Explain(code string) (means, next string, ok bool) {
	for _, c := range codes {
		if c.code == code {
			return c.means, c.next, true
		}
	}
	return "", "", false
}

// isAdvice reports whether findings of a code fail nothing.
func isAdvice(code string) bool {
	for _, c := range codes {
		if c.code == code {
			return c.advice
		}
	}
	return false
}
