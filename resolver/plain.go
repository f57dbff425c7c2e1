package resolver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// PlainBase is the folder that the path of a plain reference is relative to.
type PlainBase string

// The bases. Where a reader could mean either, exactly one of the two must name
// something.
const (
	FromDocument PlainBase = "document" // the referring document's folder
	FromRoot     PlainBase = "root"
	FromEither   PlainBase = "either"
)

// Plain is a reference that states where something is and no identity: a path, a
// permalink, a commit or a range.
type Plain struct {
	Text string // verbatim
	Form string // how it is written, repeated in the record
	At   *Place // where it stands
	From string // path, relative to the root, of the document in which it stands

	Base     PlainBase // what Path is relative to
	Path     string    // decoded; it may begin with ./ or ../, end in / for a folder, and be empty for the document itself
	Lines    [2]int    // first and last, from 1; zero for none
	Fragment string    // decoded, without #
	Web      string    // the address of a permalink
	Revision string    // a commit id, full or abbreviated
	Range    string    // base..head or base...head
}

// PlainOptions say what is wanted of plain references.
type PlainOptions struct {
	// Identify mints a pointer for each: its record is resolved. Otherwise it is
	// found, and nothing is digested.
	Identify bool
	// StandIn is the path of the file in which minted pointers will stand. When it
	// lies below the root, what lies in its folder gets a relative locator.
	StandIn string
}

// ProvePlain answers for every plain reference, in their order, whether it names
// exactly one thing. The error is an *InternalError.
func ProvePlain(ctx context.Context, w *authority.Workspace, refs []Plain, o PlainOptions) ([]*Record, error) {
	b := &plainBatch{view: newView(w, false), options: o, records: make([]*Record, len(refs)), seen: map[meaning]error{}}
	var tasks []plainTask
	for i, ref := range refs {
		want, m, err := b.choose(ctx, ref)
		if err != nil {
			b.records[i] = ref.blocked(i, err)
			continue
		}
		tasks = append(tasks, plainTask{index: i, ref: ref, meaning: m, want: want})
	}
	slices.SortStableFunc(tasks, func(a, b plainTask) int { return cmp.Compare(a.key(), b.key()) })
	err := sideBySide(ctx, groupsBy(tasks, plainTask.key), len(tasks), func(ctx context.Context, group []plainTask) { b.proveGroup(ctx, group) })
	return b.records, err
}

// plainBatch proves plain references against one workspace.
type plainBatch struct {
	view    view
	options PlainOptions
	records []*Record
	seen    map[meaning]error // whether a reading names something
}

// plainTask is a plain reference of which one reading names something.
type plainTask struct {
	index   int
	ref     Plain
	meaning meaning
	want    Wanted
}

func (t plainTask) key() string { return t.want.Locator.Kind().Name + ":" + t.want.Locator.String() }

// choose finds the one reading of a reference that names something. The error is
// a *authority.Fault.
func (b *plainBatch) choose(ctx context.Context, ref Plain) (Wanted, meaning, error) {
	if ref.Web != "" {
		return b.chooseWeb(ctx, ref)
	}
	var standing []meaning
	var nearest error
	for _, m := range ref.meanings(targetPaths{root: b.view.Dir()}) {
		err := b.stands(ctx, m)
		if f, ok := errors.AsType[*authority.Fault](err); ok && absent(f.Code) {
			nearest = nearer(nearest, f)
			continue
		}
		if err != nil {
			return Wanted{}, m, err
		}
		standing = append(standing, m)
	}
	switch len(standing) {
	case 0:
		return Wanted{}, meaning{}, nearest
	case 1:
		want, err := b.wanted(standing[0])
		return want, standing[0], err
	}
	f := mismatch(authority.AmbiguousAuthority, "the path names something from the document's folder and from the root")
	for _, m := range standing {
		f.Candidates = append(f.Candidates, m.locator)
	}
	return Wanted{}, meaning{}, f
}

func (b *plainBatch) chooseWeb(ctx context.Context, ref Plain) (Wanted, meaning, error) {
	l, err := parsePermalink(ref.Web)
	if err != nil {
		return Wanted{}, meaning{}, err
	}
	want, err := l.wanted(ctx, b.view.Workspace)
	return want, meaning{}, err
}

// stands observes what a reading names, once in the batch.
func (b *plainBatch) stands(ctx context.Context, m meaning) error {
	m.fragment, m.lines = "", false
	if err, known := b.seen[m]; known {
		return err
	}
	_, err := m.wanted(ctx, b.view.Workspace)
	b.seen[m] = err
	return err
}

// wanted is the target of a reading, spelled for where its pointer will stand.
func (b *plainBatch) wanted(m meaning) (Wanted, error) {
	text := m.locator
	folder := path.Dir(b.options.StandIn) + "/"
	if rest, below := strings.CutPrefix(text, folder); below && (m.kind == "file" || m.kind == "dir") {
		text = "./" + rest
	}
	locator, err := authority.LocatorOf(m.kind, text)
	return Wanted{Locator: locator, From: b.options.StandIn}, err
}

