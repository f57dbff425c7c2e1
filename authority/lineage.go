package authority

import (
	"context"
	"slices"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Lineage is what history says of a stated identity: where it stood last, and
// what changed the authority since, as far as was looked.
type Lineage struct {
	Origin *Origin // where the identity stood last, nil where that is not known
	Fault  *Fault  // why it is not known, nil where it is

	Path     string     // where the history begins, from the top of the repository
	Head     string     // the object at the path in the commit that the history begins with, empty for none
	Steps    []Step     // commits that changed the authority since, or all that were looked at, in the order of git log: those that none with the identity descends from
	Omitted  int        // steps that are not listed
	Walked   int        // commits looked at
	Renames  []Renaming // followed
	Moves    []Renaming // where commits that removed the path put it; not followed
	Ends     []string   // one sentence for each commit in which a path appears first
	Unproven []*Fault   // why a later commit may have it all the same
	Notes    []string   // what is recorded and not applied: grafts, replace-refs
}

// Origin is the last place in history with the stated identity.
type Origin struct {
	Layer  string // LayerCommit or LayerIndex
	Commit string // full id, empty in the index
	Path   string // from the top of the repository, bytes
	Object string
	Mode   string // six octal digits

	Selected bool // a selector chose Lines
	Lines    [2]int
	Text     bool   // bytes stand there: Bytes
	Bytes    []byte // what the identity covers, as git stores it, and the line terminator behind
	First    int    // the line, from 1, on which Bytes begin
	Entries  Entries

	Boundary bool // a shallow clone ends with the commit: an earlier one may have left it so
	Aside    bool // what is there now does not come from it: a later merge left it out, or history was rewritten
}

// Step is a commit that changed the authority.
type Step struct {
	Commit  string
	Path    string // as the authority was named there, bytes
	Subject string // first paragraph of the message, bytes
	Removed bool   // the commit removed it
}

// Renaming is a change of the authority's path.
type Renaming struct {
	Commit, Old, New string
	Percent          int // 100 for the same bytes
}

// LineageOptions say what is looked for, and bound the search.
type LineageOptions struct {
	Identity   Identity
	Selector   selector.Selector
	CRLF       bool  // look also at the bytes with CRLF for every LF
	MaxCommits int   // commits looked at
	MaxBytes   int64 // bytes hashed
	MaxSteps   int   // steps listed
}

// Lineage searches the history of an authority, from the commit that is checked
// out or that the locator names, for the last commit that changed it to the stated
// identity: one from which no other that did so descends, whatever the commit times
// say. Where such stand on parallel branches, it is the one with the latest commit
// time, of one time the one with the lower id. Looked at are the commits of git log for
// a path, from which what is there now comes; where none of these has the identity,
// every commit that leads there. Renames are followed as gitref.PathLog says, of
// folders never. from is as for Observe. The error is a
// *Fault, when the kind has no such history or it cannot be read.
func (l Locator) Lineage(ctx context.Context, w *Workspace, from string, o LineageOptions) (*Lineage, error) {
	t, ok := l.target.(lineal)
	if !ok {
		return nil, fault(MissingRevision, "%s", noLineage(l.kind.Name))
	}
	d, err := t.descent(ctx, w, from)
	if d != nil && d.close != nil {
		defer d.close()
	}
	if err != nil {
		return nil, err
	}
	s := &lineageSearch{options: o, descent: d, limit: w.config.MaxBytes, tested: map[testedVersion]tested{}, out: &Lineage{}}
	s.out.Notes = notApplied(d.repo)
	search := s.run
	if d.commits {
		search = s.between
	}
	err = search(ctx)
	for _, f := range append(s.out.Unproven, s.out.Fault) {
		if f != nil {
			f.Fix = d.mend(f.Fix)
		}
	}
	return s.out, err
}

// mend is a command that supplies a proof, for the repository of the history, run at the
// root; nil for another one than the root's.
func (d *descent) mend(argv []string) []string {
	if d.elsewhere || argv == nil {
		return nil
	}
	return place{inner: d.inner}.command(argv)
}

// notApplied names what a repository records to make git show other objects than are
// there, and what no answer applies.
func notApplied(repo *gitref.Repo) []string {
	return slices.DeleteFunc(repo.Notes(), func(note string) bool {
		return note != gitref.NoteGrafts && note != gitref.NoteReplaceRefs
	})
}

// noLineage says of the other kinds why there is nothing to search.
func noLineage(kind string) string {
	switch kind {
	case "inputs":
		return "the identity is composed of those of the members, which have each their own history; those that changed are listed"
	case "range":
		return "the identity is of the difference of two commits, and which two had the stated one is not recorded"
	}
	return "what the other repository had before is not recorded here"
}

// lineal is a target whose authority has a history of commits.
type lineal interface {
	// descent finds where the history begins. What it opened is to be closed also
	// with an error, which is a *Fault.
	descent(ctx context.Context, w *Workspace, from string) (*descent, error)
}

// descent is where the history of an authority begins.
type descent struct {
	repo   *gitref.Repo
	path   string         // from the top of the repository
	commit gitref.OID     // zero where no commit is checked out yet
	staged []gitref.Entry // what the index has there, unless it is what the commit has
	close  func()         // nil where nothing was opened for it
	inner  string         // the top of the repository where it is nested, below the root; else ""

	elsewhere bool // the repository is another one than the root's

	bytes   bool // blobs are selected in and digested
	commits bool // the stated identity names a commit: there is no path

	// identify computes the identity of an entry that is no blob with bytes, false
	// for one that cannot have been the authority; nil where there are none.
	identify func(ctx context.Context, s *lineageSearch, path string, e gitref.Entry) (Identity, bool, error)
	entries  func(ctx context.Context, s *lineageSearch, path string, e gitref.Entry) (Entries, error) // what it is made of
}
