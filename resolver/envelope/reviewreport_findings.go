package envelope

import (
	"slices"
	"strconv"
	"strings"
)

// lenses demands one outcome for each lens of the version, and that it says
// whether the lens has findings.
func (r *reportCheck) lenses() {
	outcomes := r.at("lens_outcomes")
	if outcomes == nil || outcomes.kind != '{' {
		return
	}
	found := map[string]bool{}
	for _, f := range r.at("findings").list() {
		found[f.get("lens").str()] = true
	}
	for _, lens := range r.version.lenses {
		outcome := outcomes.get(lens)
		if outcome == nil {
			r.wrong(outcomes, MissingKey, "the key "+lens+" is missing")
			continue
		}
		r.oneOf(outcome, []string{"clean", "findings"})
		if slices.Contains([]string{"clean", "findings"}, outcome.str()) && (outcome.str() == "findings") != found[lens] {
			r.wrong(outcome, ReportDiffers, "the findings of the lens say otherwise")
		}
	}
	for _, m := range outcomes.members {
		if !slices.Contains(r.version.lenses, m.value.key) {
			r.add(UnknownKey, m.at, m.value.path(), "the version "+r.version.name+" has no such lens")
		}
	}
}

// findingSet demands that each finding has an id of its own, and lens and route
// of the version.
func (r *reportCheck) findingSet() {
	list := r.at("findings")
	r.different(list, "id")
	for _, f := range list.list() {
		r.oneOfTexts(f.get("lens"), r.version.lenses)
		r.oneOfTexts(f.get("return_route"), r.version.routes)
	}
}

// oneOf demands a text of a closed set.
func (r *reportCheck) oneOf(n *node, set []string) {
	if n != nil && (n.kind != '"' || !slices.Contains(set, n.text)) {
		r.addAt(n, NotInVocabulary, "the value is none of "+strings.Join(set, ", "))
	}
}

// oneOfTexts demands the same of what the schema has found to be a text.
func (r *reportCheck) oneOfTexts(n *node, set []string) {
	if n.str() != "" {
		r.oneOf(n, set)
	}
}

// routing demands the route that follows from the findings.
func (r *reportCheck) routing() {
	said, beside := r.at("routing", "primary"), r.at("routing", "secondary_architecture_follow_up")
	r.oneOfTexts(said, append(slices.Clone(r.version.routes), noRoute))
	primary, debt := noRoute, false
	for _, f := range r.at("findings").list() {
		route := f.get("return_route").str()
		if !slices.Contains(r.version.routes, route) {
			return
		}
		debt = debt || route == "debt_follow_up"
		if primary == noRoute || slices.Index(r.version.routes, route) < slices.Index(r.version.routes, primary) {
			primary = route
		}
	}
	if said.str() != "" && said.text != primary {
		r.wrong(said, ReportDiffers, "the findings' routes give "+primary)
	}
	follows := byte('f')
	if debt && (primary == "debugging" || primary == "implementation") {
		follows = 't'
	}
	if beside != nil && beside.typeName() == "boolean" && beside.kind != follows {
		r.wrong(beside, ReportDiffers, "the findings' routes say otherwise")
	}
}

// integer is the value of a plain integer, false for anything else.
func (n *node) integer() (int, bool) {
	if n == nil || !n.is("integer") {
		return 0, false
	}
	v, err := strconv.Atoi(n.text)
	return v, err == nil
}

// ordinals demands a number of the review that its version allows, and the repair
// before it. A human direction allows exactly the number that it names, and that
// no repair stands before it.
func (r *reportCheck) ordinals() {
	number, ok := r.at("review_ordinal").integer()
	if !ok {
		return
	}
	directed := false
	if direction := r.at("review_epoch", "human_direction", "authorized_ordinal"); direction != nil {
		allowed, _ := direction.integer()
		if directed = allowed == number; !directed {
			r.wrong(direction, OrdinalNotAllowed, "it is not the number of this review")
		}
	}
	if number > r.version.ordinals && !directed {
		r.wrong(r.at("review_ordinal"), OrdinalNotAllowed,
			"the version "+r.version.name+" allows "+strconv.Itoa(r.version.ordinals)+" reviews of a delivery without a human direction")
	}
	preceding := r.at("preceding_repair_ordinal")
	if preceding == nil {
		return
	}
	before, some := preceding.integer()
	switch {
	case number == 1 && preceding.kind != 'n':
		r.wrong(preceding, OrdinalNotAllowed, "no repair stands before the first review: it must be null")
	case number > 1 && (!some || before != number-1) && (!directed || preceding.kind != 'n'):
		r.wrong(preceding, OrdinalNotAllowed, "it must be "+strconv.Itoa(number-1))
	}
}

// epoch holds the epoch against its own rules and the report around it: the
// findings are those that it accepted.
func (r *reportCheck) epoch() {
	epoch := r.at("review_epoch")
	if epoch == nil || epoch.kind != '{' {
		return
	}
	inner := &check{document: &document{data: r.data, lines: r.lines, root: epoch}, options: r.options}
	epochResults(inner)
	epochAccounts(inner)
	r.findings = append(r.findings, inner.findings...)
	for _, result := range epoch.get("results").list() {
		for _, candidate := range result.get("candidates").list() {
			r.oneOfTexts(candidate.get("proposed_return_route"), r.version.routes)
		}
	}
	accepted := map[string]*node{}
	for _, a := range epoch.get("adjudications").list() {
		if id := a.get("finding_id"); id.str() != "" {
			accepted[id.text] = id
		}
	}
	for _, id := range textNodes(r.at("findings"), "id") {
		if accepted[id.text] == nil {
			r.wrong(id, ReportDiffers, "no adjudication of the epoch accepts the finding")
		}
		delete(accepted, id.text)
	}
	for _, id := range accepted {
		r.wrong(id, ReportDiffers, "the report has no such finding")
	}
}
