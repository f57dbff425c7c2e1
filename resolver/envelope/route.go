package envelope

import (
	"context"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// RouteSchema names the format of a Route.
const RouteSchema = "ctxptr.route/v1"

// The outcomes of routing.
const (
	Warm = "warm" // everything that the packet carries still matches
	Cold = "cold" // something does not: discard the packet
	// Invalid, as of a validation: the packet itself is not sound.
)

// Claims are what whoever would act says now, beside git and the pointers. A field
// that is empty was not said, and an absent claim matches nothing.
type Claims struct {
	Goal, Bounds, Task, NextAction string

	Base, Target string // revisions that the packet's must name too, empty for git's own answer
	Handoff      []byte // a delivery handoff that was received, nil for none
}

// Route is the answer whether a packet may be carried on. Its JSON form is one
// line; the fields stand in this order.
type Route struct {
	Schema   string    `json:"schema"`
	Outcome  string    `json:"outcome"`
	Named              // the packet's
	Triggers []Trigger `json:"triggers"` // why it is cold, every reason
	Findings []Finding `json:"findings"` // why the packet is invalid
}

// Trigger is one reason for a cold route.
type Trigger struct {
	Trigger  string           `json:"trigger"`           // of the closed set
	Pointer  string           `json:"pointer,omitempty"` // JSON Pointer into the packet
	Stated   *string          `json:"stated"`            // by the packet, null when it states nothing
	Observed *string          `json:"observed"`          // now, null when there is nothing
	Record   *resolver.Record `json:"record,omitempty"`  // the proof that is missing
}

// RoutePacket says whether a packet may be carried on: it resolves every pointer in
// it, and compares the rest with what is claimed and what git says. Without packet
// bytes the handoff alone decides. The error is one of resolver.Resolve.
func RoutePacket(ctx context.Context, w *authority.Workspace, packet []byte, o Options, claims Claims) (*Route, error) {
	r := &router{ctx: ctx, w: w, claims: claims, route: &Route{Schema: RouteSchema, Named: asNamed(o.Name)}}
	if claims.Handoff != nil {
		r.trigger(TriggerHandoff, nil, "", authority.BLAKE3Sum(claims.Handoff).String())
	}
	if packet == nil {
		return r.done(), nil
	}
	kind, _ := LookupKind("packet")
	result, err := Validate(ctx, w, kind, packet, o)
	if err != nil {
		return nil, err
	}
	if failed(result.Findings) {
		return &Route{Schema: RouteSchema, Outcome: Invalid, Named: asNamed(o.Name), Findings: result.Findings}, nil
	}
	doc := newDocument(packet)
	doc.read()
	r.packet = doc.root
	r.said()
	if err := r.git(); err != nil {
		return nil, err
	}
	r.evidence()
	r.pointers(result.Records)
	return r.done(), nil
}

// router gathers the triggers of one route.
type router struct {
	ctx    context.Context
	w      *authority.Workspace
	claims Claims
	packet *node
	route  *Route
}

func (r *router) done() *Route {
	r.route.Outcome = Warm
	if len(r.route.Triggers) > 0 {
		r.route.Outcome = Cold
	}
	return r.route
}

// trigger adds a trigger about a value of the packet, which states its text.
// Nothing stated or observed is empty.
func (r *router) trigger(name string, at *node, stated, observed string) *Trigger {
	t := Trigger{Trigger: name}
	if at != nil {
		t.Pointer = at.path()
	}
	if stated != "" {
		t.Stated = &stated
	}
	if observed != "" {
		t.Observed = &observed
	}
	r.route.Triggers = append(r.route.Triggers, t)
	return &r.route.Triggers[len(r.route.Triggers)-1]
}

// none is the literal that stands for an absent value.
const none = "none"

// said compares the packet with what is claimed.
func (r *router) said() {
	for _, c := range []struct{ trigger, key, claimed string }{
		{TriggerGoal, "delivery_goal_identity", r.claims.Goal},
		{TriggerBounds, "accepted_bounds_identity", r.claims.Bounds},
		{TriggerTask, "active_identity", r.claims.Task},
		{TriggerNextAction, "next_action", r.claims.NextAction},
	} {
		n := r.packet.get(c.key)
		if n.str() != c.claimed || c.claimed == none {
			r.trigger(c.trigger, n, n.str(), c.claimed)
		}
	}
	if n := r.packet.get("blocker"); n.str() != none {
		r.trigger(TriggerBlocker, n, n.str(), "")
	}
}

// evidence looks at what became of the evidence that the packet requires.
func (r *router) evidence() {
	for _, entry := range r.packet.get("evidence_freshness").list() {
		if n := entry.get("eligibility"); n.str() == "invalidated" {
			r.trigger(TriggerEvidenceState, n, n.text, "")
		}
		if n := entry.get("reconciliation"); n.str() == "stale" || n.str() == "blocked" {
			r.trigger(TriggerEvidenceState, n, n.text, "")
		}
	}
}

// pointers adds a trigger for every pointer that is blocked.
func (r *router) pointers(records []*resolver.Record) {
	for _, record := range records {
		if record.Outcome == resolver.Resolved {
			continue
		}
		name := TriggerPointer
		if strings.HasPrefix(record.ID, "/evidence_freshness/") {
			name = TriggerEvidence
		}
		t := r.trigger(name, nil, record.Expected, observedIdentity(record))
		t.Pointer, t.Record = record.ID, record
	}
}

// observedIdentity is what a record found, or the code that says why nothing was.
func observedIdentity(r *resolver.Record) string {
	if r.Observed != nil && r.Observed.Identity != "" {
		return r.Observed.Identity
	}
	return string(r.Code)
}

// Line returns the route as one line of JSON with its line feed.
func (r *Route) Line() ([]byte, error) {
	out := *r
	out.Triggers, out.Findings = orEmpty(out.Triggers), orEmpty(out.Findings)
	return resolver.JSONLine(&out)
}
