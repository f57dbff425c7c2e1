package envelope

import (
	"path"
	"slices"
	"time"
)

// reportCheck holds the parts of a retained report against each other. A value
// that the schema refused is empty here, and what it would be held against is
// passed over: it has its finding.
type reportCheck struct {
	*check
	front, report *element
	version       reportVersion
	fits          bool // the schema refused nothing
}

func newReportCheck(c *check, document *element) *reportCheck {
	report := document.get("report")
	return &reportCheck{c, document.get("front_matter"), report, versionOf(report), len(c.findings) == 0}
}

// rules checks everything that no schema can say.
func (r *reportCheck) rules(p string) {
	r.agreement()
	r.instant()
	r.lenses()
	r.findingSet()
	r.routing()
	r.validation()
	r.sets()
	r.hashes()
	r.ordinals()
	r.epoch()
	r.names(p)
}

// text is the string at a path in the report, "" when there is none.
func (r *reportCheck) text(path ...string) string {
	text, _ := r.report.find(path).str()
	return text
}

// at reports a finding about the value at a path in the report.
func (r *reportCheck) at(code, message string, path ...string) {
	pointer, offset := "/report", r.report.at
	for i, name := range path {
		pointer = pointerTo(pointer, name)
		if e := r.report.find(path[:i+1]); e != nil {
			offset = e.at
		}
	}
	r.add(pointer, offset, code, "%s", message)
}

// inFront reports a key of the front matter that does not say what it must.
func (r *reportCheck) inFront(key, message string) {
	if e := r.front.get(key); e != nil {
		r.add(pointerTo("/front_matter", key), e.at, CodeAgreement, "%s", message)
	}
}

// agreed are the keys of the front matter that repeat a key of the report.
var agreed = [][2]string{
	{"review_lineage_id", "review_lineage_id"}, {"review_run_id", "review_run_id"}, {"review_mode", "mode"},
	{"reviewed_at", "reviewed_at"}, {"accepted_bounds_identity", "accepted_bounds_identity"},
	{"accepted_bounds_hash", "accepted_bounds_hash"}, {"snapshot_hash", "snapshot_hash"},
}

func (r *reportCheck) agreement() {
	for _, keys := range agreed {
		if said, ok := r.front.get(keys[0]).str(); ok && r.report.get(keys[1]) != nil && said != r.text(keys[1]) {
			r.inFront(keys[0], "the report's "+keys[1]+" says otherwise")
		}
	}
	title, _ := r.front.get("title").str()
	if lineage := r.text("review_lineage_id"); isHex(lineage, 64) && title != reportSlug(lineage)+" review report" {
		r.inFront("title", "it must be "+reportSlug(lineage)+" review report")
	}
}

// instantLayout is the form of a report's time, which is UTC.
const instantLayout = "20060102T150405Z"

// instant demands a real time, and that the days in the front matter are its.
func (r *reportCheck) instant() {
	text := r.text("reviewed_at")
	if text == "" {
		return
	}
	t, err := time.Parse(instantLayout, text)
	if err != nil || t.Format(instantLayout) != text {
		r.at(CodeInstant, "it is no real UTC instant YYYYMMDDTHHMMSSZ", "reviewed_at")
		return
	}
	for _, key := range []string{"created", "updated"} {
		if day, ok := r.front.get(key).str(); ok && day != t.Format(time.DateOnly) {
			r.inFront(key, "it is not the day of reviewed_at, "+t.Format(time.DateOnly))
		}
	}
}

// validation demands that nothing changed while it ran.
func (r *reportCheck) validation() {
	list := r.report.get("validation")
	if list == nil {
		return
	}
	for i, record := range list.children {
		before, ok1 := record.get("before_hash").str()
		after, ok2 := record.get("after_hash").str()
		if ok1 && ok2 && before != after {
			r.at(CodeAgreement, "the hash before differs: the validation changed what was reviewed", "validation", index(i), "after_hash")
		}
	}
}

// names demands that the report's file, and the path that it records for itself,
// have the name that lineage, time and snapshot give.
func (r *reportCheck) names(p string) {
	lineage, snapshot := r.text("review_lineage_id"), r.text("snapshot_hash")
	if !isHex(lineage, 64) || !isHex(snapshot, 64) || r.text("reviewed_at") == "" {
		return
	}
	want := reportSlug(lineage) + "-" + r.text("reviewed_at") + "-" + snapshot[:snapshotDigits] + "-review-report.md"
	if own := r.text("excluded_envelope", "0"); own != "" && path.Base(own) != want {
		r.at(CodeFileName, "the report's own path must stand first, and end in "+want, "excluded_envelope", "0")
	}
	if p != "" && path.Base(p) != want {
		r.add("", -1, CodeFileName, "the file's name must be %s", want)
	}
}

// reportSlug names the lineage in a report's title and file name.
func reportSlug(lineage string) string { return "review-" + lineage[:20] }

// sets demands the order of sets, and that no path stands twice where the schema
// cannot see it.
func (r *reportCheck) sets() {
	r.sorted(texts(r.report.find([]string{"normalized_target", "inclusive_scope"})), "normalized_target", "inclusive_scope")
	files := texts(r.report.find([]string{"normalized_target", "ordered_file_identities"}))
	r.sorted(files, "normalized_target", "ordered_file_identities")
	if scope := texts(r.report.find([]string{"normalized_target", "inclusive_scope"})); files != nil && scope != nil && !slices.Equal(files, scope) {
		r.at(CodeAgreement, "it is not the set of ordered_file_identities", "normalized_target", "inclusive_scope")
	}
	var paths []string
	seen := map[string]bool{}
	if list := r.report.get("source_paths_and_hashes"); list != nil {
		for i, source := range list.children {
			p, _ := source.get("path").str()
			if seen[p] {
				r.at(CodeDuplicate, "the path stands twice", "source_paths_and_hashes", index(i), "path")
			}
			seen[p] = true
			paths = append(paths, p)
		}
	}
	r.sorted(paths, "source_paths_and_hashes")
}

func (r *reportCheck) sorted(values []string, path ...string) {
	if !slices.IsSorted(values) {
		r.at(CodeOrder, "the paths do not stand in the order of their bytes", path...)
	}
}

// texts are the strings of an array, nil when e is none.
func texts(e *element) []string {
	if e == nil || e.kind != '[' {
		return nil
	}
	list := make([]string, 0, len(e.children))
	for _, c := range e.children {
		if text, ok := c.str(); ok {
			list = append(list, text)
		}
	}
	return list
}
