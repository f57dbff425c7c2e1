package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ParseScope reads an Active Write Scope: a JSON array of paths, or one path a line.
// Each runs from the root, without empty, . and .. components, so that a pattern or
// a relative path never passes for an empty scope; . alone is everything, and a slash
// at the end says that a folder is meant. The error says which entry is wrong.
func ParseScope(data []byte) ([]string, error) {
	scope, err := scopeEntries(data)
	if err != nil {
		return nil, err
	}
	for i, entry := range scope {
		if !isScope(entry) {
			return nil, fmt.Errorf("entry %d is no path from the root", i+1)
		}
	}
	if len(scope) == 0 {
		return nil, errors.New("it names no path")
	}
	return scope, nil
}

func scopeEntries(data []byte) (scope []string, err error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '[' {
		for line := range strings.Lines(string(data)) {
			if entry := strings.TrimRight(line, "\r\n"); entry != "" {
				scope = append(scope, entry)
			}
		}
		return scope, nil
	}
	doc := newDocument(data)
	doc.read()
	if len(doc.findings) > 0 || slices.ContainsFunc(doc.root.items, func(n *node) bool { return n.kind != '"' }) {
		return nil, errors.New("it is no JSON array of paths")
	}
	for _, n := range doc.root.items {
		scope = append(scope, n.text)
	}
	return scope, nil
}

// isScope reports whether a text is a path of the schemas, but for a slash at its
// end, or the root. What a shell would expand is no path here.
func isScope(entry string) bool {
	entry = strings.TrimSuffix(entry, "/")
	n := &node{kind: '"', text: entry}
	path := schemaSet()["urn:ctxptr:envelope:common:v1"].Defs["path"]
	return entry == "." || newCheck(nil, &Options{}).holds(path, n) && !strings.ContainsAny(entry, "*?")
}
