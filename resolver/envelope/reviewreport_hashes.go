package envelope

import (
	"errors"

	"ctxptr/authority"
)

// hashes recomputes every hash that the report records of what it records.
func (r *reportCheck) hashes() {
	target := func(key string) string { return r.text("normalized_target", key) }
	scope := texts(r.at("normalized_target", "inclusive_scope"), "")
	bounds := primitivesOf("bounds_identity", r.text("accepted_bounds_identity"))
	bounds.Values["scope"] = scope
	r.hash("accepted-bounds", bounds, r.at("accepted_bounds_hash"))
	r.hash("source-set", Primitives{Files: r.sources()}, r.at("source_set_hash"))
	if r.text("mode") == "standalone" {
		r.standaloneHashes(target, scope)
	} else {
		r.deliveryHashes(target, scope)
	}
	r.hash("review-packet", packetPrimitives(r.json), r.at("review_epoch", "packet_identity"))
}

func (r *reportCheck) deliveryHashes(target func(key string) string, scope []string) {
	if head := target("head_identity"); head != "" && headIdentity(head) != "" {
		r.wrong(r.at("normalized_target", "head_identity"), MalformedIdentity, headIdentity(head))
		return
	}
	p := primitivesOf(
		"locator", target("locator"), "base_ref", target("actual_base_ref"), "fixed_point", target("fixed_point_sha"),
		"head", target("head_identity"), "patch_hash", target("canonical_patch_hash"),
	)
	p.Values["scope"] = scope
	r.hash("delivery-snapshot", p, r.at("snapshot_hash"))
	r.hash("delivery-lineage", primitivesOf("goal", r.text("delivery_goal_identity")), r.at("review_lineage_id"))
	if number := r.at("review_ordinal"); number != nil {
		r.hash("delivery-run", primitivesOf("lineage", r.text("review_lineage_id"), "ordinal", number.text), r.at("review_run_id"))
	}
}

func (r *reportCheck) standaloneHashes(target func(key string) string, scope []string) {
	p := primitivesOf("locator", target("locator"), "bundle_hash", target("ordered_bundle_content_hash"))
	p.Values["scope"] = scope
	p.Values["paths"] = texts(r.at("normalized_target", "ordered_file_identities"), "")
	r.hash("standalone-snapshot", p, r.at("snapshot_hash"))
	r.hash("standalone-lineage", primitivesOf("locator", target("locator"), "bounds_hash", r.text("accepted_bounds_hash")), r.at("review_lineage_id"))
	r.hash("standalone-run", primitivesOf("lineage", r.text("review_lineage_id"), "snapshot", r.text("snapshot_hash")), r.at("review_run_id"))
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
// cannot enter a record are a finding, unless something was refused before.
func (c *check) hash(name string, p Primitives, said *node) {
	if said == nil {
		return
	}
	id, err := Identify(name, p)
	if e, ok := errors.AsType[*PrimitiveError](err); ok {
		if len(c.findings) == 0 {
			c.addAt(said, DigestDiffers, "its "+e.Name+" cannot enter the record "+name+": "+e.Why)
		}
		return
	}
	if isHex(said.str(), 64) && said.text != id.Identity {
		c.addAt(said, DigestDiffers, "the hash of the record "+name+" is "+id.Identity)
	}
}

// sources are the governing sources that are of their form.
func (r *reportCheck) sources() []authority.ReviewFile {
	var files []authority.ReviewFile
	for _, source := range r.at("source_paths_and_hashes").list() {
		id, err := authority.ParseIdentity("sha256:" + source.get("hash").str())
		if path := source.get("path").str(); err == nil && path != "" {
			files = append(files, authority.ReviewFile{Path: path, Content: id})
		}
	}
	return files
}

// report takes what a sound report says.
func (r *reportCheck) report() *Report {
	target := func(key string) string { return r.text("normalized_target", key) }
	list := func(key string) []string { return texts(r.at("normalized_target", key), "") }
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
		Goal: r.text("delivery_goal_identity"), Findings: len(r.at("findings").list()),
	}
	report.Ordinal, _ = r.at("review_ordinal").integer()
	return report
}
