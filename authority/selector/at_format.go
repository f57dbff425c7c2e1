package selector

import (
	"context"
	"fmt"
	"math"
	"path"
	"strings"
)

// dataFormat parses one format. The offsets of its errors count from the start
// of src.
type dataFormat struct {
	name  string
	parse func(src []byte) (*dataTree, *Error)
}

// dataCache holds what has been parsed of a document as data.
type dataCache struct {
	tree *dataTree
	err  *Error
}

// dataTree parses the document as data, once.
func (d *Document) dataTree() (*dataTree, *Error) {
	if d.parsed.tree == nil && d.parsed.err == nil {
		d.parsed.tree, d.parsed.err = parseData(d)
	}
	return d.parsed.tree, d.parsed.err
}

func parseData(d *Document) (*dataTree, *Error) {
	if len(d.data) > math.MaxInt32 {
		return nil, &Error{Fault: OverLimit, Proof: "the document is larger than 2 GiB"}
	}
	f, text, err := formatOf(d)
	if err != nil {
		return nil, err
	}
	if i := invalidUTF8(d.data[text.From:text.To]); i >= 0 {
		return nil, badData(f.name, "is not UTF-8", i).placed(text.From)
	}
	t, err := f.parse(d.data[text.From:text.To])
	if err != nil {
		return nil, err.placed(text.From)
	}
	t.base = text.From
	t.invalid = t.invalid.placed(text.From)
	return t, nil
}

// badData is the error of a text that breaks its format; placed completes it.
func badData(format, what string, offset int) *Error {
	return &Error{Fault: BadContent, Proof: fmt.Sprintf("the %s text %s", format, what), Offset: offset}
}

// placed returns e, whose text begins at byte base of the document, with its
// place in the document.
func (e *Error) placed(base int) *Error {
	if e == nil || e.Fault != BadContent {
		return e
	}
	moved := *e
	moved.Offset += base
	return &moved
}

// formatOf decides the format by the document's path, never by its content, and
// returns the part of the document that has it.
func formatOf(d *Document) (*dataFormat, Range, *Error) {
	base := path.Base(d.path)
	ext := strings.ToLower(path.Ext(base))
	whole := Range{skipBOM(d.data), len(d.data)}
	switch {
	case isJSONC(d.path, base, ext):
		return jsoncFormat, whole, nil
	case isJSON(base, ext):
		return jsonFormat, whole, nil
	case isYAML(base, ext):
		return yamlFormat, whole, nil
	case isTOML(base, ext):
		return tomlFormat, whole, nil
	case isFrontMatter(ext):
		return frontMatter(d.data)
	}
	if name, ok := unsupportedData(ext); ok {
		return nil, Range{}, &Error{Fault: Unsupported, Proof: fmt.Sprintf("%s is not supported; at= reads JSON, JSON with comments, YAML, TOML and Markdown front matter", name)}
	}
	return nil, Range{}, &Error{Fault: Unsupported, Proof: "the file's name is not one of a data format that at= reads: JSON, JSON with comments, YAML, TOML, Markdown with front matter"}
}

func unsupportedData(ext string) (name string, ok bool) {
	switch ext {
	case ".json5":
		return "JSON5", true
	case ".hjson":
		return "Hjson", true
	case ".jsonl", ".ndjson":
		return "JSON Lines", true
	}
	return "", false
}

func isJSON(base, ext string) bool {
	switch ext {
	case ".json", ".geojson", ".topojson", ".jsonld", ".webmanifest", ".ipynb", ".har", ".sarif", ".avsc", ".map":
		return true
	}
	switch base {
	case "composer.lock", "Pipfile.lock", "flake.lock", "deno.lock":
		return true
	}
	return false
}

func isYAML(base, ext string) bool {
	switch ext {
	case ".yaml", ".yml", ".cff", ".clang-format", ".clang-tidy", ".clangd":
		return true
	}
	return base == "pubspec.lock" || base == "Podfile.lock"
}

func isTOML(base, ext string) bool {
	if ext == ".toml" {
		return true
	}
	switch base {
	case "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Gopkg.lock":
		return true
	}
	return false
}

// isJSONC reports whether a file is read by its users as JSON with comments and
// trailing commas, after the file associations of Visual Studio Code.
func isJSONC(full, base, ext string) bool {
	switch ext {
	case ".jsonc", ".code-workspace", ".code-snippets":
		return true
	case ".json":
	default:
		return false
	}
	for _, name := range [...]string{"tsconfig", "jsconfig"} {
		rest, found := strings.CutPrefix(base, name)
		if found && (rest == ".json" || rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return base == "devcontainer.json" || base == ".devcontainer.json" || path.Base(path.Dir(full)) == ".vscode"
}

// skipBOM returns the length of a UTF-8 byte order mark at the start of data.
func skipBOM(data []byte) int {
	if len(data) >= 3 && string(data[:3]) == "\xef\xbb\xbf" {
		return 3
	}
	return 0
}

// prove shows that the bytes of node i, parsed alone, are the very value that
// stands there in the whole document.
func (t *dataTree) prove(ctx context.Context, i int) *Error {
	if ctx.Err() != nil {
		return &Error{Fault: OverLimit, Proof: "the time ran out before the value was proven"}
	}
	n := t.nodes[i]
	switch at := t.aliasIn(i); {
	case n.form == aliasForm:
		return &Error{Fault: NoMatch, Proof: "an alias stands there, and aliases are not followed"}
	case n.from == n.to:
		return &Error{Fault: NoMatch, Proof: "the value there is empty: it has no bytes of its own"}
	case at >= 0:
		return &Error{Fault: BadContent, Proof: "the value holds an alias, and aliases are not followed", Offset: at}
	}
	return t.proof(i)
}

// aliasIn returns where the first alias within node i stands, -1 when none does.
func (t *dataTree) aliasIn(i int) int {
	for k := i; k < i+int(t.nodes[i].size); k++ {
		if t.nodes[k].form == aliasForm {
			return t.base + int(t.nodes[k].from)
		}
	}
	return -1
}

// unproven is the error of a value whose bytes alone do not mean what they mean
// in the document.
func (t *dataTree) unproven(i int, format string) *Error {
	at := t.rangeOf(i).From
	return &Error{Fault: BadContent, Proof: fmt.Sprintf("the bytes of the %s value, parsed alone, are not that value", format), Offset: at}
}
