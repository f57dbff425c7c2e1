package envelope

import (
	"slices"
	"strconv"
	"strings"
)

// index is the name of an array's element in a JSON Pointer.
func index(i int) string { return strconv.Itoa(i) }

// findingsOf are the report's findings, nil when there is no array of them.
func (r *reportCheck) findingsOf() []*element {
	if list := r.report.get("findings"); list != nil && list.kind == '[' {
		return list.children
	}
	return nil
}

// lenses demands one outcome for each lens of the version, and that it says
// whether the lens has findings.
func (r *reportCheck) lenses() {
	outcomes := r.report.get("lens_outcomes")
	if outcomes == nil || outcomes.kind != '{' {
		return
	}
	found := map[string]bool{}
	for _, f := range r.findingsOf() {
		lens, _ := f.get("lens").str()
		found[lens] = true
	}
	for _, lens := range r.version.lenses {
		outcome, ok := outcomes.get(lens).str()
		switch {
		case outcomes.get(lens) == nil:
			r.at(CodeMissingKey, "the key is missing", "lens_outcomes", lens)
		case ok && (outcome == "findings") != found[lens]:
			r.at(CodeAgreement, "the findings of the lens say otherwise", "lens_outcomes", lens)
		}
	}
	for _, member := range outcomes.children {
		if !slices.Contains(r.version.lenses, member.key) {
			r.add(pointerTo("/report/lens_outcomes", member.key), member.keyAt, CodeUnknownKey, "the version %s has no such lens", r.version.name)
		}
	}
}

// findingSet demands that each finding has an id of its own, and lens and route
// of the version.
func (r *reportCheck) findingSet() {
	ids := map[string]bool{}
	for i, f := range r.findingsOf() {
		if id, ok := f.get("id").str(); ok {
			if ids[id] {
				r.at(CodeDuplicate, "the id stands twice", "findings", index(i), "id")
			}
			ids[id] = true
		}
		r.oneOf(f.get("lens"), r.version.lenses, "findings", index(i), "lens")
		r.oneOf(f.get("return_route"), r.version.routes, "findings", index(i), "return_route")
	}
}

// oneOf demands a text of a closed set.
func (r *reportCheck) oneOf(e *element, set []string, path ...string) {
	if text, ok := e.str(); ok && text != "" && !slices.Contains(set, text) {
		r.at(CodeVocabulary, "it must be one of "+strings.Join(set, " "), path...)
	}
}

// routing demands the route that follows from the findings.
func (r *reportCheck) routing() {
	r.oneOf(r.report.find([]string{"routing", "primary"}), append(slices.Clone(r.version.routes), noRoute), "routing", "primary")
	primary, debt := noRoute, false
	for _, f := range r.findingsOf() {
		route, _ := f.get("return_route").str()
		if !slices.Contains(r.version.routes, route) {
			return
		}
		debt = debt || route == "debt_follow_up"
		if primary == noRoute || slices.Index(r.version.routes, route) < slices.Index(r.version.routes, primary) {
			primary = route
		}
	}
	if said := r.text("routing", "primary"); said != "" && said != primary {
		r.at(CodeAgreement, "the findings' routes give "+primary, "routing", "primary")
	}
	beside := debt && (primary == "debugging" || primary == "implementation")
	if e := r.report.find([]string{"routing", "secondary_architecture_follow_up"}); e != nil && (e.kind == 't' || e.kind == 'f') && (e.kind == 't') != beside {
		r.at(CodeAgreement, "the findings' routes say otherwise", "routing", "secondary_architecture_follow_up")
	}
}

// ordinals demands a number of the review that its version allows, and the repair
// before it. A human direction allows exactly the number that it names, and that
// no repair stands before it.
func (r *reportCheck) ordinals() {
	for _, path := range [][]string{{"review_ordinal"}, {"preceding_repair_ordinal"}, {"review_epoch", "human_direction", "authorized_ordinal"}} {
		e := r.report.find(path)
		if _, plain := jsonInteger(e); e != nil && e.kind == '0' && !plain {
			r.at(CodeOrdinal, "it is no plain decimal number from 1", path...)
		}
	}
	number, ok := jsonInteger(r.report.get("review_ordinal"))
	if !ok {
		return
	}
	directed := false
	if direction := r.report.find([]string{"review_epoch", "human_direction"}); direction != nil {
		allowed, _ := jsonInteger(direction.get("authorized_ordinal"))
		if directed = allowed == number; !directed {
			r.at(CodeOrdinal, "it is not the number of this review", "review_epoch", "human_direction", "authorized_ordinal")
		}
	}
	if number > r.version.ordinals && !directed {
		r.at(CodeOrdinal, "the version "+r.version.name+" allows "+index(r.version.ordinals)+" reviews of a delivery without a human direction", "review_ordinal")
	}
	preceding := r.report.get("preceding_repair_ordinal")
	if preceding == nil {
		return
	}
	before, some := jsonInteger(preceding)
	switch {
	case number == 1 && preceding.kind != 'n':
		r.at(CodeOrdinal, "no repair stands before the first review: it must be null", "preceding_repair_ordinal")
	case number > 1 && (!some || before != number-1) && (!directed || preceding.kind != 'n'):
		r.at(CodeOrdinal, "it must be "+index(number-1), "preceding_repair_ordinal")
	}
}

// epoch holds the epoch against the report around it: its packet is this run's,
// and the findings are those that it accepted.
func (r *reportCheck) epoch() {
	epoch := r.report.get("review_epoch")
	if epoch == nil || epoch.kind != '{' {
		return
	}
	packet, _ := epoch.get("packet_identity").str()
	if results := epoch.get("results"); results != nil {
		for i, result := range results.children {
			if said, _ := result.get("packet_identity").str(); said != packet {
				r.at(CodeAgreement, "it is not the epoch's packet_identity", "review_epoch", "results", index(i), "packet_identity")
			}
		}
	}
	accepted := map[string]bool{}
	if list := epoch.get("adjudications"); list != nil {
		for _, a := range list.children {
			if id, ok := a.get("finding_id").str(); ok {
				accepted[id] = true
			}
		}
	}
	for i, f := range r.findingsOf() {
		id, ok := f.get("id").str()
		if ok && !accepted[id] {
			r.at(CodeAgreement, "no adjudication of the epoch accepts the finding", "findings", index(i), "id")
		}
		delete(accepted, id)
	}
	if len(accepted) > 0 {
		r.at(CodeAgreement, "an adjudication accepts a finding that is not in the report", "review_epoch", "adjudications")
	}
}
