package resolver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// batch resolves many items against one pinned workspace.
type batch struct {
	workspace view
	options   Options
	most      int                  // entries of one list in a record
	again     func() (view, error) // the one further observation, made when first needed
	identical *identicalSearches
}

// task is an item that parsed.
type task struct {
	index   int
	item    Item
	pointer Pointer
	past    *authority.Past // what is still held of what stood there
	again   lookup          // the one further observation of the authority
	lines   *lineFinder     // finds lines that moved in it
	episode string          // names the observation at which the refresh begins, once it does
}

// authorityKey tells authorities apart: pointers with one key are resolved
// together, so that each authority is read and parsed once.
type authorityKey struct{ kind, locator, from string }

func (t task) key() authorityKey {
	k := authorityKey{kind: t.pointer.Kind().Name, locator: t.pointer.locator.String()}
	if relative(k.locator) {
		k.from = t.item.From
	}
	return k
}

// relative reports whether a locator counts from the file in which it stands.
func relative(locator string) bool {
	return strings.HasPrefix(locator, "./") || strings.HasPrefix(locator, "../")
}

// InternalError says that the resolver itself broke: no verdict of the run
// counts.
type InternalError struct{ Cause any }

func (e *InternalError) Error() string { return fmt.Sprintf("internal error: %v", e.Cause) }

// Resolve answers for every item, in their order. The error is an
// *InternalError, or of closing what was opened.
func Resolve(ctx context.Context, w *authority.Workspace, items []Item, o Options) ([]*Record, error) {
	b := &batch{workspace: newView(w, o.Keep), options: o, most: shareOf(len(items))}
	b.identical = &identicalSearches{workspace: w, most: b.most}
	var opened *authority.Workspace
	b.again = sync.OnceValues(func() (view, error) {
		if o.testOnlyBetween != nil {
			o.testOnlyBetween()
		}
		var err error
		opened, err = w.Again(ctx)
		return newView(opened, true), err // a refresh proves several things of one look
	})
	records := make([]*Record, len(items))
	expect(ctx, items)
	err := b.run(ctx, parseAll(items, records), records)
	if err == nil {
		err = guarded(func() { b.identical.run(ctx) })
	}
	if opened != nil {
		err = cmp.Or(err, opened.Close())
	}
	return records, err
}

// foreseen is how many items are looked at for what they will need.
const foreseen = 64

// expect has companions started for the first of the items, where they need some,
// while the others are parsed.
func expect(ctx context.Context, items []Item) {
	files := make(map[string]bool)
	for _, item := range items[:min(len(items), foreseen)] {
		if !strings.Contains(item.Text, "symbol") {
			continue
		}
		p, err := item.parse()
		if err != nil || !p.selector.NeedsCompanion(p.locator.String()) || files[p.locator.String()] {
			continue
		}
		files[p.locator.String()] = true
		selector.Expect(ctx, len(files))
	}
}

// parseAll parses every item; those that do not parse have their record at
// once. The tasks come sorted by authority, so that groups stand together.
func parseAll(items []Item, records []*Record) []task {
	return parseEach(items, func(i int, f *authority.Fault) { records[i] = items[i].malformed(i, f) })
}

// parseEach parses every item; malformed hears of those that do not parse. The
// tasks come sorted by authority.
func parseEach(items []Item, malformed func(i int, f *authority.Fault)) []task {
	tasks := make([]task, 0, len(items))
	for i, item := range items {
		p, err := item.parse()
		if f, ok := errors.AsType[*authority.Fault](err); ok {
			malformed(i, f)
			continue
		}
		tasks = append(tasks, task{index: i, item: item, pointer: p})
	}
	return sorted(tasks)
}

// sorted returns tasks by authority, those with one authority in their order. Tasks
// are large, so that they are moved once and their keys made once.
func sorted(tasks []task) []task {
	type place struct {
		key authorityKey
		at  int
	}
	places := make([]place, len(tasks))
	for i := range tasks {
		places[i] = place{tasks[i].key(), i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(a.key.compare(b.key), a.at-b.at) })
	out := make([]task, len(tasks))
	for i, p := range places {
		out[i] = tasks[p.at]
	}
	return out
}

func (k authorityKey) compare(o authorityKey) int {
	return cmp.Or(strings.Compare(k.kind, o.kind), strings.Compare(k.locator, o.locator), strings.Compare(k.from, o.from))
}

// run resolves the tasks, group by group; groups run side by side.
func (b *batch) run(ctx context.Context, tasks []task, records []*Record) error {
	return sideBySide(ctx, groups(tasks), len(tasks), func(ctx context.Context, group []task) { b.resolveGroup(ctx, group, records) })
}

// groups returns what returns the runs of tasks that share one authority.
func groups(tasks []task) func() ([]task, bool) { return groupsBy(tasks, task.key) }

// resolveGroup resolves pointers at one authority, looking at it once.
func (b *batch) resolveGroup(ctx context.Context, group []task, records []*Record) {
	look := b.workspace.lookOnce(group[0])
	past := group[0].pointer.locator.Past(b.workspace.Workspace, group[0].item.From)
	again := lookingOnce(func(ctx context.Context) (*authority.Observation, error) {
		later, err := b.again()
		if err != nil {
			return nil, err
		}
		return group[0].pointer.locator.Observe(ctx, later.Workspace, group[0].item.From)
	})
	lines := &lineFinder{}
	for _, t := range group {
		t.past, t.again, t.lines = past, again, lines
		records[t.index] = b.resolveOne(ctx, t, look).listAtMost(b.most)
	}
}

// lookOnce observes the authority of a task when it is first asked.
func (v view) lookOnce(t task) lookup {
	return lookingOnce(func(ctx context.Context) (*authority.Observation, error) {
		return t.pointer.locator.Observe(ctx, v.Workspace, t.item.From)
	})
}

// lookingOnce makes a look at an authority the only one.
func lookingOnce(look lookup) lookup {
	var observation *authority.Observation
	var err error
	looked := false
	return func(ctx context.Context) (*authority.Observation, error) {
		if !looked {
			observation, err = look(ctx)
			looked = true
		}
		return observation, err
	}
}
