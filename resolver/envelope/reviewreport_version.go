package envelope

// reportVersion is what differs between the versions of retained reports. A
// report's bytes never change, so every version that was ever written is read.
type reportVersion struct {
	name     string
	epoch    bool     // the report holds a review_epoch
	lenses   []string // each has one outcome
	routes   []string // of findings, the one that counts most first
	ordinals int      // the highest number of a delivery's review that needs no human direction
}

// The lenses and routes that the versions have.
var (
	fiveLenses = []string{"standards", "skill_adherence", "architecture", "simplify", "spec"}
	fourRoutes = []string{"debugging", "implementation", "debt_follow_up", "docs_ingest"}
	fiveRoutes = []string{"human_steering_required", "debugging", "implementation", "debt_follow_up", "docs_ingest"}
)

// reportVersions is the table of versions, the oldest first.
var reportVersions = []reportVersion{
	{name: "five-lens", lenses: fiveLenses, routes: fourRoutes, ordinals: 3},
	{name: "primary-challenger-v1", epoch: true, lenses: fiveLenses, routes: fiveRoutes, ordinals: 2},
}

// noRoute is where a report without findings leads.
const noRoute = "closeout"

// versionOf tells a report's version by what only one has.
func versionOf(report *node) reportVersion {
	for _, v := range reportVersions {
		if v.epoch == (report.get("review_epoch") != nil) {
			return v
		}
	}
	return reportVersions[0]
}
