package authority

import (
	"context"
	"strings"

	"ctxptr/gitref"
)

var gitKind = &Kind{
	Name:    "git",
	Summary: "a blob (or a selection of it) or a tree in the object database",
	Example: "HEAD:docs/SPEC.md",
	Doc: `The locator is rev:path as in gitrevisions(7): the path is relative to the
repository's top; an empty path is the tree itself; an empty revision is the
index. Identities blake3, sha256 and gitBlob are of the blob's bytes as git
stores them, gitTree is the tree's id. gitBlob and gitTree are proven by the
trees that lead to the path, each hashed, and by the object's header, which says
that it is in the store and of that type; its bytes are hashed when they are
read: by a selector, by blake3 or sha256, by ctxptr read. Replacements and grafts
are not applied; notes in the record say that there are any.`,
	Tags:      []Tag{BLAKE3, SHA256, GitBlob, GitTree},
	Bytes:     true,
	Rules:     []string{"reachable_from"},
	Default:   BLAKE3,
	Elsewhere: true,
	parse:     parseGit,
}

type gitTarget struct{ rev, path string }

func parseGit(text string) (target, error) {
	i := indexOutside(text, ":")
	if i < 0 {
		return nil, malformedAt(MalformedLocator, len(text), "a git locator is rev:path; there is no ':'")
	}
	t := gitTarget{rev: text[:i], path: text[i+1:]}
	if t.rev != "" {
		if err := checkRevision(t.rev); err != nil {
			return nil, err
		}
	}
	if t.path == "" && t.rev != "" {
		return t, nil
	}
	return t, checkPath(t.path, i+1)
}

// checkRevision refuses text that git would take for an option, a range or
// several revisions. What it names is for the repository to say.
func checkRevision(rev string) error {
	switch {
	case rev == "":
		return malformedAt(MalformedLocator, 0, "the revision is empty")
	case rev[0] == '-':
		return malformedAt(MalformedLocator, 0, "a revision cannot begin with '-'")
	case rev[0] == '^':
		return malformedAt(MalformedLocator, 0, "a revision that excludes commits names no object")
	}
	depth := 0
	for i := 0; i < len(rev); i++ {
		switch c := rev[i]; {
		case depth == 0 && strings.HasPrefix(rev[i:], "@{") && !isReflogEntry(rev[i+len("@{"):]):
			return malformedAt(MalformedLocator, i, "a date in a revision is read by the clock; name the entry of the reflog by its number, or the commit")
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c < ' ' || c == 0x7f, depth == 0 && strings.IndexByte(" *?[\\", c) >= 0:
			return malformedAt(MalformedLocator, i, "the byte cannot stand in a revision")
		case depth == 0 && strings.HasPrefix(rev[i:], ".."):
			return malformedAt(MalformedLocator, i, "a range names no single object")
		case depth == 0 && strings.HasPrefix(rev[i:], "//"):
			return malformedAt(MalformedLocator, i, "no revision has two slashes in a row")
		}
	}
	return nil
}

// isReflogEntry reports whether what follows @{ names something without a date: an
// entry or an earlier branch by its number, or the branch's upstream. Git takes
// numbers of more than eight digits for seconds.
func isReflogEntry(rest string) bool {
	inside, _, closed := strings.Cut(rest, "}")
	number := strings.TrimPrefix(inside, "-")
	switch strings.ToLower(inside) {
	case "u", "upstream", "push":
		return true
	}
	return !closed || len(number) <= 8 && number != "" && strings.Trim(number, "0123456789") == ""
}

func isFullOID(rev string) bool {
	_, err := gitref.ParseOID(rev)
	return err == nil
}

func (t gitTarget) fixed() bool { return isFullOID(t.rev) }

func (t gitTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	o, entry, err := t.find(ctx, repo)
	if err != nil {
		return nil, err
	}
	o.Path, o.Mode, o.Object = t.path, modeText(entry.Mode), entry.OID.String()
	switch entry.Mode {
	case gitref.ModeGitlink:
		return nil, fault(MissingNotRegular, "%s is a submodule, not a blob or tree", Quote(t.path))
	case gitref.ModeTree:
		o.known = []Identity{gitIdentity(GitTree, entry.OID)}
		o.noBytes = fault(MissingNotRegular, "%s is a tree, not a blob", Quote(t.path))
		o.entries = func(ctx context.Context) (Entries, error) { return listTree(ctx, repo, entry.OID) }
	default:
		o.known = []Identity{gitIdentity(GitBlob, entry.OID)}
		o.load = loadBlob(repo, entry.OID, w.config.MaxBytes)
		o.size = func(ctx context.Context) (int64, error) { return blobSize(ctx, repo, entry.OID) }
	}
	o.prove = func(ctx context.Context) error { return present(ctx, repo, entry) }
	return o, nil
}

