package authority

import (
	"context"
	"errors"
	"slices"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Past is what the repository still holds of what stood at a locator: the blobs
// at the same path that its target names, looked up when first asked for. It is
// not safe for concurrent use.
type Past struct {
	workspace *Workspace
	locator   Locator
	from      string

	looked bool
	repo   *gitref.Repo
	path   string // under which the blobs are known, for their language
	blobs  []pastBlob
}

// pastBlob is one blob that stood at the locator.
type pastBlob struct {
	id  gitref.OID
	doc *selector.Document // nil until it was read, or when it is too long to keep
}

// maxKept is the most bytes of a blob that a Past keeps for the next pointer at
// the same authority; a longer one is read again.
const maxKept = 4 << 20

// maxPast is how many blobs a Past looks into.
const maxPast = 8

// remembering is a target at whose path a repository may hold other blobs than
// the one observed.
type remembering interface {
	// past returns the repository, the path under which the blobs are known, and
	// their ids, likeliest first. What cannot be looked up is left out.
	past(ctx context.Context, w *Workspace, from string) (*gitref.Repo, string, []gitref.OID)
}

// Past returns what is still held of what stood at the locator. from is as for
// Observe.
func (l Locator) Past(w *Workspace, from string) *Past {
	return &Past{workspace: w, locator: l, from: from}
}

// Stated returns the bytes that an identity covers, proven by the identity
// itself, false where none of the blobs has them. They are a diagnosis only:
// what cannot be read or selected there is not reported.
func (p *Past) Stated(ctx context.Context, id Identity, sel selector.Selector) ([]byte, bool) {
	if !id.ofBytes() {
		return nil, false
	}
	p.look(ctx)
	for i := range p.blobs {
		if id.tag == GitBlob && (sel.IsZero() || id.whole) && p.blobs[i].id.String() != id.Hex() {
			continue
		}
		doc := p.document(ctx, &p.blobs[i])
		if doc == nil {
			continue
		}
		covered, err := cover(ctx, doc, id, sel)
		if err == nil && Digest(id, covered) == id {
			return covered, true
		}
		if e, ok := errors.AsType[*selector.Error](err); ok && e.Fault == selector.OverLimit {
			return nil, false // a text that exhausts a parser is not followed by its like
		}
	}
	return nil, false
}

// cover returns the bytes of a document that an identity beside a selector
// covers. The error is a *selector.Error, when the selector names no one range.
func cover(ctx context.Context, doc *selector.Document, id Identity, sel selector.Selector) ([]byte, error) {
	r := selector.Range{To: doc.Len()}
	if !sel.IsZero() {
		selected, err := sel.Select(ctx, doc)
		if err != nil {
			return nil, err
		}
		if !id.whole {
			r = selected
		}
	}
	return doc.Bytes(r), nil
}

func (p *Past) look(ctx context.Context) {
	t, ok := p.locator.target.(remembering)
	if p.looked || !ok {
		return
	}
	p.looked = true
	repo, path, ids := t.past(ctx, p.workspace, p.from)
	p.repo, p.path = repo, path
	for _, id := range ids {
		same := func(b pastBlob) bool { return b.id == id }
		if len(p.blobs) < maxPast && !slices.ContainsFunc(p.blobs, same) {
			p.blobs = append(p.blobs, pastBlob{id: id})
		}
	}
}

func (p *Past) document(ctx context.Context, b *pastBlob) *selector.Document {
	if b.doc != nil {
		return b.doc
	}
	data, err := loadBlob(p.repo, b.id, p.workspace.config.MaxBytes)(ctx)
	if err != nil {
		return nil
	}
	doc := selector.NewDocument(p.path, data)
	if len(data) <= maxKept {
		b.doc = doc
	}
	return doc
}

// ofBytes reports whether the identity is a digest of bytes.
func (id Identity) ofBytes() bool { return id.tag == BLAKE3 || id.tag == SHA256 || id.tag == GitBlob }

// past of a file are the blobs of the index and of HEAD.
func (t fileTarget) past(ctx context.Context, w *Workspace, from string) (*gitref.Repo, string, []gitref.OID) {
	p, err := t.path.inRoot(from)
	if err != nil || w.fault != nil {
		return nil, "", nil
	}
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return nil, "", nil
	}
	return repo, p, append(indexBlobs(ctx, repo, w.GitPath(p)), headBlobs(ctx, repo, w.GitPath(p))...)
}

// past of a path in a revision that can move are the blobs of the index and of
// the commit's parents, of a path in the index the one of HEAD.
func (t gitTarget) past(ctx context.Context, w *Workspace, _ string) (*gitref.Repo, string, []gitref.OID) {
	repo, err := w.repository(ctx)
	switch {
	case err != nil:
		return nil, "", nil
	case t.rev == "":
		return repo, t.path, headBlobs(ctx, repo, t.path)
	}
	ids := indexBlobs(ctx, repo, t.path)
	if t.fixed() {
		return repo, t.path, ids
	}
	found, err := findCommit(ctx, repo, t.rev)
	if err != nil {
		return repo, t.path, ids
	}
	for _, parent := range found.parents[:min(len(found.parents), maxPast)] {
		ids = append(ids, commitBlobs(ctx, repo, parent, t.path)...)
	}
	return repo, t.path, ids
}

func (t elsewhere) past(ctx context.Context, w *Workspace, from string) (*gitref.Repo, string, []gitref.OID) {
	inner, ok := t.target.(remembering)
	if !ok {
		return nil, "", nil
	}
	other, err := w.other(ctx, t.name)
	if err != nil {
		return nil, "", nil
	}
	return inner.past(ctx, other, from)
}

// indexBlobs are the blobs of every stage of a path.
func indexBlobs(ctx context.Context, repo *gitref.Repo, path string) (ids []gitref.OID) {
	entries, err := repo.Index(ctx, path)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if isBlob(e.Mode) && !e.IntentToAdd {
			ids = append(ids, e.OID)
		}
	}
	return ids
}

func headBlobs(ctx context.Context, repo *gitref.Repo, path string) []gitref.OID {
	head, err := repo.Ref(ctx, "HEAD")
	if err != nil {
		return nil
	}
	return commitBlobs(ctx, repo, head.Peeled, path)
}

func commitBlobs(ctx context.Context, repo *gitref.Repo, commit gitref.OID, path string) []gitref.OID {
	tree, err := repo.Peel(ctx, commit, gitref.TreeObject)
	if err != nil {
		return nil
	}
	entry, err := repo.Lookup(ctx, tree, path)
	if err != nil || !isBlob(entry.Mode) {
		return nil
	}
	return []gitref.OID{entry.OID}
}

// isBlob reports whether a blob stands at an entry of that mode. A link's is one
// too: whose bytes are meant, the identity says.
func isBlob(m gitref.Mode) bool { return m != gitref.ModeTree && m != gitref.ModeGitlink }

var (
	_ remembering = fileTarget{}
	_ remembering = gitTarget{}
	_ remembering = elsewhere{}
)
