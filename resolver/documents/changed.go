package documents

import (
	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/reference"
)

// touched reports whether changes can have made an entry another one or moved
// what it names: its document, its pins file or its authority changed, or nothing
// says that the authority did not.
func touched(e Entry, c *authority.Changes) bool {
	if c.Touch(e.Document) || c.Paths[e.File] || c.TouchName(".gitattributes") {
		return true
	}
	switch e.Form {
	case string(reference.Pointer):
		p, err := resolver.ParseInText(e.Text)
		return err == nil && moves(p, e.File, c)
	case FormPin:
		return e.Orphan != "" && c.TouchName(authority.PinsFile) || moves(e.Target, e.File, c)
	}
	for _, name := range e.Plain.Names() {
		if c.Touch(name) {
			return true
		}
	}
	return false
}

// moves reports whether what a pointer names may have changed. A pointer whose
// authority is not a path, or that has further rules, is never passed over, unless
// it names a full object id.
func moves(p resolver.Pointer, from string, c *authority.Changes) bool {
	kind := p.Kind().Name
	if len(p.Rules()) > 1 || kind == "worktree" || kind == "inputs" {
		return true
	}
	if at, ok := p.Path(from); ok {
		return c.Touch(at)
	}
	return !p.Locator().Fixed()
}
