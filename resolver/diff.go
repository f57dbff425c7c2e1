package resolver

import (
	"context"
	"errors"
	"strconv"

	"ctxptr/authority"
	"ctxptr/gitref"
)

// Bounds of a search through history.
const (
	DefaultDiffCommits = 100_000 // commits looked at for one pointer
	maxDiffHashed      = 1 << 30 // bytes hashed for one pointer
	maxDiffListed      = 1000    // commits, and changed entries, that a Difference lists
)

// DiffOptions say how far Diff looks.
type DiffOptions struct {
	MaxCommits int // commits looked at for one pointer
}

// Diff says for every item, in their order, what changed since its stated identity.
// The error is an *InternalError.
func Diff(ctx context.Context, w *authority.Workspace, items []Item, o DiffOptions) ([]*Difference, error) {
	b := &batch{workspace: newView(w, true), most: shareOf(len(items))}
	out := make([]*Difference, len(items))
	malformed := func(i int, f *authority.Fault) { out[i] = differenceOf(Unknown, items[i].malformed(i, f)) }
	tasks := parseEach(items, malformed)
	// One at a time: each may hash up to the bound.
	err := sideBySide(ctx, groups(tasks), 1, func(ctx context.Context, group []task) { b.diffGroup(ctx, group, o, out) })
	return out, err
}

func differenceOf(verdict string, r *Record) *Difference {
	return &Difference{Schema: DifferenceSchema, Verdict: verdict, Record: r}
}

// diffGroup answers for pointers at one authority, looking at it once.
func (b *batch) diffGroup(ctx context.Context, group []task, o DiffOptions, out []*Difference) {
	look := b.workspace.lookOnce(group[0])
	past := group[0].pointer.locator.Past(b.workspace.Workspace, group[0].item.From)
	for _, t := range group {
		t.past = past
		out[t.index] = b.diffOne(ctx, t, look, o)
	}
}

// diffOne answers for one pointer.
func (b *batch) diffOne(ctx context.Context, t task, look lookup, o DiffOptions) *Difference {
	a := try(ctx, b.workspace, t.pointer, look)
	d := differenceOf(a.verdict(), b.recordOf(ctx, t, a).listAtMost(b.most))
	if d.Verdict == Same || d.Record.Reason == "malformed" && a.observation == nil {
		return d
	}
	p := t.pointer
	lineage, err := p.locator.Lineage(ctx, b.workspace.Workspace, t.item.From, authority.LineageOptions{
		Identity: p.identity, Selector: p.selector, CRLF: a.observation != nil && a.observation.Converts(ctx),
		MaxCommits: o.MaxCommits, MaxBytes: maxDiffHashed, MaxSteps: min(maxDiffListed, b.most),
	})
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		lineage = &authority.Lineage{Fault: f}
	}
	d.tell(lineage)
	d.Uncommitted = a.uncommitted(ctx, lineage)
	if lineage.Origin != nil {
		d.compare(ctx, a, lineage, b.most)
	}
	return d
}

// recordOf is the record of an attempt that is not refreshed.
func (b *batch) recordOf(ctx context.Context, t task, a *attempt) *Record {
	if a.fault == nil {
		return b.resolved(t, a)
	}
	return b.diagnosed(ctx, b.blocked(t, a), t, a)
}

// verdict says whether what an attempt saw is what was stated.
func (a *attempt) verdict() string {
	switch {
	case a.found.Identity == a.pointer.identity:
		return Same
	case !a.found.Identity.IsZero():
		return Changed
	}
	switch a.fault.Code {
	case authority.MissingAuthority, authority.MissingSelection, authority.AmbiguousSelection:
		return Changed
	}
	return Unknown
}

// gone reports whether nothing stands at the pointer now.
func (a *attempt) gone() bool {
	return a.found.Identity.IsZero() && a.fault != nil &&
		(a.fault.Code == authority.MissingAuthority || a.fault.Code == authority.MissingSelection)
}

// uncommitted reports whether a file differs from the commit that is checked out.
func (a *attempt) uncommitted(ctx context.Context, l *authority.Lineage) bool {
	o := a.observation
	if o == nil || o.Layer != authority.LayerWorktree || !a.pointer.Kind().Bytes || l.Walked == 0 {
		return false
	}
	if l.Head == "" {
		return true
	}
	head, err := authority.ParseIdentity("gitBlob:" + l.Head)
	if err != nil {
		return false
	}
	now, err := o.Current(ctx, head, wholeAuthority)
	return err == nil && now.Identity != head
}

// compare shows what stood there against what stands there now.
func (d *Difference) compare(ctx context.Context, a *attempt, l *authority.Lineage, most int) {
	was := l.Origin
	if was.Entries != nil {
		d.compareEntries(ctx, a, was, most)
		return
	}
	if !was.Text {
		return
	}
	old := lineText{name: headerName(was.Path, sourceOf(was.Layer, was.Commit)), data: was.Bytes, first: was.First}
	now, known := a.text(ctx, l.Path)
	switch {
	case !known:
	case gitref.IsBinary(old.data) || gitref.IsBinary(now.data):
		d.Binary = true
	default:
		var text []byte
		text, d.Added, d.Removed = unified(old, now)
		d.Diff = string(text)
	}
}

func (d *Difference) compareEntries(ctx context.Context, a *attempt, was *authority.Origin, most int) {
	var now authority.Entries
	if !a.gone() {
		var err error
		if a.found.Identity.IsZero() {
			return
		}
		if now, err = a.observation.Entries(ctx); err != nil {
			return
		}
	}
	d.listEntries(was.Entries, now, min(maxDiffListed, most))
}

// text is what stands at the pointer now, in the form that was hashed, under a path
// from the top of the repository; false where that is not known.
func (a *attempt) text(ctx context.Context, path string) (lineText, bool) {
	o, f := a.observation, a.found
	if a.pointer.identity.Whole() && f.Identity.IsZero() && o != nil {
		if whole, err := o.Current(ctx, a.pointer.identity.AsPart(), wholeAuthority); err == nil {
			f = whole
		}
	}
	if f.Identity.IsZero() {
		return lineText{name: "/dev/null", first: 1}, a.gone()
	}
	now := lineText{name: headerName(path, sourceOf(o.Layer, o.Commit)), first: 1}
	if f.Selected && !f.Identity.Whole() {
		now.data, now.first = f.Doc.Bytes(f.Doc.WithTerminator(f.Range)), f.Lines[0]
		return now, true
	}
	var err error
	now.data, err = o.Covered(ctx, f)
	return now, err == nil && now.data != nil
}

// sourceOf says where bytes are.
func sourceOf(layer, commit string) string {
	if commit == "" {
		return layer
	}
	return "commit " + commit
}

// headerName is a path and, behind a tab, where its bytes are.
func headerName(path, source string) string {
	if quoted := strconv.Quote(path); quoted[1:len(quoted)-1] != path {
		path = quoted
	}
	return path + "\t" + source
}
