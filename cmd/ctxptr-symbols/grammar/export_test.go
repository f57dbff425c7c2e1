//go:build cgo

package grammar

import "slices"

// with returns g with other opaque kinds.
func (g *Grammar) with(opaque []string) *Grammar {
	kinds := slices.Clone(g.kinds)
	for i := range kinds {
		kinds[i].opaque = slices.Contains(opaque, kinds[i].name)
	}
	return &Grammar{language: g.language, kinds: kinds, fields: g.fields}
}

func (g *Grammar) has(name string) bool {
	return slices.ContainsFunc(g.kinds, func(k kind) bool { return k.name == name })
}
