package gitref

import (
	"context"
	"math"
	"strings"
)

// Revision is what a revision text names.
type Revision struct {
	OID    OID // before any peeling the text does not ask for
	Type   ObjectType
	Ref    string // full ref name, where the text is a ref and nothing else
	Symref string // what that ref points to at last, where it is symbolic
}

const maxRevision = 64 << 10

// Resolve finds the one object a revision names (gitrevisions(7)). Ranges, ^rev
// and text that looks like an option are BadRevision. A short name that two ref
// rules match is AmbiguousRef, where git would warn and take the first. Other
// errors: NoRevision, AmbiguousRevision, BrokenRef, NoPath, InSubmodule,
// WrongType, Shallow, and those of Read.
func (r *Repo) Resolve(ctx context.Context, rev string) (Revision, error) {
	return r.resolve(ctx, rev, anyKind)
}

func (r *Repo) resolve(ctx context.Context, rev string, kind idKind) (Revision, error) {
	if err := alive(ctx); err != nil {
		return Revision{}, err
	}
	if rev == "" || len(rev) > maxRevision || strings.IndexByte(rev, 0) >= 0 || rev[0] == '-' || rev[0] == '^' {
		return Revision{}, badRevision(rev)
	}
	e := revEvaluator{r: r, ctx: ctx}
	if rev[0] == ':' {
		return e.indexPath(rev)
	}
	tree, path, hasPath := cutRevision(rev)
	if tree == "" || isRange(tree) {
		return Revision{}, badRevision(rev)
	}
	if hasPath {
		return e.treePath(tree, path)
	}
	if needsHistorySearch(tree) {
		return r.resolveByGit(ctx, rev)
	}
	v, err := e.eval(tree, kind)
	if err != nil {
		return Revision{}, err
	}
	typ, _, err := r.objects.stat(v.oid)
	return Revision{OID: v.oid, Type: typ, Ref: v.ref, Symref: v.symref}, err
}

func badRevision(rev string) *Error {
	return &Error{Fault: BadRevision, Subject: rev, Proof: "this is no revision of one object"}
}

func noRevision(rev string) *Error {
	return &Error{Fault: NoRevision, Subject: rev, Proof: "no object, ref or path answers to this revision"}
}

// cutRevision splits "rev:path" at the first colon outside braces.
func cutRevision(s string) (rev, path string, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '{':
			depth++
		case depth > 0 && c == '}':
			depth--
		case depth == 0 && c == ':':
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// isRange tells text that stands for several commits: a..b, rev^@, rev^!, rev^-n.
// Two dots can be no part of a ref name.
func isRange(rev string) bool {
	outside, _, _ := strings.Cut(rev, "{")
	if strings.Contains(outside, "..") || strings.HasSuffix(rev, "^@") || strings.HasSuffix(rev, "^!") {
		return true
	}
	i := strings.LastIndex(rev, "^-")
	return i >= 0 && strings.Trim(rev[i+2:], "0123456789") == ""
}

// needsHistorySearch tells the forms that read reflogs or search commit messages.
func needsHistorySearch(rev string) bool {
	return strings.Contains(rev, "@{") || strings.Contains(rev, "^{/")
}

// revEvaluator follows git's get_oid: each method is one of its steps.
type revEvaluator struct {
	r   *Repo
	ctx context.Context
}

// named is a value on the way.
type named struct {
	oid         OID
	ref, symref string
}

// eval evaluates a revision without a path. kind is what the context needs, by
// which an abbreviated id is told from others.
func (e revEvaluator) eval(s string, kind idKind) (named, error) {
	if base, op, n, ok := cutSuffix(s); ok {
		return e.ancestor(s, base, op, n)
	}
	if base, typ, ok := cutPeel(s); ok {
		return e.peelTo(s, base, typ)
	}
	v, err := e.basic(s)
	if f := faultIn(err); f != NoRevision && f != BrokenRef {
		return v, err
	}
	if id, found, err := e.describeName(s); found || err != nil {
		return named{oid: id}, err
	}
	if id, found, err := e.shortID(s, kind); found || err != nil {
		return named{oid: id}, err
	}
	if !ValidRefName(s) {
		return named{}, badRevision(s)
	}
	return named{}, err
}

// cutSuffix splits "base~n" and "base^n"; no number means 1.
func cutSuffix(s string) (base string, op byte, n int, ok bool) {
	i := len(s)
	for i > 0 && isDigit(s[i-1]) {
		i--
	}
	if i == 0 || s[i-1] != '~' && s[i-1] != '^' {
		return "", 0, 0, false
	}
	n = 1
	if i < len(s) {
		n = 0
	}
	for _, d := range []byte(s[i:]) {
		if n = n*10 + int(d-'0'); n > math.MaxInt32 {
			n = math.MaxInt32
		}
	}
	return s[:i-1], s[i-1], n, true
}

// cutPeel splits "base^{type}".
func cutPeel(s string) (base, typ string, ok bool) {
	if len(s) < 4 || s[len(s)-1] != '}' {
		return "", "", false
	}
	i := strings.LastIndex(s, "^{")
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+2 : len(s)-1], true
}

