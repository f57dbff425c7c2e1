package selector

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	toml "github.com/pelletier/go-toml/v2"
	tomltest "github.com/toml-lang/toml-test/v2"
	yamlv4 "go.yaml.in/yaml/v4"
)

// listedBytes returns the bytes of each listed path.
func listedBytes(t *testing.T, path string, data []byte) map[string]string {
	t.Helper()
	d := NewDocument(path, data)
	list, err := Keys(context.Background(), d)
	if err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	all := map[string]string{}
	for _, l := range list {
		all[strings.TrimPrefix(l.Selector, "at=")] = string(d.Bytes(l.Range))
	}
	return all
}

// jsonBytes returns the bytes of each path as encoding/json sees them.
func jsonBytes(t *testing.T, raw []byte, path string, all map[string]string) {
	t.Helper()
	raw = bytes.TrimSpace(raw)
	all[path] = string(raw)
	switch raw[0] {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatal(err)
		}
		for key, value := range members {
			jsonBytes(t, value, path+"/"+escapeToken(key), all)
		}
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(raw, &elements); err != nil {
			t.Fatal(err)
		}
		for i, value := range elements {
			jsonBytes(t, value, path+"/"+strconv.Itoa(i), all)
		}
	}
}

// randomText writes random documents.
type randomText struct {
	*rand.Rand
	out   bytes.Buffer
	space []string
}

func (r *randomText) gap() { r.out.WriteString(r.space[r.IntN(len(r.space))]) }

func (r *randomText) key(n int) string {
	keys := []string{"", "a", "b", "0", "1", "/", "~", "~1", "é", "a b", "\\", "\"", "😀", "a/b~c", "-"}
	return keys[(n+r.IntN(3))%len(keys)] + strings.Repeat("k", n)
}

func (r *randomText) jsonString(s string) {
	quoted, _ := json.Marshal(s)
	if r.IntN(4) == 0 {
		quoted = []byte(strconv.QuoteToASCII("x" + strings.Repeat("y", r.IntN(3))))
	}
	r.out.Write(quoted)
}

func (r *randomText) jsonValue(depth int) {
	r.gap()
	defer r.gap()
	switch n := r.IntN(4); {
	case depth > 3 || n == 0:
		r.jsonString(r.key(0))
	case n == 1:
		r.out.WriteString([]string{"0", "-1.5e+3", "true", "null", "12345678901234567890"}[r.IntN(5)])
	case n == 2:
		r.jsonMembers("{", "}", depth, true)
	default:
		r.jsonMembers("[", "]", depth, false)
	}
}

func (r *randomText) jsonMembers(open, end string, depth int, keys bool) {
	r.out.WriteString(open)
	for i := range r.IntN(5) {
		if i > 0 {
			r.out.WriteString(",")
		}
		r.gap()
		if keys {
			quoted, _ := json.Marshal(r.key(i))
			r.out.Write(quoted)
			r.gap()
			r.out.WriteString(":")
		}
		r.jsonValue(depth + 1)
	}
	r.gap()
	r.out.WriteString(end)
}

func TestJSONAgainstEncodingJSON(t *testing.T) {
	values := 0
	for seed := range uint64(3000) {
		r := &randomText{Rand: rand.New(rand.NewPCG(seed, 1)), space: []string{"", " ", "\n", "\t\r\n "}}
		r.jsonValue(0)
		want := map[string]string{}
		jsonBytes(t, r.out.Bytes(), "", want)
		got := listedBytes(t, "a.json", r.out.Bytes())
		if !maps.Equal(got, want) {
			t.Fatalf("%q\nlisted %q\nwant %q", r.out.Bytes(), got, want)
		}
		values += len(got)
	}
	if values < 10000 {
		t.Errorf("only %d values compared", values)
	}
}

func TestJSONCAgainstJSON(t *testing.T) {
	values := 0
	for seed := range uint64(1500) {
		plain := &randomText{Rand: rand.New(rand.NewPCG(seed, 2)), space: []string{"      ", "       "}}
		plain.jsonValue(0)
		text := plain.out.Bytes()
		commented := bytes.ReplaceAll(text, []byte("      "), []byte("/*\",*/"))
		want, got := listedBytes(t, "a.json", text), listedBytes(t, "a.jsonc", commented)
		if len(got) != len(want) {
			t.Fatalf("%q lists %d, without comments %d", commented, len(got), len(want))
		}
		for path, b := range want {
			if strings.ReplaceAll(got[path], "/*\",*/", "      ") != b {
				t.Fatalf("%s is %q, want %q", path, got[path], b)
			}
		}
		values += len(got)
	}
	if values < 5000 {
		t.Errorf("only %d values compared", values)
	}
}

