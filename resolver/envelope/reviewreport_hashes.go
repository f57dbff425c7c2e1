package envelope

import (
	"errors"
	"strconv"

	"ctxptr/authority"
)

// jsonInteger is the value of an integer from 1, false for anything else.
func jsonInteger(e *element) (int, bool) {
	if e == nil || e.kind != '0' {
		return 0, false
	}
	n, err := strconv.Atoi(e.text)
	return n, err == nil && n > 0
}

// hashes recomputes every hash that the report records of what it records.
func (r *reportCheck) hashes() {
	target := func(key string) string { return r.text("normalized_target", key) }
	scope := texts(r.report.find([]string{"normalized_target", "inclusive_scope"}))
	bounds := primitivesOf("bounds_identity", r.text("accepted_bounds_identity"))
	bounds.Values["scope"] = scope
	r.hash("accepted-bounds", bounds, "accepted_bounds_hash")
	r.hash("source-set", Primitives{Files: r.sources()}, "source_set_hash")
	if r.text("mode") == "standalone" {
		r.standaloneHashes(target, scope)
	} else {
		r.deliveryHashes(target, scope)
	}
	if r.version.epoch {
		r.hash("review-packet", primitivesOf(
			"run", r.text("review_run_id"), "bounds_hash", r.text("accepted_bounds_hash"),
			"snapshot", r.text("snapshot_hash"), "source_set_hash", r.text("source_set_hash"),
		), "review_epoch", "packet_identity")
	}
}

func (r *reportCheck) deliveryHashes(target func(key string) string, scope []string) {
	if head := target("head_identity"); head != "" && headIdentity(head) != "" {
		r.at(CodeForm, headIdentity(head), "normalized_target", "head_identity")
		return
	}
	p := primitivesOf(
		"locator", target("locator"), "base_ref", target("actual_base_ref"), "fixed_point", target("fixed_point_sha"),
		"head", target("head_identity"), "patch_hash", target("canonical_patch_hash"),
	)
	p.Values["scope"] = scope
	r.hash("delivery-snapshot", p, "snapshot_hash")
	r.hash("delivery-lineage", primitivesOf("goal", r.text("delivery_goal_identity")), "review_lineage_id")
	if number := r.report.get("review_ordinal"); number != nil && number.kind == '0' {
		r.hash("delivery-run", primitivesOf("lineage", r.text("review_lineage_id"), "ordinal", number.text), "review_run_id")
	}
}

func (r *reportCheck) standaloneHashes(target func(key string) string, scope []string) {
	p := primitivesOf("locator", target("locator"), "bundle_hash", target("ordered_bundle_content_hash"))
	p.Values["scope"] = scope
	p.Values["paths"] = texts(r.report.find([]string{"normalized_target", "ordered_file_identities"}))
	r.hash("standalone-snapshot", p, "snapshot_hash")
	r.hash("standalone-lineage", primitivesOf("locator", target("locator"), "bounds_hash", r.text("accepted_bounds_hash")), "review_lineage_id")
	r.hash("standalone-run", primitivesOf("lineage", r.text("review_lineage_id"), "snapshot", r.text("snapshot_hash")), "review_run_id")
}

// primitivesOf makes primitives of names and values in turn.
func primitivesOf(pairs ...string) Primitives {
	p := Primitives{Values: map[string][]string{}}
	for i := 0; i < len(pairs); i += 2 {
		p.Values[pairs[i]] = []string{pairs[i+1]}
	}
	return p
}

// hash holds a recorded hash against the identity of that name. Primitives that
// cannot enter a record are a finding, unless the schema has refused something.
func (r *reportCheck) hash(name string, p Primitives, path ...string) {
	said := r.text(path...)
	id, err := Identify(name, p)
	if e, ok := errors.AsType[*PrimitiveError](err); ok {
		if r.fits {
			r.at(CodeForm, "its "+e.Name+" is not of the form of a record's: "+e.Why, path...)
		}
		return
	}
	if isHex(said, 64) && said != id.Identity {
		r.at(CodeHash, "it is not the hash of the record "+name+", which is "+id.Identity, path...)
	}
}

// sources are the governing sources that are of their form.
func (r *reportCheck) sources() []authority.ReviewFile {
	list := r.report.get("source_paths_and_hashes")
	if list == nil {
		return nil
	}
	var files []authority.ReviewFile
	for _, source := range list.children {
		path, _ := source.get("path").str()
		hash, _ := source.get("hash").str()
		if id, err := authority.ParseIdentity("sha256:" + hash); err == nil && path != "" {
			files = append(files, authority.ReviewFile{Path: path, Content: id})
		}
	}
	return files
}

// newReport takes what a sound report says.
func newReport(c *check, document *element) *Report {
	r := newReportCheck(c, document)
	target := func(key string) string { return r.text("normalized_target", key) }
	list := func(key string) []string { return texts(r.report.find([]string{"normalized_target", key})) }
	report := &Report{
		Version: r.version.name,
		Lineage: r.text("review_lineage_id"), Run: r.text("review_run_id"), Mode: r.text("mode"), Time: r.text("reviewed_at"),
		Bounds: r.text("accepted_bounds_identity"), BoundsHash: r.text("accepted_bounds_hash"),
		Snapshot: r.text("snapshot_hash"), SourceSet: r.text("source_set_hash"), Sources: r.sources(),
		Target: ReportTarget{
			Kind: target("kind"), Locator: target("locator"), Scope: list("inclusive_scope"),
			BaseRef: target("actual_base_ref"), FixedPoint: target("fixed_point_sha"), Head: target("head_identity"),
			PatchHash: target("canonical_patch_hash"),
			Files:     list("ordered_file_identities"), BundleHash: target("ordered_bundle_content_hash"),
		},
		Goal: r.text("delivery_goal_identity"), Findings: len(r.findingsOf()),
	}
	if number, ok := jsonInteger(r.report.get("review_ordinal")); ok {
		report.Ordinal = number
	}
	return report
}
