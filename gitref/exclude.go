package gitref

import "strings"

// Exclusion is a list of patterns as a .gitignore at the top has them
// (gitignore(5), "PATTERN FORMAT").
type Exclusion struct{ scope *ignoreScope }

// NewExclusion parses patterns, the later ones outweighing the earlier.
func NewExclusion(patterns []string) Exclusion {
	text := strings.Join(patterns, "\n")
	return Exclusion{(*ignoreScope)(nil).within([]byte(text), "", false)}
}

// Match reports whether a file's path, or a folder above it, is excluded.
func (e Exclusion) Match(path string) bool {
	if e.scope == nil {
		return false
	}
	for i := range path {
		if path[i] == '/' && e.scope.ignores(path[:i], true) {
			return true
		}
	}
	return e.scope.ignores(path, false)
}