// tomlAt follows a path in what the library decoded.
func tomlAt(v any, path string) (any, bool) {
	for token := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		switch c := v.(type) {
		case map[string]any:
			next, ok := c[unescapeToken(token)]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, ok := arrayIndex(token)
			if !ok || i >= len(c) {
				return nil, false
			}
			v = c[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// checkTOML compares each listed value, decoded alone by the library, with what
// the library has there in the whole document.
func checkTOML(t *testing.T, name string, text []byte) int {
	t.Helper()
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	listed := listedBytes(t, "a.toml", text)
	for path, b := range listed {
		want, ok := tomlAt(whole, path)
		if !ok {
			t.Fatalf("%s: %s is not in what the library decodes", name, path)
		}
		var alone map[string]any
		_, table := want.(map[string]any)
		got := any(nil)
		if table && toml.Unmarshal([]byte(b), &alone) == nil {
			got = alone
		} else if err := toml.Unmarshal([]byte("v = "+b), &alone); err == nil {
			got = alone["v"]
		}
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
			t.Fatalf("%s: %s alone is %#v, want %#v", name, path, got, want)
		}
	}
	return len(listed)
}

func TestTOMLSuite(t *testing.T) {
	files := tomltest.TestCases()
	list, err := fs.ReadFile(files, "files-toml-1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	valid, invalid, values := 0, 0, 0
	for name := range strings.FieldsSeq(string(list)) {
		if filepath.Ext(name) != ".toml" {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Keys(context.Background(), NewDocument("a.toml", text))
		if want := strings.HasPrefix(name, "valid/"); want != (err == nil) {
			t.Errorf("%s: %v", name, err)
			continue
		} else if !want {
			invalid++
			continue
		}
		valid++
		values += checkTOML(t, name, text)
		checkDataPaths(t, "a.toml", text)
	}
	t.Logf("%d valid, %d invalid, %d values", valid, invalid, values)
	if valid < 200 || invalid < 400 || values < 1000 {
		t.Errorf("only %d valid files, %d invalid, %d values", valid, invalid, values)
	}
}

// yamlDocument decodes the one document of a text, nil when the library refuses
// it.
func yamlDocument(text []byte) *yamlv4.Node {
	dec := yamlv4.NewDecoder(bytes.NewReader(text))
	var doc, next yamlv4.Node
	if dec.Decode(&doc) != nil || dec.Decode(&next) == nil || len(doc.Content) != 1 {
		return nil
	}
	return doc.Content[0]
}

func yamlAt(n *yamlv4.Node, path string) *yamlv4.Node {
	if path == "" {
		return n
	}
	for token := range strings.SplitSeq(path[1:], "/") {
		token = unescapeToken(token)
		next := -1
		switch n.Kind {
		case yamlv4.MappingNode:
			for i := 0; i < len(n.Content); i += 2 {
				if n.Content[i].Kind == yamlv4.ScalarNode && n.Content[i].Value == token {
					next = i + 1
				}
			}
		case yamlv4.SequenceNode:
			if i, ok := arrayIndex(token); ok && i < len(n.Content) {
				next = i
			}
		}
		if next < 0 {
			return nil
		}
		n = n.Content[next]
	}
	return n
}

func sameYAML(a, b *yamlv4.Node) bool {
	return a.Kind == b.Kind && a.Value == b.Value && a.Tag == b.Tag && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameYAML)
}

// checkYAML compares each listed value of a text with one document, decoded
// alone by the library, with what the library has there in the whole text. It
// returns how many were compared.
func checkYAML(t *testing.T, name string, text []byte) int {
	t.Helper()
	whole := yamlDocument(text)
	d := NewDocument("a.yaml", text)
	list, err := Keys(context.Background(), d)
	if whole == nil || err != nil {
		return 0
	}
	for _, l := range list {
		want := yamlAt(whole, strings.TrimPrefix(l.Selector, "at="))
		if want == nil {
			t.Errorf("%s: %s is not in what the library decodes: %q", name, l.Selector, text)
			continue
		}
		column := l.From - 1 - bytes.LastIndexAny(text[:l.From], "\r\n")
		alone := append(bytes.Repeat([]byte{' '}, column), d.Bytes(l.Range)...)
		alone = append(alone, lineBreakAt(text[l.To:])...)
		got := yamlDocument(alone)
		if got == nil || !sameYAML(got, want) {
			t.Errorf("%s: %s alone is %+v, want %+v, of %q", name, l.Selector, got, want, text)
		}
	}
	return len(list)
}

// yamlValue writes a random value behind an indicator of a collection indented
// by indent.
func (r *randomText) yamlValue(indent, depth int) {
	switch n := r.IntN(8); {
	case depth < 3 && n < 2:
		r.out.WriteString(r.space[0])
		for i := range 1 + r.IntN(3) {
			r.yamlKey(indent+2, i)
			r.yamlValue(indent+2, depth+1)
		}
	case depth < 3 && n < 4:
		r.out.WriteString(r.space[0])
		for range 1 + r.IntN(3) {
			r.out.WriteString(strings.Repeat(" ", indent+2) + "-")
			r.yamlValue(indent+2, depth+1)
		}
	case n == 4:
		r.yamlBlockScalar(indent + 2)
	default:
		scalars := []string{" v", " \"q # r\"", " 'it''s'", " [a, {b: c}, 'd']", " {x: [1], \"y\":2}", "", " 1.5", " p q#r", " !!str 7", " \"\\u00e9\"", " é ü"}
		r.out.WriteString(scalars[r.IntN(len(scalars))])
		r.gap()
	}
}

func (r *randomText) yamlKey(indent, i int) {
	keys := []string{"a", "\"b c\"", "'d'", "é", "0", "x/y", "~z"}
	r.out.WriteString(strings.Repeat(" ", indent) + keys[(i*2+r.IntN(2))%len(keys)] + ":")
}

func (r *randomText) yamlBlockScalar(indent int) {
	eol := r.space[len(r.space)-1]
	r.out.WriteString(" " + []string{"|", ">", "|-", "|+", ">-", ">+"}[r.IntN(6)] + eol)
	for range 1 + r.IntN(4) {
		lines := []string{"text", "more # text", "  spaced", "- x: y"}
		r.out.WriteString(strings.Repeat(" ", indent) + lines[r.IntN(3+r.IntN(2))] + strings.Repeat(eol, 1+r.IntN(2)))
		if r.out.Bytes()[indent] == ' ' && r.IntN(9) == 0 {
			r.out.WriteString(eol)
		}
	}
}

func randomYAML(seed uint64) []byte {
	r := &randomText{Rand: rand.New(rand.NewPCG(seed, 3)), space: []string{"\n", " # c\n", "\n\n", "\n# c\n", "\n"}}
	if seed%3 == 0 {
		r.space = []string{"\r\n", " # c\r\n", "\r\n"}
	}
	for i := range 1 + r.IntN(3) {
		r.yamlKey(0, i)
		r.yamlValue(0, 0)
	}
	return r.out.Bytes()
}

func TestYAMLAgainstLibrary(t *testing.T) {
	values, compared := 0, 0
	for seed := range uint64(3000) {
		text := randomYAML(seed)
		n := checkYAML(t, strconv.FormatUint(seed, 10), text)
		values += n
		if n > 0 {
			compared++
		} else if yamlDocument(text) != nil {
			t.Errorf("only the library reads %q", text)
		}
	}
	t.Logf("%d texts, %d values", compared, values)
	if compared < 2000 || values < 10000 {
		t.Errorf("only %d texts and %d values compared", compared, values)
	}
}

func TestYAMLSuiteAgainstLibrary(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-yaml").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "yaml-test-suite", "*", "in.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	values, compared := 0, 0
	for _, name := range files {
		text := readDataFile(t, name)
		n := checkYAML(t, filepath.Base(filepath.Dir(name)), text)
		values += n
		if n > 0 {
			compared++
		}
		checkDataPaths(t, "a.yaml", text)
	}
	t.Logf("%d files, %d compared, %d values", len(files), compared, values)
	if compared < 150 || values < 600 {
		t.Errorf("only %d files and %d values compared", compared, values)
	}
}
