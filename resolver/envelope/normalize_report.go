package envelope

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// RetainedReport is what a sound retained report records of itself: its identities
// and ordinal stay what they are.
type RetainedReport struct {
	Version    string   `json:"version"`
	Lineage    string   `json:"review_lineage_id"`
	Run        string   `json:"review_run_id"`
	Mode       string   `json:"review_mode"`
	Time       string   `json:"reviewed_at"`
	Bounds     string   `json:"accepted_bounds_identity"`
	BoundsHash string   `json:"accepted_bounds_hash"`
	Snapshot   string   `json:"snapshot_hash"`
	SourceSet  string   `json:"source_set_hash"`
	Goal       string   `json:"delivery_goal_identity,omitempty"` // of a delivery
	Ordinal    int      `json:"review_ordinal,omitempty"`         // of a delivery
	Kind       string   `json:"target_kind"`
	Locator    string   `json:"target_locator"`
	Scope      []string `json:"inclusive_scope"`
	BaseRef    string   `json:"actual_base_ref,omitempty"`             // of a diff
	PatchHash  string   `json:"canonical_patch_hash,omitempty"`        // of a diff, as recorded
	BundleHash string   `json:"ordered_bundle_content_hash,omitempty"` // of files, as recorded
	Findings   int      `json:"findings"`

	report *Report
}

func retained(r *Report) *RetainedReport {
	return &RetainedReport{
		Version: r.Version, Lineage: r.Lineage, Run: r.Run, Mode: r.Mode, Time: r.Time,
		Bounds: r.Bounds, BoundsHash: r.BoundsHash, Snapshot: r.Snapshot, SourceSet: r.SourceSet,
		Goal: r.Goal, Ordinal: r.Ordinal, Kind: r.Target.Kind, Locator: r.Target.Locator, Scope: r.Target.Scope,
		BaseRef: r.Target.BaseRef, PatchHash: r.Target.PatchHash, BundleHash: r.Target.BundleHash,
		Findings: r.Findings, report: r,
	}
}

// isReport tells whether an artefact is, or should be, a retained review report: by
// its name, or by front matter and a line that opens its block. Other line ends, a
// byte order mark and another fence make a report unsound, and no plain document.
func isReport(path string, data []byte) bool {
	if strings.HasSuffix(path, "-review-report.md") {
		return true
	}
	begin := bytes.TrimPrefix(data, []byte("\ufeff"))
	return bytes.HasPrefix(begin, []byte("---")) && bytes.Contains(data, []byte(blockInfo)) &&
		reportBlock.get().MatchString(unixLines.Replace(string(data)))
}

// endOfBlock is where the prose of a sound report begins.
func endOfBlock(data []byte) int {
	c := newCheck(data, &Options{})
	_, _, rest, _ := c.cutFrontMatter()
	_, to, _ := c.cutBlock(rest)
	return to
}

// named is a pointer that a report comes down to, and where in the report.
type named struct{ id, kind, locator, identity, rules string }

// retained resolves what a sound report names: each governing source with the
// digest recorded of it, and the commits that the reviewed diff lies between.
func (n *Normalization) retained(ctx context.Context, w *authority.Workspace, path string) error {
	report := n.Report.report
	var list []named
	for i, source := range report.Sources {
		list = append(list, named{"/report/source_paths_and_hashes/" + strconv.Itoa(i), "file", source.Path, source.Content.String(), "matches_current"})
	}
	if report.Target.Kind == "delivery-git-diff" {
		for _, c := range [][2]string{{"fixed_point_sha", report.Target.FixedPoint}, {"head_identity", report.Target.Head}} {
			list = append(list, named{"/report/normalized_target/" + c[0], "commit", c[1], string(authority.GitCommit) + ":" + c[1], "immutable"})
		}
	}
	records := make([]*resolver.Record, len(list))
	var items []resolver.Item
	var places []int
	for i, one := range list {
		p, err := one.pointer()
		if err != nil {
			records[i] = one.unnamed()
			continue
		}
		items, places = append(items, resolver.Item{Text: p.String(), ID: one.id, From: path}), append(places, i)
	}
	resolved, err := resolver.Resolve(ctx, w, items, resolver.Options{})
	for i, r := range resolved {
		records[places[i]] = r
	}
	n.Records = append(n.Records, records...)
	return err
}

func (n named) pointer() (resolver.Pointer, error) {
	return pointerOf(n.kind, n.locator, n.identity, n.rules)
}

// unnamed is the record of what the report names in a way that no pointer has: a
// path out of the root, or the identity of a dirty working tree as head.
func (n named) unnamed() *resolver.Record {
	f := &authority.Fault{Code: authority.MissingRevision, Proof: "the head is the identity of a working tree, which no commit states", Offset: -1}
	if n.kind == "file" {
		f = &authority.Fault{Code: authority.MissingAuthority, Proof: "the source's path is none below the root", Offset: -1}
	}
	r := resolver.Unminted(n.locator, f)
	r.ID = n.id
	return r
}
