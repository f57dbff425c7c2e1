package authority

import (
	"context"
	"strings"

	"ctxptr/gitref"
)

var refKind = &Kind{
	Name:    "ref",
	Summary: "the tip of a ref, peeled; a tag's own id too",
	Example: "refs/heads/main",
	Doc: `The locator is a full ref name (refs/...) or HEAD. Identity gitCommit is the
commit at the tip, through any tags; gitTag is an annotated tag's own id.`,
	Tags:      []Tag{GitCommit, GitTag},
	Rules:     []string{"descends_from_stated", "reachable_from"},
	Default:   GitCommit,
	Elsewhere: true,
	parse: func(text string) (target, error) {
		return refTarget{text}, CheckRefName(text)
	},
}

type refTarget struct{ name string }

func (refTarget) fixed() bool { return false }

// CheckRefName parses a full ref name: HEAD, or a name below refs/ that
// git-check-ref-format(1) allows. The error is a *Fault with code
// malformed:locator.
func CheckRefName(name string) error {
	switch {
	case name == "HEAD":
		return nil
	case !strings.HasPrefix(name, "refs/"):
		return malformedAt(MalformedLocator, 0, "a ref is named in full: HEAD or refs/...")
	case !gitref.ValidRefName(name):
		return malformedAt(MalformedLocator, 0, "git-check-ref-format does not allow the ref name")
	}
	return nil
}

func (t refTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	repo, err := w.repository(ctx)
	if err != nil {
		return nil, err
	}
	ref, err := repo.Ref(ctx, t.name)
	if err != nil {
		return nil, gitFault(err)
	}
	o := &Observation{
		Layer: LayerRefs, Path: t.name, Symref: ref.Symref, Notes: notApplied(repo),
		noBytes: fault(MissingAuthority, "%s is no annotated tag", Quote(t.name)),
	}
	if ref.PeeledType == gitref.CommitObject {
		if _, err := repo.Commit(ctx, ref.Peeled); err != nil {
			return nil, gitFault(err)
		}
		o.Commit = ref.Peeled.String()
		o.known = append(o.known, gitIdentity(GitCommit, ref.Peeled))
	} else {
		o.noBytes = fault(MissingNotACommit, "%s names a %s, not a commit", Quote(t.name), ref.PeeledType)
	}
	if ref.Type == gitref.TagObject {
		o.Object = ref.OID.String()
		o.known = append(o.known, gitIdentity(GitTag, ref.OID))
	}
	return o, nil
}
