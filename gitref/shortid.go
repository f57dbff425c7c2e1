package gitref

import "strings"

// idKind is what kind of object the context of an abbreviated id needs. It only
// tells several candidates apart: a single one is taken whatever it is.
type idKind uint8

const (
	anyKind    idKind = iota
	commitOnly        // git describe
	commitLike        // a commit or a tag of one
	treeOnly          // core.disambiguate
	treeLike          // a tree, a commit, or a tag of either
	blobOnly          // core.disambiguate
)

// shortID finds the object an abbreviated id names.
func (e revEvaluator) shortID(s string, kind idKind) (OID, bool, error) {
	if len(s) < minPrefix || len(s) > 2*e.r.format.hashSize || leadingHex(s) != len(s) {
		return OID{}, false, nil
	}
	ids, err := e.r.objects.expand(strings.ToLower(s))
	if err != nil || len(ids) == 0 {
		return OID{}, false, err
	}
	if len(ids) == 1 {
		return ids[0], true, nil
	}
	if kind == anyKind {
		config, err := e.r.settings()
		if err != nil {
			return OID{}, false, err
		}
		kind = config.defaultKind()
	}
	var fit []OID
	for _, id := range ids {
		if ok, err := e.r.hasKind(id, kind); err != nil {
			return OID{}, false, err
		} else if ok {
			fit = append(fit, id)
		}
	}
	if len(fit) == 1 {
		return fit[0], true, nil
	}
	a := &Error{Fault: AmbiguousRevision, Subject: s, Proof: "several objects have an id that begins so"}
	for _, id := range ids {
		a.Candidates = append(a.Candidates, id.String())
	}
	return OID{}, false, a
}

// defaultKind is core.disambiguate (git-config(1)).
func (c *config) defaultKind() idKind {
	v, _ := c.last("core.disambiguate")
	switch strings.ToLower(v.value) {
	case "commit":
		return commitOnly
	case "committish":
		return commitLike
	case "tree":
		return treeOnly
	case "treeish":
		return treeLike
	case "blob":
		return blobOnly
	}
	return anyKind
}

func (r *Repo) hasKind(id OID, kind idKind) (bool, error) {
	if kind == anyKind {
		return true, nil
	}
	t, _, err := r.objects.stat(id)
	if err != nil {
		return false, err
	}
	if t == TagObject && (kind == commitLike || kind == treeLike) {
		if _, t, err = r.peelTags(id); err != nil {
			return false, err
		}
	}
	switch kind {
	case commitOnly, commitLike:
		return t == CommitObject, nil
	case treeOnly:
		return t == TreeObject, nil
	case blobOnly:
		return t == BlobObject, nil
	}
	return t == TreeObject || t == CommitObject, nil
}
