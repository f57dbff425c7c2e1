package documents

import (
	"errors"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// run returns how many pointers were written, or would be.
func (r *round) run() (int, error) {
	var err error
	if r.scan, err = ScanDocuments(r.ctx, r.workspace, r.options.Scope); err != nil {
		return 0, err
	}
	r.entries = r.scan.Entries
	r.records = make([]*resolver.Record, len(r.entries))
	all := make([]int, len(r.entries))
	for i, e := range r.entries {
		all[i] = i
		r.inFile[e.File] = append(r.inFile[e.File], i)
	}
	if err := r.prove(all); err != nil {
		return 0, err
	}
	if err := r.move(); err != nil {
		return 0, err
	}
	if !r.options.DryRun {
		if written := r.carry(); written > 0 {
			return written, nil // what else there is comes in the next round
		}
	}
	for {
		p := r.plan()
		written, failed, err := r.follow(p)
		// What could not be written is blocked now, and what waits for it need not.
		if err != nil {
			number(r.out.Accepted)
			return written, err
		}
		if failed == 0 || written > 0 && !r.options.DryRun {
			r.finish(p, written)
			return written, nil
		}
	}
}

// finish reports what is left, once nothing was written.
func (r *round) finish(p *plan, written int) {
	if r.options.DryRun {
		r.carry()
	}
	if written == 0 || r.options.DryRun {
		r.order()
	}
	r.report(p)
}

// follow writes what a plan says, and returns how many pointers were written, or
// would be, and how many could not be.
func (r *round) follow(p *plan) (written, failed int, err error) {
	if first := r.first(p.ready); r.options.DryRun || len(first) > 0 {
		if !r.options.DryRun {
			p.ready = first
		}
		written = r.write(p.ready)
		failed = len(p.ready) - written
		r.accept(p.ready)
		return written, failed, nil
	}
	c := newCourse(p, func(entry int) string { return r.entries[entry].File })
	for wave := c.next(); len(wave) > 0; wave = c.next() {
		n, lost, err := r.wave(wave, written+failed > 0)
		if written, failed = written+n, failed+lost; err != nil {
			return written, failed, err
		}
		if c.settle(wave); r.disturbed(wave) || !r.readAgain(wave, c) {
			break // the next round looks at everything
		}
	}
	return written, failed, nil
}

// disturbed reports whether something changed under one of entries while it was
// proven or written: nothing more is to be built on what was seen before that.
func (r *round) disturbed(entries []int) bool {
	return slices.ContainsFunc(entries, func(i int) bool { return r.records[i].Code == authority.AmbiguousObservation })
}

// first are those to write before all others: entries that get another path are
// proven by the bytes that stand there now, which others may change.
func (r *round) first(ready []int) (list []int) {
	for _, i := range ready {
		if r.moving[i] {
			list = append(list, i)
		}
	}
	return list
}

// wave writes entries all of whose dependencies are settled. Where something was
// written before them in this round, they are proven anew, by fresh observations.
func (r *round) wave(entries []int, again bool) (written, failed int, err error) {
	if again {
		before := r.workspace
		if r.workspace, err = r.options.Again(r.ctx); err != nil {
			r.workspace = before
			return 0, 0, err
		}
		defer func() {
			err = errors.Join(err, r.workspace.Close())
			r.workspace = before
		}()
		if r.ctx.Err() != nil {
			return 0, 0, authority.ContextFault(r.ctx.Err())
		}
		if err := r.prove(entries); err != nil {
			return 0, 0, err
		}
	}
	ready := slices.DeleteFunc(slices.Clone(entries), func(i int) bool { return r.records[i].Outcome != resolver.Refreshed })
	written = r.write(ready)
	r.accept(ready)
	return written, len(ready) - written, nil
}

// accept notes those of entries that were written.
func (r *round) accept(entries []int) {
	for _, i := range entries {
		if r.records[i].Outcome == resolver.Refreshed {
			r.accepted(i)
		}
	}
}

// readAgain looks again at the files of entries that have others which are not
// settled, for their places. It reports false where that cannot be told.
func (r *round) readAgain(entries []int, c *course) bool {
	seen := map[string]bool{}
	for _, i := range entries {
		file := r.entries[i].File
		if seen[file] || !c.left(file) {
			continue
		}
		seen[file] = true
		if isPinsPath(file) || !r.place(file) {
			return false
		}
	}
	return true
}

// place finds the pointers of a document where they stand now. It reports false
// when they are not those that were there, or were written.
func (r *round) place(file string) bool {
	d := r.workspace.ReadDocument(r.ctx, file)
	if d.Fault != nil || authority.BLAKE3Sum(d.Data) != r.scan.digests[file] {
		return false
	}
	var now []Entry
	for _, ref := range r.scan.scanner.find(&d) {
		if e := entryAt(file, ref); e.Form == FormPointer {
			now = append(now, e)
		}
	}
	own := r.inFile[file]
	if len(own) != len(now) {
		return false
	}
	slices.SortFunc(own, func(a, b int) int { return r.entries[a].From - r.entries[b].From })
	for n, i := range own {
		r.entries[i] = now[n]
	}
	return true
}
