package main

import (
	"path/filepath"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
	"ctxptr/resolver/report"
)

// placeText is a place as text shows it and --at takes it: with its path from the
// current folder, where that lies in the root; from the root elsewhere.
func (a *app) placeText(p *resolver.Place) string {
	if p == nil {
		return ""
	}
	seen := *p
	seen.Path = a.fromHere(p.Path)
	return report.PlaceText(&seen)
}

// fromHere turns a path from the root into one from the current folder.
func (a *app) fromHere(path string) string {
	if a.here == "" || path == documents.Unplaced {
		return path
	}
	seen, err := filepath.Rel(a.here, filepath.FromSlash(path))
	if err != nil {
		return path
	}
	return filepath.ToSlash(seen)
}

// standIn notes where the current folder is in the root.
func (a *app) standIn(w *authority.Workspace) {
	here, ok := resolver.PathInRoot(w, a.dir, ".")
	if ok && here != "." {
		a.here = filepath.FromSlash(here)
	}
}

// again is a command for where this one looks, whose paths are as fromHere has them.
func (a *app) again(args ...string) []string {
	argv := []string{"ctxptr"}
	for _, dir := range a.chdir {
		argv = append(argv, "-C", dir)
	}
	switch {
	case a.root == "":
	case a.here == "" && filepath.Clean(a.root) != ".": // paths are from the root
		argv = append(argv, "-C", a.root, "--root", ".")
	default:
		argv = append(argv, "--root", a.root)
	}
	return append(argv, args...)
}
