package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	_ "github.com/goccy/go-yaml" // carries the files of yaml-test-suite
)

var testLimits = Limits{Nodes: 1 << 20, Depth: 1000}

// suiteCase is one document of yaml-test-suite.
type suiteCase struct {
	name  string
	src   []byte
	json  []byte // what it means, nil where JSON can't say
	fails bool
}

// suite reads yaml-test-suite (https://github.com/yaml/yaml-test-suite) from
// the module that carries it.
func suite(tb testing.TB) []suiteCase {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-yaml").Output()
	if err != nil {
		tb.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "testdata", "yaml-test-suite")
	var cases []suiteCase
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "in.yaml" {
			return err
		}
		dir := filepath.Dir(path)
		c := suiteCase{name: filepath.ToSlash(strings.TrimPrefix(dir, root+string(filepath.Separator)))}
		if c.src, err = os.ReadFile(path); err != nil {
			return err
		}
		_, errorFile := os.Stat(filepath.Join(dir, "error"))
		c.fails = errorFile == nil
		if text, err := os.ReadFile(filepath.Join(dir, "in.json")); err == nil {
			c.json = text
		}
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

func TestSuite(t *testing.T) {
	meant := 0
	cases := suite(t)
	for _, c := range cases {
		f, err := Parse(c.src, testLimits)
		switch {
		case c.fails != (err != nil):
			t.Errorf("%s: error %v, want one: %v\n%s", c.name, err, c.fails, c.src)
		case err == nil && c.json != nil:
			meant++
			want := decodeJSON(t, c.json)
			if got := meaning(f); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v\n%s", c.name, got, want, c.src)
			}
		}
	}
	if len(cases) < 402 || meant < 277 {
		t.Errorf("%d cases, %d of them compared by value; want 402 and 277", len(cases), meant)
	}
}

func decodeJSON(t *testing.T, text []byte) []any {
	t.Helper()
	all := []any{}
	for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// meaning returns the documents as encoding/json would decode them, resolving
// aliases and plain scalars after the core schema.
func meaning(f *File) []any {
	all := []any{}
	for _, root := range f.Roots {
		r := resolver{file: f, anchors: map[string]any{}}
		all = append(all, r.value(root))
	}
	return all
}

type resolver struct {
	file    *File
	anchors map[string]any
}

func (r resolver) value(i int) any {
	n := r.file.Nodes[i]
	if n.Kind == Alias {
		return r.anchors[n.Value]
	}
	props := r.file.Props[n.Props]
	v := r.content(i, n, props.Tag)
	if props.Anchor != "" {
		r.anchors[props.Anchor] = v
	}
	return v
}

func (r resolver) content(i int, n Node, tag string) any {
	end := i + int(n.Size)
	switch n.Kind {
	case Sequence:
		list := []any{}
		for c := i + 1; c < end; c += int(r.file.Nodes[c].Size) {
			list = append(list, r.value(c))
		}
		return list
	case Mapping:
		m := map[string]any{}
		for k := i + 1; k < end; {
			v := k + int(r.file.Nodes[k].Size)
			key := r.value(k)
			if key == nil {
				key = ""
			}
			m[fmt.Sprint(key)] = r.value(v)
			k = v + int(r.file.Nodes[v].Size)
		}
		return m
	}
	if n.Style == Plain && tag == "" || strings.HasPrefix(tag, "tag:yaml.org,2002:") && !strings.HasSuffix(tag, ":str") {
		return plainValue(n.Value)
	}
	return n.Value
}

// plainValue resolves the plain scalars that the suite uses.
func plainValue(s string) any {
	switch s {
	case "", "~", "null":
		return nil
	case "true", "false":
		return s == "true"
	}
	var number float64
	if err := json.Unmarshal([]byte(s), &number); err == nil {
		return number
	}
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && strings.HasPrefix(s, "0x") {
		return float64(n)
	}
	return s
}
