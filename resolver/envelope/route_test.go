package envelope

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// routeVector is one line of testdata/vectors/route/route.jsonl: a patch of the
// valid packet, in the repository of the envelopes' vectors.
type routeVector struct {
	Why    string      `json:"why"`
	Patch  []operation `json:"patch"`
	Claims struct {
		Goal       string  `json:"goal"`
		Bounds     string  `json:"bounds"`
		Task       string  `json:"task"`
		NextAction string  `json:"next_action"`
		Base       string  `json:"base"`
		Target     string  `json:"target"`
		Handoff    *string `json:"handoff"`
	} `json:"claims"`
	Want     string      `json:"want"`
	Triggers [][2]string `json:"triggers"` // trigger and JSON Pointer, in order
	Findings [][2]string `json:"findings"` // code and JSON Pointer
}

func (v routeVector) claims() Claims {
	c := Claims{
		Goal: v.Claims.Goal, Bounds: v.Claims.Bounds, Task: v.Claims.Task, NextAction: v.Claims.NextAction,
		Base: v.Claims.Base, Target: v.Claims.Target,
	}
	if v.Claims.Handoff != nil {
		c.Handoff = append([]byte{}, *v.Claims.Handoff...)
	}
	return c
}

func TestRouteVectors(t *testing.T) {
	w, schema := vectorRoot(t), library(t, "route")
	seen := map[string]bool{}
	for _, v := range vectorLines[routeVector](t, "route/route.jsonl", 40) {
		packet := vector{Patch: v.Patch}.document(t, "packet")
		r, err := RoutePacket(t.Context(), w, packet, Options{Name: "packet"}, v.claims())
		if err != nil {
			t.Fatal(err)
		}
		var got, found [][2]string
		for _, one := range r.Triggers {
			got = append(got, [2]string{one.Trigger, one.Pointer})
			seen[one.Trigger] = true
		}
		for _, f := range r.Findings {
			found = append(found, [2]string{f.Code, f.Pointer})
		}
		line, err := r.Line()
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != v.Want || !slices.Equal(got, v.Triggers) || !equalSets(found, v.Findings) {
			t.Errorf("%s: got %s, want %s %v %v", v.Why, line, v.Want, v.Triggers, v.Findings)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", v.Why, err)
		}
	}
	for _, name := range Triggers() {
		if !seen[name] {
			t.Errorf("no vector has the trigger %s", name)
		}
		if means, next, ok := ExplainTrigger(name); !ok || means == "" || next == "" {
			t.Errorf("the trigger %s is not explained", name)
		}
	}
	if !slices.IsSorted(Triggers()) || len(seen) != len(Triggers()) {
		t.Errorf("the table of triggers is not sorted, or lacks one of %v", seen)
	}
}

// TestRouteMutations holds that no packet with a key deleted, renamed, repeated or
// retyped is carried on.
func TestRouteMutations(t *testing.T) {
	w := vectorRoot(t)
	v := vectorLines[routeVector](t, "route/route.jsonl", 40)[0]
	doc := newDocument(vector{Patch: v.Patch}.document(t, "packet"))
	doc.read()
	count := 0
	for _, m := range mutations(doc.root) {
		count++
		r, err := RoutePacket(t.Context(), w, []byte(m.write(doc.root)), Options{Name: "packet"}, v.claims())
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != Invalid {
			t.Errorf("%s %s: %s", m.what, m.at.path(), r.Outcome)
		}
	}
	if count < 200 {
		t.Errorf("%d mutations, want at least 200", count)
	}
}

// TestRouteLine holds the field list of a route.
func TestRouteLine(t *testing.T) {
	line, err := (&Route{Schema: RouteSchema, Outcome: Warm}).Line()
	if err != nil || !json.Valid(line) || string(line) != `{"schema":"ctxptr.route/v1","outcome":"warm","triggers":[],"findings":[]}`+"\n" {
		t.Errorf("%s %v", line, err)
	}
}
