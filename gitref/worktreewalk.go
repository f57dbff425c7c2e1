package gitref

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// WalkOptions say what a Walk looks at.
type WalkOptions struct {
	Top        string              // absolute path of the folder that paths start from, links resolved
	Scope      string              // path below it, of a folder or file; "" for all
	Repo       *Repo               // the repository of which Top is the working tree; nil outside of one
	Except     string              // base name of files that are left out
	MaxEntries int                 // bound on the names that are looked at
	Getenv     func(string) string // nil for os.Getenv
	// Unlooked lets Visit see regular files that were not looked at: whether they
	// are executable is not known, and their size only after Bytes.
	Unlooked bool
	// Visit is called for every file that stands there, from several goroutines.
	Visit func(ctx context.Context, f *WorkFile) error
}

// Walk finds everything at or below a folder that git would store or has stored:
// what is tracked, and what is untracked and not ignored (gitignore(5)); without
// a repository everything. It never enters ".git", and a nested repository is one
// file. A pipe, socket or device comes with Mode 0 and is not Absent. Of several
// errors the one that comes first by path is returned; those of Walk itself are
// *Error: OverLimit, Denied, Changed, InSubmodule when the scope lies in a nested
// repository.
func Walk(ctx context.Context, o WalkOptions) (*WorkTree, error) {
	w := &workWalk{ctx: ctx, options: o}
	if err := w.prepare(); err != nil {
		return nil, err
	}
	top, err := openFolder(o.Top)
	if err != nil {
		return nil, workFault(err, ".")
	}
	root := &walkNode{}
	first := &walkTask{node: root, folder: top, tracked: w.scope.below, rules: w.rules}
	if o.Scope != "" {
		first.only = strings.Split(o.Scope, "/")
	}
	w.run(first)
	if err := alive(ctx); err != nil {
		return nil, err
	}
	if w.count.Load() > int64(o.MaxEntries) {
		return nil, &Error{Fault: OverLimit, Subject: o.Scope, Proof: "it holds more names than the bound on entries"}
	}
	if err := root.firstError(); err != nil {
		return nil, err
	}
	return &WorkTree{root, w.unmerged.Load()}, nil
}

// workWalk is one Walk under way.
type workWalk struct {
	ctx     context.Context
	options WalkOptions
	index   indexSource // nil without a repository
	scope   indexScope
	rules   *ignoreScope
	written IndexTime
	env     *environment // of nested repositories
	fold    bool
	modes   modeRules

	count    atomic.Int64
	unmerged atomic.Bool // a file is

	mu     sync.Mutex
	cond   *sync.Cond
	tasks  []*walkTask // last in, first out
	busy   int
	failed any // what a visitor panicked with
}

// prepare reads what the repository knows.
func (w *workWalk) prepare() (err error) {
	w.cond = sync.NewCond(&w.mu)
	w.env = newEnvironment(NestedEnv(w.options.Getenv))
	r := w.options.Repo
	if r == nil {
		w.modes = modeRules{exec: true, links: true}
		return nil
	}
	if w.index, err = r.openIndex(w.ctx); err != nil {
		return err
	}
	w.written = w.index.written()
	if w.scope, err = newIndexScope(w.index, w.options.Scope); err != nil {
		return err
	}
	if w.rules, err = r.commonIgnores(); err != nil {
		return err
	}
	config, err := r.settings()
	if err != nil {
		return err
	}
	if w.fold, err = config.boolean("core.ignorecase", false); err != nil {
		return err
	}
	w.modes, err = config.modeRules()
	return err
}

// tracksFolder reports whether the index has entries below a path, or at it one
// that is no submodule.
func (w *workWalk) tracksFolder(path string) (tracked bool, err error) {
	scope, err := newIndexScope(w.index, path)
	if err != nil || scope.at.empty() {
		return !scope.below.empty(), err
	}
	defer trapFault(&err, OID{})()
	var e IndexEntry
	w.index.decode(scope.at.from, &e)
	return e.Mode != ModeGitlink, nil
}

// run performs the first task and all that come of it, on every processor.
func (w *workWalk) run(first *walkTask) {
	w.tasks = []*walkTask{first}
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(w.work)
	}
	wait.Wait()
	if w.failed != nil {
		for _, t := range w.tasks {
			t.folder.release()
		}
		panic(w.failed)
	}
}

// work performs tasks until there are none. What a visitor panics with is kept
// for the caller of Walk.
func (w *workWalk) work() {
	defer func() {
		if cause := recover(); cause != nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.failed = cause
			w.cond.Broadcast()
		}
	}()
	var scratch walkScratch
	for t := w.next(); t != nil; t = w.next() {
		t.perform(w, &scratch)
		w.done()
	}
}

// next returns a task, nil when all is done.
func (w *workWalk) next() *walkTask {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.tasks) == 0 {
		if w.busy == 0 || w.failed != nil {
			return nil
		}
		w.cond.Wait()
	}
	if w.failed != nil {
		return nil
	}
	t := w.tasks[len(w.tasks)-1]
	w.tasks = w.tasks[:len(w.tasks)-1]
	w.busy++
	return t
}

func (w *workWalk) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy--; w.busy == 0 && len(w.tasks) == 0 {
		w.cond.Broadcast()
	}
}

// push adds tasks; each holds its folder.
func (w *workWalk) push(tasks []*walkTask) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks = append(w.tasks, tasks...)
	for range tasks {
		w.cond.Signal()
	}
}

// ended reports whether nothing more needs to be done.
func (w *workWalk) ended() bool {
	return w.ctx.Err() != nil || w.count.Load() > int64(w.options.MaxEntries)
}
