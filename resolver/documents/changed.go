package documents

import (
	"ctxptr/authority"
	"ctxptr/resolver"
)

// touched reports whether changes can have made an entry another one or moved
// what it names: its document, its pins file or its authority changed, or nothing
// says that the authority did not. Attributes decide what is checked and how it is
// converted, ignore rules what a document is and what counts in a folder: a change of
// either touches all.
func touched(e Entry, c *authority.Changes) bool {
	if c.Touch(e.Document) || c.Paths[e.File] || c.TouchName(".gitattributes") || c.TouchName(".gitignore") {
		return true
	}
	switch e.Form {
	case FormPointer:
		p := e.pointer()
		return !p.IsZero() && mayChange(p, e.File, c)
	case FormPin:
		// Another pins file can have governed the document before.
		return c.TouchName(authority.PinsFile) || mayChange(e.Target, e.File, c)
	}
	names := e.Plain.Names()
	if len(names) == 0 {
		return !e.Plain.Fixed()
	}
	for _, name := range names {
		if c.Touch(name) {
			return true
		}
	}
	return false
}

// mayChange reports whether what a pointer names may have changed. A pointer whose
// authority is not a path, or that has further rules, is never passed over, unless
// it names a full object id.
func mayChange(p resolver.Pointer, from string, c *authority.Changes) bool {
	kind := p.Kind().Name
	if len(p.Rules()) > 1 || kind == "worktree" || kind == "inputs" {
		return true
	}
	if at, ok := p.Path(from); ok {
		return c.Touch(at)
	}
	return !p.Locator().Fixed()
}
