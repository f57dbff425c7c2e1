package selector

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func dataFault(err error) Fault {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fault
	}
	return 0
}

func TestDataLimits(t *testing.T) {
	deep := strings.Repeat("[", dataDepth) + strings.Repeat("]", dataDepth)
	for _, c := range []struct {
		name, path, text string
		want             Fault
	}{
		{"JSON at its depth", "a.json", deep, 0},
		{"JSON too deep", "a.json", "[" + deep + "]", OverLimit},
		{"JSON open brackets", "a.json", strings.Repeat("[", 1<<20), OverLimit},
		{"JSON too many values", "a.json", "[" + strings.Repeat("1,", dataNodes) + "1]", OverLimit},
		{"JSONC open comments", "a.jsonc", strings.Repeat("/*", 1<<20), BadContent},
		{"JSONC commas", "a.jsonc", "[1" + strings.Repeat(",", 1<<20), BadContent},
		{"YAML at its depth", "a.yaml", deep, 0},
		{"YAML too deep", "a.yaml", "[" + deep + "]", OverLimit},
		{"YAML too many values", "a.yaml", "[" + strings.Repeat("1,", yamlLimits.Nodes) + "]", OverLimit},
		{"TOML at its depth", "a.toml", "a = " + deep[1:len(deep)-1], 0},
		{"TOML too deep", "a.toml", "a = [" + deep + "]", OverLimit},
		{"TOML open brackets", "a.toml", "a = " + strings.Repeat("[", 1<<20), BadContent},
		{"TOML long key", "a.toml", strings.Repeat("a.", 1<<19) + "a = 1", OverLimit},
		{"TOML long header", "a.toml", "[" + strings.Repeat("a.", 1<<19) + "a]", OverLimit},
		{"TOML too many values", "a.toml", "a = [" + strings.Repeat("1,", tomlValues) + "]", OverLimit},
		{"TOML too many marks", "a.toml", strings.Repeat("\n", tomlMarks+1), OverLimit},
		{"TOML many keys", "a.toml", "a.b = 1\n" + strings.Repeat("[[p]]\n[p.a.b]\nc.d = 1\n", 1<<14), 0},
	} {
		_, err := resolveData(c.path, "at=", []byte(c.text))
		if got := dataFault(err); got != c.want {
			t.Errorf("%s: fault %d (%v), want %d", c.name, got, err, c.want)
		}
	}
}

func TestKeysLimits(t *testing.T) {
	long := strings.Repeat("k", 1<<16)
	many := `{"` + long + `":[` + strings.Repeat("0,", 1<<11) + `0]}`
	nested := strings.Repeat("[", 900) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("]", 900)
	for _, text := range []string{many, nested} {
		if _, err := Keys(context.Background(), NewDocument("a.json", []byte(text))); dataFault(err) != OverLimit {
			t.Errorf("%v, want a limit", err)
		}
	}
}

func TestKeysStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Keys(ctx, NewDocument("a.json", []byte("[1]"))); dataFault(err) != OverLimit {
		t.Errorf("%v, want a limit", err)
	}
}

func TestAtPositional(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"at=", false}, {"at=/", false}, {"at=/a/b", false}, {"at=/a/-", false}, {"at=/01", false}, {"at=/1a", false},
		{"at=/~01", false}, {"at=/a~10", false}, {"at=/0", true}, {"at=/a/10/b", true}, {"at=/2024/a", true}, {"at=/99999999999", true},
	} {
		s, err := Parse(c.text)
		if err != nil || s.Positional() != c.want {
			t.Errorf("%s: positional %v, want %v (%v)", c.text, s.Positional(), c.want, err)
		}
	}
}

func TestDataFormats(t *testing.T) {
	jsonText, jsonc, yamlText, tomlText := `{"a":1}`, `{"a":1,} // c`, "a: 1\nb: [*c]\n", "a = 1"
	yamlText = strings.Replace(yamlText, "*c", "c", 1)
	for path, text := range map[string]string{
		"x/y.json": jsonText, "Y.JSON": jsonText, "a.ipynb": jsonText, "Pipfile.lock": jsonText, "composer.lock": jsonText,
		"a.jsonc": jsonc, "tsconfig.json": jsonc, "x/tsconfig.base.json": jsonc, "jsconfig.json": jsonc, "tsconfig-x.json": jsonc,
		"a.code-workspace": jsonc, ".devcontainer/devcontainer.json": jsonc, ".vscode/settings.json": jsonc, ".devcontainer.json": jsonc,
		"a.yml": yamlText, "a.YAML": yamlText, "CITATION.cff": yamlText, ".clang-format": yamlText,
		"Cargo.toml": tomlText, "Cargo.lock": tomlText, "Pipfile": tomlText,
		"a.md": "---\na: 1\n---\n", "a.mdx": "+++\na = 1\n+++\n", "a.qmd": "---\na: 1\n...\n",
	} {
		if r, err := resolveData(path, "at=/a", []byte(text)); err != nil || text[r.From:r.To] != "1" {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]Fault{
		"tsconfigs.json": BadContent, "a.json": BadContent, "vscode/settings.json": BadContent,
		"a.json5": Unsupported, "a.hjson": Unsupported, "a.jsonl": Unsupported, "a.ndjson": Unsupported,
		"a": Unsupported, "a.txt": Unsupported, "a.xml": Unsupported, "json": Unsupported,
	} {
		if _, err := resolveData(path, "at=/a", []byte(jsonc)); dataFault(err) != want {
			t.Errorf("%s: %v, want fault %d", path, err, want)
		}
	}
}

// TestManyPlaces shows that an ambiguous answer lists a bounded number of
// places.
func TestManyPlaces(t *testing.T) {
	for path, text := range map[string]string{
		"a.json": "{" + strings.Repeat(`"a":1,`, 5000) + `"b":1}`,
		"a.yaml": strings.Repeat("---\na: 1\n", 5000),
		"a.toml": strings.Repeat("[[a]]\nb = 1\n", 5000),
	} {
		_, err := resolveData(path, "at=/a", []byte(text))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != ManyMatches || len(e.Matches) != mostMatches {
			t.Errorf("%s: %v with %d matches, want %d", path, err, len(e.Matches), mostMatches)
		}
	}
}

// TestKeysOfOneLine lists files that are one long line, as programs write them: time
// must grow with the file, not with the file times its values.
func TestKeysOfOneLine(t *testing.T) {
	var members strings.Builder
	const values = 80_000
	for i := range values {
		fmt.Fprintf(&members, `"k%d": {"a": [%d, "x"]}, `, i, i)
	}
	object := "{" + strings.TrimSuffix(members.String(), ", ") + "}"
	for _, path := range []string{"a.json", "a.yaml"} {
		doc := NewDocument(path, []byte(object))
		list, err := Keys(context.Background(), doc)
		if err != nil || len(list) != 5*values-values+1 {
			t.Errorf("%s: %d values, %v", path, len(list), err)
		}
		for _, l := range list {
			if first, last := doc.Lines(l.Range); first != 1 || last != 1 {
				t.Fatalf("%s: %s on lines %d to %d", path, l.Selector, first, last)
			}
		}
	}
}
