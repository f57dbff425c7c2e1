package resolver

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"ctxptr/authority"
)

// Schema names the format of a Record.
const Schema = "ctxptr.resolution/v1"

// The outcomes of a resolution.
const (
	Resolved  = "resolved"  // everything stated is proven
	Refreshed = "refreshed" // one refresh proved exactly one current identity; adopt PointerNow first
	Blocked   = "blocked"   // do not act on the pointer
	Exists    = "found"     // a plain reference, which states no identity, names exactly one thing
)

// What became of the refresh.
const (
	RefreshNotNeeded    = "not_needed"
	RefreshPerformed    = "performed"
	RefreshNotAttempted = "not_attempted" // nobody asked for it
	RefreshSpent        = "spent"         // this episode's refresh was performed before
	RefreshNotAllowed   = "not_allowed"   // no refresh can supply the proof
	RefreshFailed       = "failed"        // it was performed and proved nothing
)

// Record is the answer for one pointer: a resolved identity or an exact blocked
// record. It holds no time, no host, no absolute path and no file content. Its
// JSON form is one line; the fields stand in this order.
type Record struct {
	Schema  string `json:"schema"`
	Index   int    `json:"index"`        // place in the input, from 0
	ID      string `json:"id,omitempty"` // the caller's own name for the pointer
	Outcome string `json:"outcome"`

	Reason       string         `json:"reason,omitempty"` // blocked: missing, stale, malformed or ambiguous
	Code         authority.Code `json:"code,omitempty"`   // blocked: reason, colon, subject
	Rule         string         `json:"rule,omitempty"`   // blocked: the freshness rule that is not proven
	MissingProof string         `json:"missing_proof,omitempty"`
	Offset       *int           `json:"offset,omitempty"` // malformed: byte offset in the input

	Pointer     string  `json:"pointer,omitempty"`      // canonical, absent when the input did not parse
	Input       *string `json:"input,omitempty"`        // verbatim, when it is not Pointer; cut when long or no UTF-8
	InputBytes  int64   `json:"input_bytes,omitempty"`  // length of an input that was cut
	InputDigest string  `json:"input_digest,omitempty"` // blake3 of an input that was cut
	At          *Place  `json:"at,omitempty"`           // where the pointer, or a pin's reference, stands
	Form        string  `json:"form,omitempty"`         // how a plain reference is written, or pin

	StatedIdentity string      `json:"stated_identity,omitempty"` // refreshed
	Identity       string      `json:"identity,omitempty"`        // resolved and refreshed: what is there now
	PointerNow     string      `json:"pointer_now,omitempty"`     // refreshed: the pointer that is valid now
	Expected       string      `json:"expected,omitempty"`        // blocked: the identity stated
	Observed       *Observed   `json:"observed,omitempty"`
	Freshness      Proofs      `json:"freshness,omitempty"`  // resolved and refreshed: how each rule was proven
	Difference     string      `json:"difference,omitempty"` // stale: eol-only, whitespace-only or content, where the stated bytes are known
	Candidates     []Candidate `json:"candidates,omitempty"` // ambiguous: every meaning
	Omitted        int         `json:"candidates_omitted,omitempty"`

	IdenticalAt  []IdenticalPlace `json:"identical_at,omitempty"`  // blocked: where else the stated bytes stand
	IdenticalCut bool             `json:"identical_cut,omitempty"` // the search for them did not see everything

	Changed        []ChangedInput `json:"changed,omitempty"` // the inputs whose identity is another than they state
	ChangedOmitted int            `json:"changed_omitted,omitempty"`

	Episode string   `json:"episode,omitempty"` // blocked: names this pointer with this observation
	Refresh string   `json:"refresh"`
	Fix     []string `json:"fix,omitempty"` // argv that would supply the proof

	pointer Pointer // zero when the input did not parse
	bytes   []byte  // the verified bytes, for read
}

// Observed is what was seen at the authority.
type Observed struct {
	Layer        string  `json:"layer"` // worktree, index, commit, refs or remote
	Path         string  `json:"path,omitempty"`
	PathURI      string  `json:"path_uri,omitempty"`      // percent-encoded, when the path is no UTF-8
	Commit       string  `json:"commit,omitempty"`        // a range's head
	Base         string  `json:"base,omitempty"`          // of a range
	MergeBase    string  `json:"merge_base,omitempty"`    // of a range from it
	ChangedPaths *int    `json:"changed_paths,omitempty"` // of a range: how many differ
	Object       string  `json:"object,omitempty"`
	Mode         string  `json:"mode,omitempty"`
	Symref       string  `json:"symref,omitempty"`
	Conversion   string  `json:"conversion,omitempty"` // eol: as git add would store the bytes
	Objects      int     `json:"objects,omitempty"`    // of a commit proven whole: its trees and blobs
	Index        string  `json:"index,omitempty"`      // of a working tree: its identity if it were what the index holds
	Identity     string  `json:"identity,omitempty"`   // blocked: what stands there now
	Bytes        *[2]int `json:"bytes,omitempty"`      // the selection, [from, to)
	Lines        *[2]int `json:"lines,omitempty"`      // the selection, [first, last] from 1

	Notes []string `json:"notes,omitempty"` // grafts, replace-refs: recorded, and not applied
}

