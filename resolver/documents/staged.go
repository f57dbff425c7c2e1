package documents

import (
	"context"
	"maps"
	"slices"

	"ctxptr/authority"
)

// staging tells, for a check of what is staged, what the working tree cannot prove
// of it: a file that differs from the index is not the one that will be committed.
type staging struct {
	ctx       context.Context
	workspace *authority.Workspace
	known     map[string]*authority.Fault // by path
}

func newStaging(ctx context.Context, w *authority.Workspace, c *authority.Changes) *staging {
	if c == nil || !c.Index {
		return nil
	}
	return &staging{ctx, w, map[string]*authority.Fault{}}
}

// hides returns why the working tree does not show what is staged of an entry, nil
// when it does.
func (s *staging) hides(e Entry) *authority.Fault {
	if s == nil {
		return nil
	}
	for _, p := range e.paths() {
		if f := s.fault(p); f != nil {
			return f
		}
	}
	return nil
}

// fault says why what stands at a path is not what is staged there, nil when it is.
func (s *staging) fault(p string) *authority.Fault {
	f, known := s.known[p]
	if !known {
		f = s.workspace.Unstaged(s.ctx, p)
		s.known[p] = f
	}
	return f
}

// hidden lists the staged documents of a scope that the working tree does not show:
// what stands in them was not looked at.
func (s *staging) hidden(scan *Scan, c *authority.Changes) (list []Broken) {
	if s == nil {
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(c.Paths)) {
		if f := s.fault(p); f != nil && scan.scanner.covers(p) {
			list = append(list, brokenFile(p, f))
		}
	}
	return list
}

// covers reports whether a document is of the scope, wherever it stands.
func (s *scanner) covers(p string) bool {
	if s.named[p] {
		return true
	}
	all := len(s.scope.Paths) == 0 && len(s.scope.Given) == 0
	inScope := all || slices.ContainsFunc(s.scope.Paths, func(folder string) bool { return within(folder, p) })
	return inScope && !s.leftOut(p)
}

// paths lists what of the working tree an entry stands in or names.
func (e Entry) paths() []string {
	list := []string{e.Document, e.File}
	if e.Plain.Form != "" {
		list = append(list, e.Plain.Names()...)
	}
	p := e.pointer()
	if p.IsZero() {
		return list
	}
	if p.Kind().Name == "inputs" || len(p.Rules()) > 1 {
		return append(list, ".") // what a set of inputs names can stand anywhere
	}
	if at, ok := p.Path(e.File); ok {
		list = append(list, at)
	}
	return list
}
