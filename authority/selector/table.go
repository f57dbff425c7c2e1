package selector

import "sort"

// kinds is the table of selector types, sorted by name.
var kinds = []*kind{
	anchorKind,
	atKind,
	headingKind,
	itemKind,
	linesKind,
	spanKind,
	symbolKind,
	textKind,
}

func lookup(name string) *kind {
	i := sort.Search(len(kinds), func(i int) bool { return kinds[i].name >= name })
	if i < len(kinds) && kinds[i].name == name {
		return kinds[i]
	}
	return nil
}

// Names returns the selector types in alphabetical order.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Help describes one selector type.
type Help struct{ Name, Summary, Example, Doc string }

// Describe returns the help of a selector type, false when there is none.
func Describe(name string) (Help, bool) {
	k := lookup(name)
	if k == nil {
		return Help{}, false
	}
	return Help{Name: k.name, Summary: k.summary, Example: k.example, Doc: k.doc}, true
}
