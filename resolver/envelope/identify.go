package envelope

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxptr/authority"
)

// IdentitySchema names the format of an Identity.
const IdentitySchema = "ctxptr.identity/v1"

// Identity is the hash of one record of the format review-identity-v1, with the
// record. The fields stand in this order in JSON.
type Identity struct {
	Schema   string   `json:"schema"`
	Name     string   `json:"name"`     // of the recipe
	Label    string   `json:"label"`    // the record's label
	Fields   []string `json:"fields"`   // the record's fields, in order
	Identity string   `json:"identity"` // SHA-256 of the record, 64 lower-case hexadecimal digits
}

// Primitives are the values that identities are computed from, by the names of
// the table in primitive.go.
type Primitives struct {
	Values map[string][]string    // each primitive that is given, but files
	Files  []authority.ReviewFile // the files that are given, with the digests of their raw bytes
}

// PrimitiveError says which primitive cannot enter a record, and why.
type PrimitiveError struct {
	Name string // of the primitive, as in JSON
	Why  string
}

func (e *PrimitiveError) Error() string { return e.Name + ": " + e.Why }

// Identify computes the identity of that name. The error is a *PrimitiveError: a
// primitive is missing, given in two ways, unused or not of its form.
func Identify(name string, p Primitives) (*Identity, error) {
	r, ok := lookupRecipe(name)
	if !ok {
		return nil, &PrimitiveError{"name", "unknown identity " + authority.Quote(name) + "; known are " + strings.Join(RecipeNames(), " ")}
	}
	if err := p.check(r); err != nil {
		return nil, err
	}
	id := &Identity{Schema: IdentitySchema, Name: r.name, Label: r.name, Fields: []string{}}
	used := map[string]bool{}
	for _, f := range r.fields {
		w, err := f.choose(p)
		if err != nil {
			return nil, err
		}
		for _, name := range w.needs {
			used[name] = true
		}
		values, err := w.make(p)
		if err != nil {
			return nil, err
		}
		id.Fields = append(id.Fields, values...)
	}
	for _, known := range primitives {
		if p.has(known.name) && !used[known.name] {
			return nil, &PrimitiveError{known.name, "nothing uses it beside the others that are given"}
		}
	}
	id.Identity = authority.ReviewHash(id.Label, id.Fields).Hex()
	return id, nil
}

// RecipeNames are the names of the identities, sorted.
func RecipeNames() []string {
	names := make([]string, len(recipes()))
	for i, r := range recipes() {
		names[i] = r.name
	}
	return names
}

// RecipeSummary says what an identity names, "" for an unknown name.
func RecipeSummary(name string) string {
	r, _ := lookupRecipe(name)
	return r.summary
}

func lookupRecipe(name string) (recipe, bool) {
	i := slices.IndexFunc(recipes(), func(r recipe) bool { return r.name == name })
	if i < 0 {
		return recipe{}, false
	}
	return recipes()[i], true
}

// choose returns the one way in which the field is given.
func (f field) choose(p Primitives) (way, error) {
	var given []way
	for _, w := range f {
		if !slices.ContainsFunc(w.needs, func(name string) bool { return !p.has(name) }) {
			given = append(given, w)
		}
	}
	switch len(given) {
	case 1:
		return given[0], nil
	case 0:
		return way{}, &PrimitiveError{f[0].needs[0], "it is missing" + f.alternatives()}
	}
	return way{}, &PrimitiveError{given[0].needs[0], fmt.Sprintf("it and %s say the same; give one of them", strings.Join(given[1].needs, " with "))}
}

// alternatives names the other ways to give the field.
func (f field) alternatives() string {
	var texts []string
	for _, w := range f[1:] {
		texts = append(texts, strings.Join(w.needs, " with "))
	}
	if len(texts) == 0 {
		return ""
	}
	return "; it follows also from " + strings.Join(texts, ", or from ")
}

// names are the primitives that a recipe can use, sorted.
func (r recipe) names() []string {
	var names []string
	for _, f := range r.fields {
		for _, w := range f {
			names = append(names, w.needs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p Primitives) has(name string) bool {
	if name == "files" {
		return len(p.Files) > 0
	}
	_, ok := p.Values[name]
	return ok
}

// one is the value of a primitive that has one.
func (p Primitives) one(name string) string { return p.Values[name][0] }

// set is a primitive with several values, sorted by bytes.
func (p Primitives) set(name string) ([]string, error) {
	return unique(name, slices.Sorted(slices.Values(p.Values[name])))
}

// unique refuses a value that stands twice among sorted ones.
func unique(name string, sorted []string) ([]string, error) {
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return nil, &PrimitiveError{name, authority.Quote(sorted[i]) + " stands twice"}
		}
	}
	return sorted, nil
}

// filePaths are the paths of the files, sorted by bytes.
func (p Primitives) filePaths() []string {
	paths := make([]string, len(p.Files))
	for i, f := range p.Files {
		paths[i] = f.Path
	}
	slices.Sort(paths)
	return paths
}

// plainText reports what a text has that no primitive may have, "" for nothing.
func plainText(s string) string {
	switch {
	case s == "":
		return "it is empty"
	case !utf8.ValidString(s):
		return "it is no UTF-8"
	case strings.IndexFunc(s, unicode.IsControl) >= 0:
		return "it has a control character, such as a line end"
	case strings.TrimSpace(s) != s:
		return "white space stands at its end or beginning"
	}
	return ""
}