// meanings lists the readings of a reference that is no web address.
func (p Plain) meanings(at targetPaths) []meaning {
	switch {
	case p.Revision != "":
		return []meaning{{kind: "commit", locator: p.Revision}}
	case p.Range != "":
		return []meaning{{kind: "range", locator: p.Range}}
	}
	var list []meaning
	for _, m := range p.paths() {
		if m.kind = at.kindAt(m.locator); strings.HasSuffix(p.Path, "/") {
			m.kind = "dir"
		}
		if m.fragment = p.Fragment; p.Lines != [2]int{} {
			m.fragment, m.lines = fmt.Sprintf("%d-%d", p.Lines[0], p.Lines[1]), true
		}
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// Names lists every path, relative to the root, that the reference can mean; none
// for one that names no path of the working tree.
func (p Plain) Names() []string {
	if p.Web != "" || p.Revision != "" || p.Range != "" {
		return nil
	}
	var list []string
	for _, m := range p.paths() {
		if !m.outside {
			list = append(list, m.locator)
		}
	}
	return list
}

// paths lists what the path can mean, relative to the root.
func (p Plain) paths() []meaning {
	if p.Path == "" {
		return []meaning{{locator: p.From}}
	}
	var list []meaning
	if p.Base != FromDocument {
		list = append(list, pathMeaning(".", p.Path))
	}
	if p.Base != FromRoot {
		list = append(list, pathMeaning(path.Dir(p.From), p.Path))
	}
	return list
}

func pathMeaning(folder, p string) meaning {
	joined := path.Join(folder, p)
	return meaning{locator: joined, outside: joined == ".." || strings.HasPrefix(joined, "../")}
}

// proveGroup proves references to one authority, looking at it once.
func (b *plainBatch) proveGroup(ctx context.Context, group []plainTask) {
	look := lookingOnce(func(ctx context.Context) (*authority.Observation, error) {
		return group[0].want.Locator.Observe(ctx, b.view.Workspace, group[0].want.From)
	})
	for _, t := range group {
		b.records[t.index] = b.prove(ctx, t, look)
	}
}

func (b *plainBatch) prove(ctx context.Context, t plainTask, look lookup) *Record {
	o, err := look(ctx)
	if err == nil && t.meaning.fragment != "" {
		t.want.Selector, err = t.meaning.selector(ctx, o)
	}
	f, ok := errors.AsType[*authority.Fault](err)
	switch {
	case ok && f.Code == authority.AmbiguousSelection && b.options.Identify:
		t.want.fault = f
	case err != nil:
		return t.blocked(ctx, o, err)
	}
	if b.options.Identify {
		return b.identify(ctx, t, look)
	}
	return t.found(ctx, o)
}

// identify mints the pointer of a reference.
func (b *plainBatch) identify(ctx context.Context, t plainTask, look lookup) *Record {
	a := mintProven(ctx, b.view, t.want, look)
	if a.fault != nil {
		return t.ref.failed(t.index, a)
	}
	r := t.ref.item().minted(t.index, a)
	r.Form = t.ref.Form
	return r
}

// found is the record of a reference that names exactly one thing.
func (t plainTask) found(ctx context.Context, o *authority.Observation) *Record {
	a := &attempt{observation: o}
	if !t.want.Selector.IsZero() {
		doc, err := o.Document(ctx)
		var r selector.Range
		if err == nil {
			if r, err = t.want.Selector.Select(ctx, doc); err != nil {
				err = authority.SelectorFault(err)
			}
		}
		if err != nil {
			return t.blocked(ctx, o, err)
		}
		a.found = authority.Finding{Selected: true, Range: r, Doc: doc}
		a.found.Lines[0], a.found.Lines[1] = t.want.Selector.LinesOf(doc, r)
	}
	record := t.ref.item().record(t.index, nil)
	record.Outcome, record.Refresh, record.Form = Exists, RefreshNotNeeded, t.ref.Form
	record.Observed = observed(a)
	return record
}

func (p Plain) item() Item { return Item{Text: p.Text, At: p.At, From: p.From} }

// blocked is the record of a reference whose authority was looked at.
func (t plainTask) blocked(ctx context.Context, o *authority.Observation, err error) *Record {
	a := &attempt{observation: o, pointer: pointerLike(t.want)}
	if o != nil {
		a.found.Doc, _ = o.Document(ctx) // for the lines of candidates
	}
	return t.ref.failed(t.index, a.fail(err))
}

// blocked is the record of a reference that does not name exactly one thing.
func (p Plain) blocked(index int, err error) *Record {
	return p.failed(index, new(attempt).fail(err))
}

func (p Plain) failed(index int, a *attempt) *Record {
	r := p.item().unminted(a)
	r.Index, r.Form = index, p.Form
	return r
}
