package gitref

import "context"

// maxMetadata bounds one commit, tag or tree: they are read whole, and none
// that git could work with comes near.
const maxMetadata = 256 << 20

// Commit is what a commit says of its place in history.
type Commit struct {
	Tree    OID
	Parents []OID
}

// Stat returns an object's type and the size of its body in bytes. Errors:
// NoObject, NotLocal, Corrupt, Denied.
func (r *Repo) Stat(ctx context.Context, id OID) (ObjectType, int64, error) {
	if err := alive(ctx); err != nil {
		return "", 0, err
	}
	return r.objects.stat(id)
}

// Read returns an object whose id has been recomputed from its bytes. A body of
// more than limit bytes is OverLimit. Other errors are those of Stat.
func (r *Repo) Read(ctx context.Context, id OID, limit int64) (Object, error) {
	if err := alive(ctx); err != nil {
		return Object{}, err
	}
	return r.objects.read(id, limit)
}

// Commit reads a commit; anything else is WrongType. Parents are as recorded,
// grafts and replacements left aside.
func (r *Repo) Commit(ctx context.Context, id OID) (Commit, error) {
	if err := alive(ctx); err != nil {
		return Commit{}, err
	}
	c, err := r.commit(id)
	return Commit{Tree: c.tree, Parents: c.parents}, err
}

func (r *Repo) commit(id OID) (commitInfo, error) {
	return readParsed(r, id, CommitObject, parseCommit)
}

func (r *Repo) tag(id OID) (tagInfo, error) {
	return readParsed(r, id, TagObject, parseTag)
}

// readParsed reads an object of a type and parses its body. Errors are those of
// readAs, and Corrupt.
func readParsed[T any](r *Repo, id OID, t ObjectType, parse func(data []byte, hashSize int) (T, error)) (T, error) {
	var none T
	obj, err := r.readAs(id, t)
	if err != nil {
		return none, err
	}
	info, err := parse(obj.Data, int(id.size))
	if err != nil {
		return none, malformed(id, t, err)
	}
	return info, nil
}

func malformed(id OID, t ObjectType, err error) *Error {
	return &Error{Fault: Corrupt, Subject: id.String(), Proof: "the " + string(t) + " is malformed", Err: err}
}

func wrongType(id OID, got, want ObjectType) *Error {
	return &Error{Fault: WrongType, Subject: id.String(), Proof: "the object is a " + string(got) + ", not a " + string(want)}
}

func (r *Repo) readAs(id OID, want ObjectType) (Object, error) {
	obj, err := r.objects.read(id, maxMetadata)
	if err != nil {
		return Object{}, err
	}
	if obj.Type != want {
		return Object{}, wrongType(id, obj.Type, want)
	}
	return obj, nil
}

// Peel follows tags from id, and a commit to its tree, until an object of the
// wanted type stands there. When none can, the error is WrongType.
func (r *Repo) Peel(ctx context.Context, id OID, want ObjectType) (OID, error) {
	if err := alive(ctx); err != nil {
		return OID{}, err
	}
	return r.peel(id, want)
}

func (r *Repo) peel(id OID, want ObjectType) (OID, error) {
	at := link{oid: id}
	for {
		t, err := r.typeOf(at)
		if err != nil {
			return OID{}, err
		}
		switch {
		case t == want:
			return at.oid, nil
		case t == TagObject:
			at, err = r.tagged(at.oid)
		case t == CommitObject && want == TreeObject:
			var c commitInfo
			c, err = r.commit(at.oid)
			at = link{oid: c.tree, typ: TreeObject}
		default:
			return OID{}, wrongType(id, t, want)
		}
		if err != nil {
			return OID{}, err
		}
	}
}

// peelTags follows tags to what they name at last.
func (r *Repo) peelTags(id OID) (OID, ObjectType, error) {
	at := link{oid: id}
	for {
		t, err := r.typeOf(at)
		if err != nil || t != TagObject {
			return at.oid, t, err
		}
		if at, err = r.tagged(at.oid); err != nil {
			return OID{}, "", err
		}
	}
}

// link is one object's reference to another, with the type it says that has.
type link struct {
	oid OID
	typ ObjectType
}

func (r *Repo) tagged(id OID) (link, error) {
	tag, err := r.tag(id)
	return link{oid: tag.object, typ: tag.typ}, err
}

// typeOf is the type of a linked object, which must be what the link says.
func (r *Repo) typeOf(at link) (ObjectType, error) {
	t, _, err := r.objects.stat(at.oid)
	if err == nil && at.typ != "" && t != at.typ {
		err = &Error{Fault: Corrupt, Subject: at.oid.String(), Proof: "the object is a " + string(t) + ", and another refers to it as a " + string(at.typ)}
	}
	return t, err
}
