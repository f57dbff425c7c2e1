package authority

import (
	"context"
	"slices"
	"strings"

	"ctxptr/gitref"
)

var commitKind = &Kind{
	Name:    "commit",
	Summary: "the commit that a revision names",
	Example: "HEAD~2",
	Doc: `The locator is a revision as in gitrevisions(7) that names one commit; tags are
followed. A date, as in HEAD@{yesterday}, is refused: the clock would decide what
it names. With a full commit id as locator the pointer can never go stale: give it
the rule immutable. With --deep every tree and blob of the commit is read and must
be there.`,
	Tags:      []Tag{GitCommit},
	Rules:     []string{"reachable_from"},
	Default:   GitCommit,
	Elsewhere: true,
	parse: func(text string) (target, error) {
		return commitTarget{text}, checkRevision(text)
	},
}

type commitTarget struct{ rev string }

func (t commitTarget) fixed() bool { return isFullOID(t.rev) }

func (t commitTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	found, err := findCommit(ctx, repo, t.rev)
	if err != nil {
		return nil, err
	}
	o := &Observation{
		Layer: LayerCommit, Commit: found.id.String(), Symref: found.rev.Symref, Notes: notApplied(repo),
		known:   []Identity{gitIdentity(GitCommit, found.id)},
		noBytes: fault(MissingNotRegular, "a commit has no bytes to select or digest; its identity is its id"),
	}
	if found.rev.OID != found.id {
		o.Object = found.rev.OID.String()
	}
	if w.config.Deep {
		o.prove = func(ctx context.Context) error {
			objects, err := repo.Whole(ctx, found.tree, w.config.MaxBytes)
			if err != nil {
				return notWhole(found.id, err)
			}
			o.Objects = objects
			return nil
		}
	}
	return o, nil
}

// foundCommit is a commit that was read.
type foundCommit struct {
	rev  gitref.Revision // the revision that names it
	id   gitref.OID
	tree gitref.OID

	parents []gitref.OID
}

// findCommit reads the commit that a revision names, through tags. The error is
// a *Fault.
func findCommit(ctx context.Context, repo *gitref.Repo, text string) (foundCommit, error) {
	rev, err := repo.Resolve(ctx, text)
	if err != nil {
		return foundCommit{}, revisionFault(repo, text, err)
	}
	id, err := repo.Peel(ctx, rev.OID, gitref.CommitObject)
	if err != nil {
		return foundCommit{}, gitFault(err)
	}
	found, err := readCommit(ctx, repo, id)
	found.rev = rev
	return found, err
}

// revisionFault says why a revision names nothing: an id that a shallow history
// does not have may lie behind its boundary.
func revisionFault(repo *gitref.Repo, rev string, err error) *Fault {
	f := gitFault(err)
	absent := isFault(err, gitref.NoObject) || isFault(err, gitref.NoRevision)
	if !absent || !mayBeID(rev) || !slices.Contains(repo.Notes(), gitref.NoteShallow) {
		return f
	}
	f.Code, f.Proof, f.Fix = MissingHistoryShallow, "no object here has the id "+Quote(rev)+", and the history is shallow: it may be where that is cut off", deepen()
	return f
}

// mayBeID reports whether a revision can be an object id, whole or abbreviated.
func mayBeID(rev string) bool {
	return len(rev) >= 4 && strings.Trim(rev, "0123456789abcdefABCDEF") == ""
}

func readCommit(ctx context.Context, repo *gitref.Repo, id gitref.OID) (foundCommit, error) {
	commit, err := repo.Commit(ctx, id)
	if err != nil {
		return foundCommit{}, gitFault(err)
	}
	return foundCommit{id: id, tree: commit.Tree, parents: commit.Parents}, nil
}

func (t commitTarget) pin(ctx context.Context, w *Workspace) (string, error) {
	o, err := t.observe(ctx, w, "")
	if err != nil {
		return "", err
	}
	return o.Commit, nil
}

// notWhole is the fault of a commit of which not every object is proven.
func notWhole(id gitref.OID, err error) *Fault {
	f := gitFault(err)
	if f.Code == MissingObjectNotLocal {
		f.Fix = fetchCommit(id)
	}
	return f
}
