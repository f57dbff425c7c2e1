package authority

import (
	"bytes"
	"context"
	"errors"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// lineageSearch is one search under way.
type lineageSearch struct {
	*descent
	options LineageOptions
	limit   int64 // the most bytes of one blob
	out     *Lineage

	tested   map[testedVersion]tested
	hashed   int64
	overSize bool // MaxBytes ended the search
	unread   []unreadVersion
	digests  map[gitref.OID]string // of blobs, for folders
}

type testedVersion struct {
	gitref.Entry
	path string
}

// tested is what a test showed: neither when a version has another identity.
type tested struct {
	origin *Origin
	unread *Fault // why the identity is not known
}

// unreadVersion is a version whose identity is not known.
type unreadVersion struct {
	commit gitref.OID // zero in the index
	blob   gitref.OID
	fault  *Fault
}

// run looks into the index, then walks as git log does, then every branch.
func (s *lineageSearch) run(ctx context.Context) error {
	s.out.Path = s.path
	for _, e := range s.staged {
		found, err := s.prove(ctx, gitref.Version{Path: s.path, Entry: e})
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
	w, err := s.walk(ctx, false)
	if err == nil && s.out.Origin == nil && !s.overSize && !w.log.OverMax {
		steps, omitted := s.out.Steps, s.out.Omitted
		if w, err = s.walk(ctx, true); s.out.Origin == nil {
			s.out.Steps, s.out.Omitted = steps, omitted
		}
		if s.out.Origin != nil {
			s.out.Origin.Aside = true
		}
	}
	if err != nil {
		return err
	}
	s.conclude(w)
	return nil
}

// step lists a commit that changed the authority.
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
func (s *lineageSearch) prove(ctx context.Context, v gitref.Version) (*Origin, error) {
	if v.Entry.Mode == 0 {
		return nil, nil
	}
	key := testedVersion{v.Entry, v.Path}
	t, known := s.tested[key]
	if !known {
		var err error
		t.origin, err = s.test(ctx, v.Path, v.Entry)
		if f, ok := errors.AsType[*Fault](err); ok && !endsSearch(ctx, f) {
			t.unread, err = f, nil
		}
		if err != nil {
			return nil, err
		}
		s.tested[key] = t
	}
	if t.unread != nil {
		s.unread = append(s.unread, unreadVersion{v.Commit, v.Entry.OID, t.unread})
	}
	if t.origin == nil {
		return nil, nil
	}
	found := *t.origin
	found.Path, found.Object, found.Mode = v.Path, v.Entry.OID.String(), modeText(v.Entry.Mode)
	return &found, nil
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
	known := e.OID.String() // a blob's own id is an identity of the whole, in its object format
	if id.tag == GitBlob && (s.options.Selector.IsZero() || id.whole) && !s.options.CRLF && len(known) == len(id.Hex()) && known != id.Hex() {
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
		out.Lines[0], out.Lines[1] = sel.LinesOf(doc, selected)
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
	s.spend(len(data))
	return data, err
}

// spend counts bytes that are hashed.
func (s *lineageSearch) spend(n int) {
	s.hashed += int64(n)
	s.overSize = s.hashed > s.options.MaxBytes
}
