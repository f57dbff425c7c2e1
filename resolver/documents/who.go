package documents

import (
	"context"
	"errors"
	"slices"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// ReferrerSchema names the format of a Referrer.
const ReferrerSchema = "ctxptr.referrer/v1"

// How what a referrer names stands to the target.
const (
	RelationSame     = "same"     // the very same
	RelationWhole    = "whole"    // the whole file in which the target stands
	RelationFolder   = "folder"   // a folder in which the target stands
	RelationPart     = "part"     // a part of the target
	RelationOverlaps = "overlaps" // some of the target
	RelationAround   = "around"   // a larger part of the file, with the target in it
	RelationGone     = "gone"     // the target, or a part of its file, that is not there or not unique now
	RelationRevision = "revision" // the target, a part of it or what it stands in, as a revision in git has it
)

// Referrer is one pointer, pin or plain reference that points at a target.
type Referrer struct {
	Schema   string         `json:"schema"`
	At       resolver.Place `json:"at"`
	Form     string         `json:"form"`     // pointer, pin, or how a plain reference is written
	Relation string         `json:"relation"` // how what it names stands to the target
	Text     string         `json:"text"`     // the pointer, or the reference verbatim
	Name     string         `json:"name"`     // locator and selector
}

// Who lists what in the documents of a scope points at a target. Broken documents
// come with the scan. The error is a *authority.Fault or a *resolver.InternalError.
func Who(ctx context.Context, w *authority.Workspace, scope Scope, target Target) ([]Referrer, *Scan, error) {
	scope.Plain = true
	scan, err := ScanDocuments(ctx, w, scope)
	if err != nil {
		return nil, nil, err
	}
	q := &question{ctx: ctx, workspace: w, target: target}
	if err := q.look(); err != nil {
		return nil, nil, err
	}
	if err := q.namePlain(scan.Entries); err != nil {
		return nil, nil, err
	}
	var list []Referrer
	for i, e := range scan.Entries {
		r, ok := q.relate(i, e)
		if !ok {
			continue
		}
		list = append(list, r)
		for _, at := range e.Others {
			r.At = at
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Referrer) int { return a.At.Compare(b.At) })
	return list, scan, nil
}

// question is one Who under way.
type question struct {
	ctx       context.Context
	workspace *authority.Workspace
	target    Target
	doc       *selector.Document       // of a target that is a file
	part      selector.Range           // of a target that is a part of it
	plain     map[int]resolver.Pointer // that plain references would have
	gone      map[int]string           // paths of files in which plain references name no one part, or that are not there
}

// look reads the target.
func (q *question) look() error {
	if q.target.sel.IsZero() {
		return nil
	}
	d := q.workspace.ReadDocument(q.ctx, q.target.path)
	if d.Fault != nil {
		return d.Fault
	}
	q.doc = selector.NewDocument(d.Path, d.Data)
	var err error
	if q.part, err = q.target.sel.Select(q.ctx, q.doc); err != nil {
		return authority.SelectorFault(err)
	}
	return nil
}

// namePlain finds out which pointer each plain reference that can name the target
// would have.
func (q *question) namePlain(entries []Entry) error {
	var refs []resolver.Plain
	var which []int
	for i, e := range entries {
		if e.Form != FormPin && e.Form != FormPointer && q.canName(e.Plain) {
			refs, which = append(refs, e.Plain), append(which, i)
		}
	}
	records, err := resolver.ProvePlain(q.ctx, q.workspace, refs, resolver.PlainOptions{Identify: true})
	if err != nil {
		return err
	}
	q.plain, q.gone = map[int]resolver.Pointer{}, map[int]string{}
	for n, r := range records {
		if !r.Subject().IsZero() {
			q.plain[which[n]] = r.Subject()
		} else if at, ok := r.Observed.Place(); ok {
			q.gone[which[n]] = at
		} else if q.target.gone != nil && r.Code == authority.MissingAuthority {
			q.gone[which[n]] = q.formerly(refs[n])
		}
	}
	return nil
}

// formerly is the path that a reference, which names nothing now, has at or below
// the target.
func (q *question) formerly(p resolver.Plain) string {
	names := p.Names()
	if i := slices.IndexFunc(names, func(name string) bool { return within(q.target.path, name) }); i >= 0 {
		return names[i]
	}
	return ""
}

func (q *question) canName(p resolver.Plain) bool {
	names := p.Names()
	if at, ok := p.WebPath(); ok {
		if at, ok = q.workspace.FromGitPath(at); ok {
			names = []string{at}
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return within(name, q.target.path) || within(q.target.path, name)
	})
}

// relate says how an entry stands to the target, false when it does not.
func (q *question) relate(i int, e Entry) (Referrer, bool) {
	p, from := q.subject(i, e)
	r := Referrer{Schema: ReferrerSchema, At: e.At, Form: e.Form, Text: e.Text}
	if at, gone := q.gone[i]; p.IsZero() {
		r.Name, r.Relation = resolver.EncodePath(at), RelationGone
		return r, gone && within(q.target.path, at)
	}
	r.Name = p.Short()
	at, ok := p.Path(from)
	if !ok {
		r.Relation = RelationRevision
		return r, q.inRevision(p)
	}
	switch {
	case at != q.target.path && within(at, q.target.path):
		r.Relation = RelationFolder
	case at != q.target.path:
		r.Relation = RelationPart
		return r, q.target.sel.IsZero() && within(q.target.path, at)
	case q.target.sel.IsZero():
		if r.Relation = RelationPart; p.Selector().IsZero() {
			r.Relation = RelationSame
		}
	case p.Selector().IsZero() || p.Identity().Whole():
		r.Relation = RelationWhole
	default:
		r.Relation = q.compare(p.Selector())
	}
	return r, r.Relation != ""
}

// inRevision reports whether a pointer names the target, a part of it or what it
// stands in, as revisions have it. Which part that is can only be told from what
// stands there now.
func (q *question) inRevision(p resolver.Pointer) bool {
	return slices.ContainsFunc(q.workspace.RevisionPaths(q.ctx, p.Locator()), func(at string) bool {
		at, ok := q.workspace.FromGitPath(at)
		switch {
		case !ok:
			return false
		case at == q.target.path && !q.target.sel.IsZero() && !p.Selector().IsZero():
			return q.compare(p.Selector()) != ""
		}
		return within(at, q.target.path) || q.target.sel.IsZero() && within(q.target.path, at)
	})
}

// subject is the pointer of an entry, or the one that a plain reference would
// have, and the file from which its path counts.
func (q *question) subject(i int, e Entry) (resolver.Pointer, string) {
	if e.Form == FormPin || e.Form == FormPointer {
		return e.pointer(), e.File
	}
	return q.plain[i], ""
}

// compare holds another part of the file against the target, "" for one apart.
func (q *question) compare(sel selector.Selector) string {
	r, err := sel.Select(q.ctx, q.doc)
	if _, unselected := errors.AsType[*selector.Error](err); unselected {
		if sel.String() == q.target.sel.String() {
			return RelationSame
		}
		return RelationGone
	}
	switch {
	case err != nil:
		return RelationGone
	case r == q.part:
		return RelationSame
	case r.To <= q.part.From || r.From >= q.part.To:
		return ""
	case r.From >= q.part.From && r.To <= q.part.To:
		return RelationPart
	case r.From <= q.part.From && r.To >= q.part.To:
		return RelationAround
	}
	return RelationOverlaps
}