// ancestor is base^n or base~n.
func (e revEvaluator) ancestor(s, base string, op byte, n int) (named, error) {
	v, err := e.eval(base, commitLike)
	if err != nil {
		return named{}, err
	}
	id, err := e.r.peel(v.oid, CommitObject)
	if err != nil {
		return named{}, err
	}
	if op == '^' {
		id, err = e.parent(s, id, n)
		return named{oid: id}, err
	}
	for range n {
		if err := alive(e.ctx); err != nil {
			return named{}, err
		}
		if id, err = e.parent(s, id, 1); err != nil {
			return named{}, err
		}
	}
	if n == 0 {
		_, err = e.r.commit(id)
	}
	return named{oid: id}, err
}

// parent is the n-th parent of a commit, 0 the commit itself. The parents of a
// commit on a shallow boundary are unknown, not absent.
func (e revEvaluator) parent(s string, id OID, n int) (OID, error) {
	c, err := e.r.commit(id)
	if err != nil {
		return OID{}, err
	}
	if n == 0 {
		return id, nil
	}
	boundary, err := e.r.shallowBoundary()
	if err != nil {
		return OID{}, err
	}
	if _, cut := boundary[id]; cut && n <= len(c.parents) {
		return OID{}, &Error{Fault: Shallow, Subject: s, Proof: "the revision lies beyond the shallow boundary"}
	}
	if n > len(c.parents) {
		return OID{}, noRevision(s)
	}
	return c.parents[n-1], nil
}

// peelTo is base^{type}.
func (e revEvaluator) peelTo(s, base, typ string) (named, error) {
	kind := anyKind
	switch typ {
	case "commit":
		kind = commitLike
	case "tree":
		kind = treeLike
	case "", "object", "tag", "blob":
	default:
		return named{}, badRevision(s)
	}
	v, err := e.eval(base, kind)
	if err != nil {
		return named{}, err
	}
	var id OID
	switch typ {
	case "":
		id, _, err = e.r.peelTags(v.oid)
	case "object":
		id = v.oid
		_, _, err = e.r.objects.stat(id)
	default:
		id, err = e.r.peel(v.oid, ObjectType(typ))
	}
	return named{oid: id}, err
}

// basic is a full object id, or a ref by the six rules.
func (e revEvaluator) basic(s string) (named, error) {
	if len(s) == 2*e.r.format.hashSize && leadingHex(s) == len(s) {
		id, err := ParseOID(strings.ToLower(s))
		return named{oid: id}, err
	}
	if s == "@" {
		s = "HEAD"
	}
	return e.ruledRef(s)
}

// ruledRef looks a name up by every rule, for two matches are ambiguous.
func (e revEvaluator) ruledRef(s string) (named, error) {
	var found []named
	miss := error(noRevision(s))
	for _, rule := range refRules {
		full := rule.before + s + rule.after
		if !ValidRefName(full) {
			continue
		}
		t, err := followRef(e.r.refs, full)
		switch faultIn(err) {
		case 0:
			found = append(found, named{oid: t.oid, ref: full, symref: t.symref})
		case NoRef:
		case BrokenRef:
			if fullRefName(full) {
				miss = err
			}
		default:
			return named{}, err
		}
	}
	switch len(found) {
	case 0:
		return named{}, miss
	case 1:
		return found[0], nil
	}
	a := &Error{Fault: AmbiguousRef, Subject: s, Proof: "the name stands for several refs"}
	for _, v := range found {
		a.Candidates = append(a.Candidates, v.ref)
	}
	return named{}, a
}