// find locates the entry in the index or in a commit's tree.
func (t gitTarget) find(ctx context.Context, repo *gitref.Repo) (*Observation, gitref.Entry, error) {
	if t.rev == "" {
		entry, err := t.inIndex(ctx, repo)
		return &Observation{Layer: LayerIndex, Notes: notApplied(repo)}, entry, err
	}
	root, err := repo.Root(ctx, t.rev)
	if err != nil {
		return nil, gitref.Entry{}, t.lacking(rootFault(repo, t.rev, root, err))
	}
	o := &Observation{Layer: LayerCommit, Symref: root.Symref, Commit: root.Commit.String(), Notes: notApplied(repo)}
	entry, err := repo.Lookup(ctx, root.Tree, t.path)
	if err != nil {
		return nil, gitref.Entry{}, t.lacking(gitFault(err))
	}
	return o, entry, nil
}

// lacking adds the command that supplies every tree on the way, and what they lead to.
func (t gitTarget) lacking(f *Fault) *Fault {
	if f.Code == MissingObjectNotLocal {
		f.Fix = fetchObject(t.rev + ":" + t.path)
	}
	return f
}

// rootFault tells a revision that names what has no paths from one that names
// nothing.
func rootFault(repo *gitref.Repo, rev string, root gitref.Root, err error) *Fault {
	f := revisionFault(repo, rev, err)
	if !root.OID.IsZero() && isFault(err, gitref.WrongType) {
		f.Code = MissingNotRegular
	}
	return f
}

func (t gitTarget) inIndex(ctx context.Context, repo *gitref.Repo) (gitref.Entry, error) {
	entries, err := repo.Index(ctx, t.path)
	if err != nil {
		return gitref.Entry{}, gitFault(err)
	}
	for _, e := range entries {
		if e.Stage == 0 && !e.IntentToAdd {
			return gitref.Entry{Mode: e.Mode, OID: e.OID}, nil
		}
	}
	return gitref.Entry{}, fault(MissingAuthority, "the index has no staged entry for %s", Quote(t.path))
}

func loadBlob(repo *gitref.Repo, id gitref.OID, limit int64) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		object, err := repo.Read(ctx, id, limit)
		if isFault(err, gitref.OverLimit) {
			if size, sizeErr := blobSize(ctx, repo, id); sizeErr == nil && size > limit {
				return nil, overLimit("object "+id.String(), size, limit)
			}
		}
		if err != nil {
			return nil, gitFault(err)
		}
		return object.Data, sameType(id, object.Type, false)
	}
}

// present proves that the object of an entry is in the object database and of
// the type that the entry says.
func present(ctx context.Context, repo *gitref.Repo, entry gitref.Entry) error {
	typ, _, err := repo.Stat(ctx, entry.OID)
	if err != nil {
		return gitFault(err)
	}
	return sameType(entry.OID, typ, entry.Mode == gitref.ModeTree)
}

func sameType(id gitref.OID, got gitref.ObjectType, tree bool) error {
	want := gitref.BlobObject
	if tree {
		want = gitref.TreeObject
	}
	if got == want {
		return nil
	}
	return fault(MissingCorruptStore, "object %s is a %s where a %s is recorded", id, got, want)
}

func blobSize(ctx context.Context, repo *gitref.Repo, id gitref.OID) (int64, error) {
	_, size, err := repo.Stat(ctx, id)
	if err != nil {
		return 0, gitFault(err)
	}
	return size, nil
}

func gitIdentity(tag Tag, id gitref.OID) Identity {
	out := Identity{tag: tag}
	out.size = uint8(copy(out.sum[:], id.Bytes()))
	return out
}

func (t gitTarget) pin(ctx context.Context, w *Workspace) (string, error) {
	o, err := commitTarget{t.rev}.observe(ctx, w, "")
	if err != nil {
		return "", err
	}
	return o.Commit + ":" + t.path, nil
}
