package envelope

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// operation is one operation of a JSON Patch (RFC 6902): add, remove, replace or
// move.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	From  string          `json:"from"`
	Value json.RawMessage `json:"value"`
}

// patched applies operations to a document.
func patched(t testing.TB, data []byte, patch []operation) []byte {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	for _, o := range patch {
		if o.Op == "move" {
			var moved any
			value, moved = edit(t, value, steps(o.From), operation{Op: "remove"}, nil)
			value, _ = edit(t, value, steps(o.Path), operation{Op: "add"}, moved)
			continue
		}
		var with any
		if o.Value != nil {
			if err := json.Unmarshal(o.Value, &with); err != nil {
				t.Fatal(err)
			}
		}
		value, _ = edit(t, value, steps(o.Path), o, with)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func steps(pointer string) []string {
	list := strings.Split(pointer, "/")[1:]
	for i, s := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return list
}

// edit returns value after one operation, and what stood at its place.
func edit(t testing.TB, value any, path []string, o operation, with any) (any, any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		old, there := v[path[0]]
		switch {
		case len(path) > 1:
			v[path[0]], old = edit(t, old, path[1:], o, with)
			return v, old
		case o.Op != "add" && !there:
			t.Fatalf("nothing stands at %v", path)
		case o.Op == "remove":
			delete(v, path[0])
		default:
			v[path[0]] = with
		}
		return v, old
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i > len(v) || i == len(v) && o.Op != "add" {
			t.Fatalf("nothing stands at %v", path)
		}
		var old any
		switch {
		case len(path) > 1:
			v[i], old = edit(t, v[i], path[1:], o, with)
		case o.Op == "remove":
			return slices.Delete(v, i, i+1), v[i]
		case o.Op == "add":
			return slices.Insert(v, i, with), nil
		default:
			old, v[i] = v[i], with
		}
		return v, old
	}
	t.Fatalf("nothing stands at %v", path)
	return nil, nil
}
