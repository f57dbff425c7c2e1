package documents

import (
	"context"
	"errors"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// Target is what --only, --to and who name: a file or folder, or a part of a file.
type Target struct {
	path string // relative to the root
	sel  selector.Selector
	gone *authority.Fault // why nothing stands there, nil when something does
	name string           // of exactly one thing of any kind, as text output names it; "" with a path
}

// NamedTarget reads a target that is named as text output does, kind:locator, or by a
// whole pointer: that and nothing in it. It reports false for anything else, and for
// what is also the path of something.
func NamedTarget(w *authority.Workspace, folder, text string) (Target, bool) {
	if p, err := resolver.ParseInText(text); err == nil {
		return Target{name: p.Short()}, true
	}
	kind, _, named := strings.Cut(text, ":")
	if _, err := authority.LookupKind(kind); err != nil || !named {
		return Target{}, false
	}
	if p, ok := resolver.PathInRoot(w, folder, text); ok && w.Stands(p) {
		return Target{}, false
	}
	return Target{name: strings.TrimPrefix(text, "file:")}, true
}

// ParseTarget reads a target as mint does: path, path#fragment or path:10-20,
// relative to folder. The error is a *authority.Fault or a *resolver.TargetError.
func ParseTarget(ctx context.Context, w *authority.Workspace, folder, text string) (Target, error) {
	want, err := resolver.ParseTarget(ctx, w, folder, text)
	if err != nil {
		return Target{}, err
	}
	if f := want.Ambiguous(); f != nil {
		return Target{}, f
	}
	switch want.Locator.Kind().Name {
	case "file", "dir":
		return Target{path: want.Locator.String(), sel: want.Selector}, nil
	}
	return Target{}, &authority.Fault{Code: authority.MalformedLocator, Offset: 0, Proof: "a target is a file or folder of the working tree"}
}

// ParseFormer is ParseTarget for what need not stand any more: a path at which
// nothing stands is a target too, and Gone says so.
func ParseFormer(ctx context.Context, w *authority.Workspace, folder, text string) (Target, error) {
	t, err := ParseTarget(ctx, w, folder, text)
	if f, ok := errors.AsType[*authority.Fault](err); ok && f.Code == authority.MissingAuthority {
		if p, ok := resolver.PathInRoot(w, folder, text); ok {
			return Target{path: p, gone: f}, nil
		}
	}
	return t, err
}

// TargetOf is what a pointer of kind file or dir is about; false for one of another
// kind, and for one that is relative to its document.
func TargetOf(p resolver.Pointer) (Target, bool) {
	at, ok := p.Path("")
	return Target{path: at, sel: p.Selector()}, ok
}

// Gone is the fault of a target where nothing stands, else nil.
func (t Target) Gone() *authority.Fault { return t.gone }

// holds reports whether a pointer, which stands in the file from, names the target
// or, where it is a whole file or folder, a part of it.
func (t Target) holds(p resolver.Pointer, from string) bool {
	if t.name != "" {
		return p.Short() == t.name
	}
	at, ok := p.Path(from)
	if !ok {
		return false
	}
	if !t.sel.IsZero() {
		return at == t.path && p.Selector().String() == t.sel.String()
	}
	return within(t.path, at)
}

// within reports whether a path is a folder's or lies below it; . holds all.
func within(folder, p string) bool {
	return folder == "." || p == folder || strings.HasPrefix(p, folder+"/")
}
