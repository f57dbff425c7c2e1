package documents

import (
	"context"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// Target is what --only, --to and who name: a file or folder, or a part of a file.
type Target struct {
	path string // relative to the root
	sel  selector.Selector
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
		return Target{want.Locator.String(), want.Selector}, nil
	}
	return Target{}, &authority.Fault{Code: authority.MalformedLocator, Offset: 0, Proof: "a target is a file or folder of the working tree"}
}

// Path is the target's path relative to the root.
func (t Target) Path() string { return t.path }

// holds reports whether a pointer, which stands in the file from, names the target
// or, where it is a whole file or folder, a part of it.
func (t Target) holds(p resolver.Pointer, from string) bool {
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