// Candidate is one meaning of something ambiguous.
type Candidate struct {
	Pointer string  `json:"pointer,omitempty"` // a pointer that means this one alone
	Name    string  `json:"name,omitempty"`    // a full ref name or object id
	Bytes   *[2]int `json:"bytes,omitempty"`
	Lines   *[2]int `json:"lines,omitempty"`
}

// IdenticalPlace is one place in the tracked tree at which the stated bytes stand.
type IdenticalPlace struct {
	Path    string  `json:"path,omitempty"`
	PathURI string  `json:"path_uri,omitempty"` // percent-encoded, when the path is no UTF-8
	Lines   *[2]int `json:"lines,omitempty"`    // [first, last] from 1, absent for the whole file
	Pointer string  `json:"pointer,omitempty"`  // to exactly these bytes, where lines or the whole file are they
}

// ChangedInput is a member of a set of inputs whose identity is another than its
// pointer states.
type ChangedInput struct {
	Pointer  string `json:"pointer"`
	Identity string `json:"identity"` // what it is now
}

// Proof is how one freshness rule was proven.
type Proof struct{ Rule, How string }

// Proofs are the proofs in the order of the rules; in JSON an object.
type Proofs []Proof

// MarshalJSON writes {"rule": "how", …} in order.
func (p Proofs) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, proof := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, text := range []string{proof.Rule, proof.How} {
			quoted, err := json.Marshal(text)
			if err != nil {
				return nil, err
			}
			if j == 1 {
				b.WriteByte(':')
			}
			b.Write(quoted)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Proofs) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	var proofs Proofs
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		rule, ok := key.(string)
		if !ok {
			return errors.New("the proofs are no object")
		}
		var how string
		if err := d.Decode(&how); err != nil {
			return err
		}
		proofs = append(proofs, Proof{rule, how})
	}
	*p = proofs
	return nil
}

// Line returns the record as one line of JSON with its line feed. Characters
// that could steer a terminal or reorder text are escaped.
func (r *Record) Line() ([]byte, error) { return JSONLine(r) }

// JSONLine returns a value as one line of JSON with its line feed, escaped as
// escapeControls says.
func JSONLine(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return escapeControls(b.Bytes()), nil
}

// escapeControls writes what is not printable in a line of JSON as \u escapes.
// The line feed at its end stays.
func escapeControls(line []byte) []byte {
	if !needsEscape(line) {
		return line
	}
	out := make([]byte, 0, len(line)+32)
	for i := 0; i < len(line); {
		c, n := utf8.DecodeRune(line[i:])
		if n > 1 && !strconv.IsPrint(c) || c == 0x7f {
			out = appendEscaped(out, c)
		} else {
			out = append(out, line[i:i+n]...)
		}
		i += n
	}
	return out
}

func needsEscape(line []byte) bool {
	for _, c := range line {
		if c >= 0x7f {
			return true
		}
	}
	return false
}

// appendEscaped appends c as one \u escape, or two beyond the basic plane.
func appendEscaped(out []byte, c rune) []byte {
	units := []rune{c}
	if c > 0xffff {
		c -= 0x10000
		units = []rune{0xd800 + c>>10, 0xdc00 + c&0x3ff}
	}
	for _, u := range units {
		out = append(out, '\\', 'u')
		for shift := 12; shift >= 0; shift -= 4 {
			out = append(out, "0123456789abcdef"[u>>shift&15])
		}
	}
	return out
}

// Bytes returns the verified bytes of a resolved or refreshed pointer, false
// where its kind has none. The resolver must have been asked to keep them.
func (r *Record) Bytes() ([]byte, bool) { return r.bytes, r.bytes != nil }

// Subject returns the pointer that the record is about, zero when there is none.
func (r *Record) Subject() Pointer { return r.pointer }

// Place returns the path of what was observed, false when nothing was or it has
// none.
func (o *Observed) Place() (string, bool) {
	if o == nil || o.Path == "" && o.PathURI == "" {
		return "", false
	}
	if o.PathURI == "" {
		return o.Path, true
	}
	p, err := DecodePath(o.PathURI)
	return p, err == nil
}

// Name is how text output names the pointer, safe on a terminal.
func (r *Record) Name() string {
	if r.Pointer != "" {
		return r.pointer.Short()
	}
	return authority.Quote(*r.Input)
}
