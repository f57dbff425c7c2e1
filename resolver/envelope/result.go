package envelope

import "ctxptr/resolver"

// ResultSchema names the format of a Result.
const ResultSchema = "ctxptr.validation/v1"

// The outcomes of a validation.
const (
	Valid   = "valid"   // nothing fails, and every pointer that was resolved holds
	Invalid = "invalid" // there is a finding that is no advice, or a blocked pointer
)

// What became of the pointers.
const (
	PointersResolved    = "resolved"     // records has the answer for each
	PointersNotResolved = "not_resolved" // nobody asked for it; only their form is checked
)

// Result is the answer for one file. Its JSON form is one line; the fields stand
// in this order.
type Result struct {
	Schema string `json:"schema"`
	Kind   string `json:"kind"`
	Named
	Outcome  string             `json:"outcome"`
	Pointers string             `json:"pointers"`
	Findings []Finding          `json:"findings"` // in order of place
	Records  []*resolver.Record `json:"records"`  // in order of place; id is the JSON Pointer of each
	Measured Measured           `json:"measured"`
}

// Named is the file that an answer is about, as it was named.
type Named struct {
	File    string `json:"file,omitempty"`
	FileURI string `json:"file_uri,omitempty"` // percent-encoded, when the name is no UTF-8

	name string
}

func asNamed(name string) Named {
	n := Named{name: name}
	n.File, n.FileURI = resolver.PathInJSON(name)
	return n
}

// Name is the name as it was given.
func (n Named) Name() string { return n.name }

// Measured is how large an envelope is: information, never a bound.
type Measured struct {
	Bytes    int `json:"bytes"`    // of the file
	Pointers int `json:"pointers"` // how many Context Pointers
	Text     int `json:"text"`     // bytes of its texts, without pointers
	Longest  int `json:"longest"`  // bytes of the longest of them
	Excerpts int `json:"excerpts"` // bytes of derived excerpts
}

func (c *check) result(kind *Kind, records []*resolver.Record, resolved bool) *Result {
	r := &Result{
		Schema: ResultSchema, Kind: kind.Name, Named: asNamed(c.options.Name), Outcome: Valid, Pointers: PointersNotResolved,
		Findings: sortFindings(c.findings), Records: records, Measured: c.measured(),
	}
	if resolved {
		r.Pointers = PointersResolved
	}
	if failed(r.Findings) || r.Has(resolver.Blocked) {
		r.Outcome = Invalid
	}
	return r
}

func (c *check) measured() Measured {
	m := Measured{Bytes: len(c.data), Pointers: len(c.pointers)}
	for _, n := range c.texts {
		m.Text += len(n.text)
		m.Longest = max(m.Longest, len(n.text))
		if n.key == "content" {
			m.Excerpts += len(n.text)
		}
	}
	return m
}

// Has reports whether any record has an outcome.
func (r *Result) Has(outcome string) bool {
	for _, one := range r.Records {
		if one.Outcome == outcome {
			return true
		}
	}
	return false
}

// Line returns the result as one line of JSON with its line feed. Characters that
// could steer a terminal or reorder text are escaped.
func (r *Result) Line() ([]byte, error) {
	out := *r
	out.Findings, out.Records = orEmpty(out.Findings), orEmpty(out.Records)
	return resolver.JSONLine(&out)
}

// orEmpty is a list that JSON writes as [] where there is none.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
