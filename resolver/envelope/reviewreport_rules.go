package envelope

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ctxptr/authority"
)

// reportCheck holds the parts of a retained report against each other. What the
// schema refused is nil or empty here, and what it would be held against is passed
// over: it has its finding.
type reportCheck struct {
	*check
	front, json *node
	version     reportVersion
}

func newReportCheck(c *check) *reportCheck {
	report := c.root.get("report")
	return &reportCheck{c, c.root.get("front_matter"), report, versionOf(report)}
}

// rules checks everything that no schema can say.
func (r *reportCheck) rules(name string) {
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
	r.names(name)
}

// at returns the value at a path of keys and indices in the report, nil when there
// is none.
func (r *reportCheck) at(path ...string) *node {
	n := r.json
	for _, step := range path {
		if n != nil && n.kind == '[' {
			if i, err := strconv.Atoi(step); err == nil && i < len(n.items) {
				n = n.items[i]
				continue
			}
			return nil
		}
		n = n.get(step)
	}
	return n
}

// text is the string at a path in the report, "" when there is none.
func (r *reportCheck) text(path ...string) string { return r.at(path...).str() }

// wrong notes a finding about a value, unless there is none.
func (r *reportCheck) wrong(n *node, code, message string) {
	if n != nil {
		r.addAt(n, code, message)
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
		if said := r.front.get(keys[0]); r.at(keys[1]) != nil && said.str() != r.text(keys[1]) {
			r.wrong(said, ReportDiffers, "the report's "+keys[1]+" says otherwise")
		}
	}
	title := r.front.get("title")
	if lineage := r.text("review_lineage_id"); isHex(lineage, 64) && title.str() != reportSlug(lineage)+" review report" {
		r.wrong(title, ReportDiffers, "it must be "+reportSlug(lineage)+" review report")
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
		r.wrong(r.at("reviewed_at"), MalformedTime, "it is no real UTC instant YYYYMMDDTHHMMSSZ")
		return
	}
	for _, key := range []string{"created", "updated"} {
		if day := r.front.get(key); day.str() != t.Format(time.DateOnly) {
			r.wrong(day, ReportDiffers, "it is not the day of reviewed_at, "+t.Format(time.DateOnly))
		}
	}
}

// validation demands that nothing changed while it ran.
func (r *reportCheck) validation() {
	for _, record := range r.at("validation").list() {
		before, after := record.get("before_hash").str(), record.get("after_hash").str()
		if before != "" && after != "" && before != after {
			r.wrong(record.get("after_hash"), ReportDiffers, "before_hash is another: the validation changed what was reviewed")
		}
	}
}

// names demands that the report's file, and the path that it records for itself,
// have the name that lineage, time and snapshot give.
func (r *reportCheck) names(name string) {
	lineage, snapshot := r.text("review_lineage_id"), r.text("snapshot_hash")
	if !isHex(lineage, 64) || !isHex(snapshot, 64) || r.text("reviewed_at") == "" {
		return
	}
	want := reportSlug(lineage) + "-" + r.text("reviewed_at") + "-" + snapshot[:snapshotDigits] + "-review-report.md"
	if own := r.at("excluded_envelope", "0"); path.Base(own.str()) != want {
		r.wrong(own, FileNameDiffers, "the report's own path stands first, and ends in "+want)
	}
	if name != "" && filepath.Base(name) != want {
		r.add(FileNameDiffers, 0, "", "the file's name must be "+want)
	}
}

// reportSlug names the lineage in a report's title and file name.
func reportSlug(lineage string) string { return "review-" + lineage[:20] }

// sets demands that sets stand in order, each member once.
func (r *reportCheck) sets() {
	scope, files := r.at("normalized_target", "inclusive_scope"), r.at("normalized_target", "ordered_file_identities")
	r.set(scope, "")
	r.set(files, "")
	r.set(r.at("source_paths_and_hashes"), "path")
	r.different(r.at("excluded_envelope"), "")
	if files != nil && scope != nil && !slices.Equal(texts(files, ""), texts(scope, "")) {
		r.wrong(scope, ReportDiffers, "it is not the set of ordered_file_identities")
	}
}

// set holds a list of texts, or of objects with a text under key, to be a sorted
// set.
func (c *check) set(list *node, key string) {
	c.different(list, key)
	if !slices.IsSorted(texts(list, key)) {
		c.addAt(list, Unsorted, "the set does not stand in the order of its bytes")
	}
}

// different holds that no text of a list stands twice.
func (c *check) different(list *node, key string) {
	seen := map[string]bool{}
	for _, n := range textNodes(list, key) {
		if seen[n.text] {
			c.addAt(n, Repeated, authority.Quote(n.text)+" stands twice")
		}
		seen[n.text] = true
	}
}

// textNodes are the texts of a list, or those under a key of its elements.
func textNodes(list *node, key string) []*node {
	var found []*node
	for _, n := range list.list() {
		if key != "" {
			n = n.get(key)
		}
		if n.str() != "" {
			found = append(found, n)
		}
	}
	return found
}

func texts(list *node, key string) []string {
	var found []string
	for _, n := range textNodes(list, key) {
		found = append(found, n.text)
	}
	return found
}