// describeName is the output of git describe: a ref name, "-", a number, "-g", an
// abbreviated commit id. Before 2.49 git took anything for what stands before the
// "-g", by which a file's name could stand for a commit.
func (e revEvaluator) describeName(s string) (OID, bool, error) {
	for i := len(s) - 1; i >= 2; i-- {
		if s[i] == 'g' && s[i-1] == '-' && isCounted(s[:i-1]) {
			return e.shortID(s[i+1:], commitOnly)
		}
	}
	return OID{}, false, nil
}

// isCounted tells a ref name, "-" and a number, which may be hexadecimal.
func isCounted(s string) bool {
	i := strings.LastIndexByte(s, '-')
	return i > 0 && i < len(s)-1 && leadingHex(s[i+1:]) == len(s)-i-1 && ValidRefName(s[:i])
}

// treePath is "rev:path".
func (e revEvaluator) treePath(rev, path string) (Revision, error) {
	root, err := e.r.Root(e.ctx, rev)
	if err != nil {
		return Revision{}, err
	}
	if path, err = e.r.fromPrefix(path); err != nil {
		return Revision{}, err
	}
	entry, err := e.lookup(root.Tree, path)
	return Revision{OID: entry.OID, Type: modeType(entry.Mode)}, err
}

// lookup also takes a folder with a slash behind it, as git does in a revision.
func (e revEvaluator) lookup(tree OID, path string) (Entry, error) {
	folder, slashed := strings.CutSuffix(path, "/")
	if !slashed || folder == "" {
		return e.r.Lookup(e.ctx, tree, path)
	}
	entry, err := e.r.Lookup(e.ctx, tree, folder)
	if err == nil && entry.Mode != ModeTree {
		return Entry{}, noPath(path)
	}
	return entry, err
}

// modeType is the type of the object an entry of that mode names.
func modeType(m Mode) ObjectType {
	switch m {
	case 0:
		return ""
	case ModeTree:
		return TreeObject
	case ModeGitlink:
		return CommitObject
	}
	return BlobObject
}

// indexPath is ":path" and ":stage:path".
func (e revEvaluator) indexPath(rev string) (Revision, error) {
	path, stage := rev[1:], 0
	if strings.HasPrefix(path, "/") {
		return e.r.resolveByGit(e.ctx, rev)
	}
	if len(path) >= 2 && path[1] == ':' && '0' <= path[0] && path[0] <= '3' {
		stage, path = int(path[0]-'0'), path[2:]
	}
	path, err := e.r.fromPrefix(path)
	if err != nil {
		return Revision{}, err
	}
	entries, err := e.r.Index(e.ctx, path)
	if err != nil {
		return Revision{}, err
	}
	for _, entry := range entries {
		if entry.Stage == stage {
			return Revision{OID: entry.OID, Type: modeType(entry.Mode)}, nil
		}
	}
	return Revision{}, &Error{Fault: NoPath, Subject: rev, Proof: "the index has no entry of this path and stage"}
}

// fromPrefix makes a path that begins with ./ or ../ one from the top.
func (r *Repo) fromPrefix(path string) (string, error) {
	if !strings.HasPrefix(path, "./") && !strings.HasPrefix(path, "../") {
		return path, nil
	}
	if r.loc.top == "" || !r.loc.inTop(r.loc.from) {
		return "", &Error{Fault: BadRevision, Subject: path, Proof: "a relative path needs a worktree around the current folder"}
	}
	parts := strings.FieldsFunc(r.loc.prefix, func(c rune) bool { return c == '/' })
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", &Error{Fault: BadRevision, Subject: path, Proof: "the relative path leaves the worktree"}
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/"), nil
}
