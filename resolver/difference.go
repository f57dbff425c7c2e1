package resolver

import (
	"strings"
	"unicode/utf8"

	"ctxptr/authority"
)

// DifferenceSchema names the format of a Difference.
const DifferenceSchema = "ctxptr.diff/v1"

// The verdicts of a Difference.
const (
	Same    = "same"    // the stated identity is what stands there now
	Changed = "changed" // something else stands there, or nothing
	Unknown = "unknown" // what stands there now could not be observed
)

// Difference says what changed at a pointer's authority since its stated identity.
// It holds file content. Its JSON form is one line; the fields stand in this order.
type Difference struct {
	Schema  string  `json:"schema"`
	Verdict string  `json:"verdict"`
	Record  *Record `json:"record"` // what resolve answers

	Found    *Origin  `json:"found,omitempty"`     // where the stated identity stood last
	NotFound *Doubt   `json:"not_found,omitempty"` // why that is not known
	Doubts   []Doubt  `json:"doubts,omitempty"`    // why a later place may exist all the same
	Notes    []string `json:"notes,omitempty"`     // grafts, replace-refs: recorded, and not applied

	Commits     []ChangedBy `json:"commits,omitempty"` // that changed the authority since, in the order of git log
	Omitted     int         `json:"commits_omitted,omitempty"`
	Walked      int         `json:"walked,omitempty"`      // commits looked at
	Uncommitted bool        `json:"uncommitted,omitempty"` // of a file: it is not as in the commit that is checked out
	Renames     []Renamed   `json:"renames,omitempty"`     // followed, in the order of git log
	Moves       []Renamed   `json:"moves,omitempty"`       // where commits that removed the path put it: evidence, not followed
	TrailEnds   []string    `json:"trail_ends,omitempty"`  // where the path appears first, when nothing was found

	Entries        []EntryChange `json:"entries,omitempty"` // of a folder, tree or working tree, by path
	EntriesOmitted int           `json:"entries_omitted,omitempty"`

	Added   int    `json:"added,omitempty"`    // lines
	Removed int    `json:"removed,omitempty"`  // lines
	Binary  bool   `json:"binary,omitempty"`   // one side is no text: no diff
	NotUTF8 bool   `json:"not_utf8,omitempty"` // bytes of the diff are replaced by U+FFFD here
	Diff    string `json:"diff,omitempty"`     // unified, with the line numbers of the whole files
}

// Origin is the last place in history with the stated identity: no other such commit
// of those that lead to what is there now descends from it.
type Origin struct {
	Layer    string  `json:"layer"` // commit or index
	Commit   string  `json:"commit,omitempty"`
	Path     string  `json:"path,omitempty"`     // from the top of the repository
	PathURI  string  `json:"path_uri,omitempty"` // percent-encoded, when the path is no UTF-8
	Object   string  `json:"object,omitempty"`
	Mode     string  `json:"mode,omitempty"`
	Lines    *[2]int `json:"lines,omitempty"`    // the selection, [first, last] from 1
	Boundary bool    `json:"boundary,omitempty"` // a shallow clone ends with the commit: an earlier one may have left it so
	Aside    bool    `json:"aside,omitempty"`    // what is there now does not come from it
}

// ChangedBy is a commit that changed the authority.
type ChangedBy struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`        // first paragraph of its message, cut when long
	Path    string `json:"path,omitempty"` // as the authority was named there
	PathURI string `json:"path_uri,omitempty"`
	Removed bool   `json:"removed,omitempty"` // the commit removed it
}

// Renamed is a change of the authority's path. Paths are percent-encoded where they
// are no UTF-8.
type Renamed struct {
	Commit  string `json:"commit"`
	From    string `json:"from"`
	To      string `json:"to"`
	Percent int    `json:"percent"` // how much of the longer file is in both
}

// EntryChange is an entry that differs: of a folder its type and digest, else its
// mode and object id; empty for nothing.
type EntryChange struct {
	Path    string `json:"path,omitempty"`
	PathURI string `json:"path_uri,omitempty"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
}

// Doubt is a proof that is missing.
type Doubt struct {
	Code         authority.Code `json:"code"`
	MissingProof string         `json:"missing_proof"`
	Fix          []string       `json:"fix,omitempty"` // argv that would supply the proof
}

func doubt(f *authority.Fault) Doubt { return Doubt{f.Code, f.Proof, f.Fix} }

// Line returns the difference as one line of JSON with its line feed, escaped as
// Record.Line is.
func (d *Difference) Line() ([]byte, error) {
	shown := *d
	shown.NotUTF8 = d.NotUTF8 || !utf8.ValidString(d.Diff)
	shown.Diff = strings.ToValidUTF8(d.Diff, "\ufffd")
	return JSONLine(&shown)
}

// either is the one of what PathInJSON returns that is not empty.
func either(plain, uri string) string { return plain + uri }

// found describes an origin.
func found(o *authority.Origin) *Origin {
	f := &Origin{Layer: o.Layer, Commit: o.Commit, Object: o.Object, Mode: o.Mode, Boundary: o.Boundary, Aside: o.Aside}
	f.Path, f.PathURI = PathInJSON(o.Path)
	if o.Selected {
		lines := o.Lines // o has all bytes
		f.Lines = &lines
	}
	return f
}

// tell fills in what history says.
func (d *Difference) tell(l *authority.Lineage) {
	d.Walked, d.Omitted, d.Notes = l.Walked, l.Omitted, l.Notes
	if l.Origin != nil {
		d.Found = found(l.Origin)
	} else {
		d.TrailEnds = l.Ends
	}
	if l.Fault != nil {
		why := doubt(l.Fault)
		d.NotFound = &why
	}
	for _, f := range l.Unproven {
		d.Doubts = append(d.Doubts, doubt(f))
	}
	for _, s := range l.Steps {
		c := ChangedBy{ID: s.Commit, Subject: shortSubject(s.Subject), Removed: s.Removed}
		c.Path, c.PathURI = PathInJSON(s.Path)
		d.Commits = append(d.Commits, c)
	}
	d.Renames, d.Moves = renamed(l.Renames), renamed(l.Moves)
}

// maxSubject is how many bytes of a subject are repeated.
const maxSubject = 200

func shortSubject(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= maxSubject {
		return s
	}
	return validPrefix(s[:maxSubject]) + "..."
}

func renamed(list []authority.Renaming) (out []Renamed) {
	for _, r := range list {
		out = append(out, Renamed{r.Commit, either(PathInJSON(r.Old)), either(PathInJSON(r.New)), r.Percent})
	}
	return out
}

// listEntries fills in which entries differ.
func (d *Difference) listEntries(old, now authority.Entries, most int) {
	changes := old.Changes(now)
	d.EntriesOmitted = max(0, len(changes)-most)
	for _, c := range changes[:min(len(changes), most)] {
		e := EntryChange{Old: c.Old, New: c.New}
		e.Path, e.PathURI = PathInJSON(c.Path)
		d.Entries = append(d.Entries, e)
	}
}
