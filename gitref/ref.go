package gitref

import (
	"context"
	"strings"
)

// Ref is one ref and what it leads to.
type Ref struct {
	Name       string
	Symref     string // the full name it points to at last, "" when it is direct
	OID        OID    // as stored: an annotated tag's own id
	Type       ObjectType
	Peeled     OID // tags followed
	PeeledType ObjectType
}

// Ref reads a ref by its exact full name: refs/…, HEAD or another root ref, or
// one qualified by a worktree (main-worktree/…, worktrees/<id>/…). Errors: NoRef
// (for an unborn branch under HEAD, Symref is set beside it), BrokenRef, BadRevision
// for what is no ref name, and those of Stat.
func (r *Repo) Ref(ctx context.Context, name string) (Ref, error) {
	if err := alive(ctx); err != nil {
		return Ref{}, err
	}
	if !ValidRefName(name) || !fullRefName(name) {
		return Ref{}, &Error{Fault: BadRevision, Subject: name, Proof: "this is no full ref name"}
	}
	ref := Ref{Name: name}
	t, err := followRef(r.refs, name)
	ref.Symref, ref.OID = t.symref, t.oid
	if err != nil {
		return ref, err
	}
	if ref.Type, _, err = r.objects.stat(t.oid); err != nil {
		return ref, err
	}
	ref.Peeled, ref.PeeledType = ref.OID, ref.Type
	if ref.Type == TagObject {
		ref.Peeled, ref.PeeledType, err = r.peelTags(t.oid)
	}
	return ref, err
}

func branchName(full string) string {
	name, _ := strings.CutPrefix(full, "refs/heads/")
	if name == full {
		return ""
	}
	return name
}
