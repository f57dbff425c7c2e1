package authority

import (
	"bytes"
	"context"
	"errors"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Lineage is what history says of a stated identity: where it stood last, and
// what changed the authority since, as far as was looked.
type Lineage struct {
	Origin *Origin // where the identity stood last, nil where that is not known
	Fault  *Fault  // why it is not known, nil where it is

	Head     string // the object at the path in the commit that the history begins with, empty for none
	Steps    []Step // commits that changed the authority since, or all that were looked at; newest first
	Omitted  int    // steps that are not listed
	Walked   int    // commits looked at
	Renames  []Renaming
	Ends     []string // one sentence for each commit in which a path appears first
	Unproven []*Fault // why a newer commit may have it all the same
	Notes    []string // what is recorded and not applied: grafts, replace-refs
}

// Origin is the newest place in history with the stated identity.
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

	Aside bool // what is there now does not come from it: a later merge left it out, or history was rewritten
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
// out or that the locator names, for the newest commit that changed it to the
// stated identity. The first walk is the one of git log for a path; where that
// finds nothing, a second follows every parent. Renames are followed as
// gitref.PathLog says, of folders never. from is as for Observe. The error is a
// *Fault, when the kind has no such history or it cannot be read.
func (l Locator) Lineage(ctx context.Context, w *Workspace, from string, o LineageOptions) (*Lineage, error) {
	t, ok := l.target.(lineal)
	if !ok {
		return nil, fault(MissingRevision, "%s", noLineage[l.kind.Name])
	}
	d, err := t.descent(ctx, w, from)
	if err != nil {
		return nil, err
	}
	if d.close != nil {
		defer d.close()
	}
	s := &lineageSearch{options: o, descent: d, limit: w.config.MaxBytes, tested: map[testedVersion]bool{}, out: &Lineage{}}
	for _, note := range d.repo.Notes() {
		if note == "grafts" || note == "replace-refs" {
			s.out.Notes = append(s.out.Notes, note)
		}
	}
	if d.commits {
		return s.out, s.between(ctx)
	}
	return s.out, s.run(ctx)
}

// noLineage says of the other kinds why there is nothing to search.
var noLineage = map[string]string{
	"inputs": "the identity is composed of those of the members, which have each their own history; those that changed are listed",
	"range":  "the identity is of the difference of two commits, and which two had the stated one is not recorded",
	"remote": "what the other repository had before is not recorded here",
}

// lineal is a target whose authority has a history of commits.
type lineal interface {
	descent(ctx context.Context, w *Workspace, from string) (*descent, error)
}

// descent is where the history of an authority begins.
type descent struct {
	repo   *gitref.Repo
	path   string         // from the top of the repository
	commit gitref.OID     // zero where no commit is checked out yet
	staged []gitref.Entry // what the index has there, unless it is what the commit has
	close  func()         // nil where nothing was opened for it

	bytes   bool // blobs are selected in and digested
	commits bool // the stated identity names a commit: there is no path

	// identify computes the identity of an entry that is no blob with bytes, false
	// for one that cannot have been the authority; nil where there are none.
	identify func(ctx context.Context, s *lineageSearch, path string, e gitref.Entry) (Identity, bool, error)
	entries  func(ctx context.Context, s *lineageSearch, path string, e gitref.Entry) (Entries, error) // what it is made of
}

// lineageSearch is one search under way.
type lineageSearch struct {
	*descent
	options LineageOptions
	limit   int64 // the most bytes of one blob
	out     *Lineage

	tested   map[testedVersion]bool
	hashed   int64
	overSize bool                  // MaxBytes ended the search
	unread   map[gitref.OID]*Fault // blobs whose identity could not be computed
	missing  []gitref.OID          // what a partial clone lacks
	digests  map[gitref.OID]string // of blobs, for folders
}

type testedVersion struct {
	id   gitref.OID
	path string
}

func (s *lineageSearch) run(ctx context.Context) error {
	for _, e := range s.staged {
		found, err := s.prove(ctx, s.path, e)
		if err != nil {
			return err
		}
		if found != nil {
			found.Layer = LayerIndex
			s.out.Origin = found
			return nil
		}
	}
	if s.commit.IsZero() {
		s.out.Fault = fault(MissingRevision, "there is no commit yet, and the index has nothing with the stated identity")
		return nil
	}
	log, err := s.walk(ctx, false)
	if err == nil && s.out.Origin == nil && !s.overSize && !log.OverMax {
		steps, omitted := s.out.Steps, s.out.Omitted
		if log, err = s.walk(ctx, true); s.out.Origin == nil {
			s.out.Steps, s.out.Omitted = steps, omitted
		}
		if s.out.Origin != nil {
			s.out.Origin.Aside = true
		}
	}
	if err != nil {
		return err
	}
	s.conclude(log)
	return nil
}

// walk looks at every version until one has the identity.
func (s *lineageSearch) walk(ctx context.Context, full bool) (*gitref.PathLog, error) {
	s.out.Steps, s.out.Omitted = nil, 0
	log, err := s.repo.NewPathLog(ctx, s.commit, s.path, gitref.PathLogOptions{MaxCommits: s.options.MaxCommits, Full: full})
	if err != nil {
		return nil, s.explain(err)
	}
	if log.Start.Mode != 0 {
		s.out.Head = log.Start.OID.String()
	}
	for v, err := range log.Versions(ctx) {
		if err != nil {
			return nil, s.explain(err)
		}
		found, err := s.prove(ctx, v.Path, v.Entry)
		if err != nil {
			return nil, err
		}
		if found != nil {
			found.Layer, found.Commit = LayerCommit, v.Commit.String()
			s.out.Origin = found
			break
		}
		if s.overSize {
			break
		}
		if err := s.step(ctx, v); err != nil {
			return nil, err
		}
	}
	s.out.Walked += log.Walked
	s.out.Renames, s.out.Ends = nil, nil
	for _, r := range log.Renames {
		s.out.Renames = append(s.out.Renames, Renaming{r.Commit.String(), r.Old, r.New, r.Percent})
	}
	for _, e := range log.Ends {
		s.out.Ends = append(s.out.Ends, Quote(e.Path)+" appears first in "+e.Commit.String()+": "+e.Why)
	}
	for _, id := range log.Unread {
		s.lacks(id)
	}
	return log, nil
}

func (s *lineageSearch) step(ctx context.Context, v gitref.Version) error {
	if len(s.out.Steps) >= s.options.MaxSteps {
		s.out.Omitted++
		return nil
	}
	subject, err := s.repo.Subject(ctx, v.Commit)
	if err != nil {
		return gitFault(err)
	}
	s.out.Steps = append(s.out.Steps, Step{v.Commit.String(), v.Path, subject, v.Entry.Mode == 0})
	return nil
}

// prove returns the origin that a version is when it has the stated identity, nil
// when it has not or that cannot be told, which is noted.
func (s *lineageSearch) prove(ctx context.Context, path string, e gitref.Entry) (*Origin, error) {
	key := testedVersion{e.OID, path}
	if e.Mode == 0 || s.tested[key] {
		return nil, nil
	}
	s.tested[key] = true
	found, err := s.test(ctx, path, e)
	if f, ok := errors.AsType[*Fault](err); ok && !endsSearch(ctx, f) {
		s.note(e.OID, f)
		return nil, nil
	}
	if found != nil {
		found.Path, found.Object, found.Mode = path, e.OID.String(), modeText(e.Mode)
	}
	return found, err
}

// endsSearch reports whether what keeps one version from being told keeps others
// too: a document that exhausts a parser is not followed by its like.
func endsSearch(ctx context.Context, f *Fault) bool {
	e, ok := errors.AsType[*selector.Error](f)
	return ctx.Err() != nil || ok && (e.Fault == selector.OverLimit || e.Fault == selector.Unsupported)
}

// test computes the identity of a version, and returns its origin when that is the
// stated one.
func (s *lineageSearch) test(ctx context.Context, path string, e gitref.Entry) (*Origin, error) {
	id := s.options.Identity
	if s.identify != nil && (!s.bytes || e.Mode == gitref.ModeTree) {
		now, ok, err := s.identify(ctx, s, path, e)
		if err != nil || !ok || now != id {
			return nil, err
		}
		list, err := s.entries(ctx, s, path, e)
		return &Origin{Entries: list}, err
	}
	if !s.bytes || !isBlob(e.Mode) || !id.ofBytes() {
		return nil, nil
	}
	if id.tag == GitBlob && (s.options.Selector.IsZero() || id.whole) && !s.options.CRLF && e.OID.String() != id.Hex() {
		return nil, nil
	}
	data, err := s.read(ctx, e.OID)
	if err != nil {
		return nil, err
	}
	found, err := s.match(ctx, path, data)
	if found == nil && err == nil && s.options.CRLF {
		if found, err = s.match(ctx, path, withCRLF(data)); found != nil {
			found.Bytes = bytes.ReplaceAll(found.Bytes, []byte("\r\n"), []byte("\n"))
		}
	}
	return found, err
}

// match returns the origin that bytes are when they have the stated identity.
func (s *lineageSearch) match(ctx context.Context, path string, data []byte) (*Origin, error) {
	doc := selector.NewDocument(path, data)
	r := selector.Range{To: doc.Len()}
	out := &Origin{Text: true, First: 1}
	if sel := s.options.Selector; !sel.IsZero() {
		selected, err := sel.Select(ctx, doc)
		if e, ok := errors.AsType[*selector.Error](err); ok && (e.Fault == selector.NoMatch || e.Fault == selector.ManyMatches || e.Fault == selector.BadContent) {
			return nil, nil
		}
		if err != nil {
			return nil, SelectorFault(err)
		}
		out.Selected = true
		out.Lines[0], out.Lines[1] = doc.Lines(selected)
		if !s.options.Identity.whole {
			r, out.First = selected, out.Lines[0]
		}
	}
	if Digest(s.options.Identity, doc.Bytes(r)) != s.options.Identity {
		return nil, nil
	}
	out.Bytes = doc.Bytes(doc.WithTerminator(r))
	return out, nil
}

// read reads a blob within the bounds.
func (s *lineageSearch) read(ctx context.Context, id gitref.OID) ([]byte, error) {
	data, err := loadBlob(s.repo, id, s.limit)(ctx)
	if s.hashed += int64(len(data)); s.hashed > s.options.MaxBytes {
		s.overSize = true
	}
	return data, err
}

// note keeps why the identity of a blob is not known.
func (s *lineageSearch) note(id gitref.OID, f *Fault) {
	if s.unread == nil {
		s.unread = map[gitref.OID]*Fault{}
	}
	if e, ok := errors.AsType[*gitref.Error](f); ok && e.Fault == gitref.NotLocal {
		s.lacks(id)
		return
	}
	s.unread[id] = f
	if len(s.unread) == 1 {
		s.out.Unproven = append(s.out.Unproven, f)
	}
}
