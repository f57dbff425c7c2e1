package envelope

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// optional are the keys that may be absent.
var optional = []string{"derived_context_excerpts", "boundary_rationale", "human_direction", "id"}

// alike are the keys whose value may have another type too, by the type.
var alike = map[string][]string{
	"changed_facts":       {`"x"`},
	"provider_identities": {`"x"`},
	"unknowns":            {`"x"`},
	"finding_id":          {`"x"`, "null"}, // accepted or rejected
	"id":                  {},
}

// mutation is one change of the value of a key.
type mutation struct {
	at   *node
	what string // delete, rename, duplicate, or the JSON that stands there instead
}

// write returns the document with the mutation carried out.
func (m mutation) write(n *node) string {
	switch n.kind {
	case '{':
		var parts []string
		for _, one := range n.members {
			parts = append(parts, m.member(one.value)...)
		}
		return "{" + strings.Join(parts, ",") + "}"
	case '[':
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = m.write(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '"':
		text, err := json.Marshal(n.text)
		if err != nil {
			panic(err)
		}
		return string(text)
	case '0':
		return n.text
	case 'n':
		return "null"
	case 't':
		return "true"
	}
	return "false"
}

func (m mutation) member(n *node) []string {
	key, value := strconv.Quote(n.key), m.write(n)
	if n != m.at {
		return []string{key + ":" + value}
	}
	switch m.what {
	case "delete":
		return nil
	case "rename":
		return []string{strconv.Quote(n.key+"_x") + ":" + value}
	case "duplicate":
		return []string{key + ":" + value, key + ":" + value}
	}
	return []string{key + ":" + m.what}
}

// caught reports whether a finding names the place of the mutation.
func (m mutation) caught(findings []Finding) bool {
	path := m.at.path()
	return slices.ContainsFunc(findings, func(f Finding) bool {
		switch m.what {
		case "delete":
			return f.Pointer == m.at.up.path() && f.Code == MissingKey && strings.Contains(f.Message, m.at.key)
		case "rename":
			return f.Pointer == path+"_x" && f.Code == UnknownKey
		case "duplicate":
			return f.Pointer == path && f.Code == DuplicateKey
		}
		return f.Pointer == path || strings.HasPrefix(f.Pointer, path+"/")
	})
}

// mutations lists every change of every key of a document, inside arrays too.
func mutations(n *node) []mutation {
	var list []mutation
	for _, one := range n.members {
		v := one.value
		if !slices.Contains(optional, v.key) {
			list = append(list, mutation{v, "delete"})
		}
		list = append(list, mutation{v, "rename"}, mutation{v, "duplicate"})
		for _, other := range []string{`"x"`, "7", "true", "null", "[]", "{}"} {
			if (&node{kind: other[0]}).typeName() != v.typeName() && !(other == "7" && v.kind == '0') && !slices.Contains(alike[v.key], other) {
				list = append(list, mutation{v, other})
			}
		}
		list = append(list, mutations(v)...)
	}
	for _, item := range n.items {
		list = append(list, mutations(item)...)
	}
	return list
}

// TestMutations holds that a change of any key of a valid example is caught, and
// that its finding names the place.
func TestMutations(t *testing.T) {
	count := 0
	for _, kind := range Kinds() {
		if kind.Name == "review-report" {
			continue
		}
		root := validRoot(t, kind)
		for _, m := range mutations(root) {
			count++
			text := m.write(root)
			r, err := Validate(context.Background(), nil, kind, []byte(text), Options{Name: "document"})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != Invalid || !m.caught(r.Findings) {
				t.Errorf("%s %s: %s is not caught: %+v", kind.Name, m.at.path(), m.what, r.Findings)
			}
		}
		if same := (mutation{}).write(root); len(same) == 0 {
			t.Errorf("%s: the writer writes nothing", kind.Name)
		}
	}
	if count < 1000 {
		t.Errorf("%d mutations, want at least 1000", count)
	}
	t.Logf("%d mutations", count)
}

func validRoot(t testing.TB, kind *Kind) *node {
	t.Helper()
	data, err := os.ReadFile(validName(kind.Name))
	if err != nil {
		t.Fatal(err)
	}
	c := newCheck(data, &Options{})
	kind.decode(kind, c)
	if c.root == nil || len(c.findings) > 0 {
		t.Fatalf("%s: the valid example has findings: %+v", kind.Name, c.findings)
	}
	return c.root
}
