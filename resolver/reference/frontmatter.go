package reference

import (
	"bytes"
	"strings"
)

// projectRoot is how front matter of BMAD names the root.
const projectRoot = "{project-root}/"

// readFrontMatter reads the front matter in data[from:to]. A whole value that is
// a path or, under a key that says so, a commit id is a reference; other values
// and comments are read as running text.
func (f *finder) readFrontMatter(from, to int) {
	key := ""
	f.strict = true
	eachLine(f.data, from, to, func(from, to int) {
		name, value := cutKey(f.data, from, to)
		if name != "" {
			key = name
			f.enter(nil, from, to)
		}
		f.frontMatterLine(key, value, to)
	})
	f.strict = false
}

// cutKey cuts the marks of list items and the key off a line of YAML, or of
// TOML. value is where the value begins.
func cutKey(data []byte, from, to int) (name string, value int) {
	from = skipBlank(data, from, to)
	for from+1 < to && data[from] == '-' && data[from+1] == ' ' {
		from = skipBlank(data, from+1, to)
	}
	for i := from; i < to; i++ {
		switch c := data[i]; {
		case (c == ':' && (i+1 == to || data[i+1] == ' ' || data[i+1] == '\t')) || c == '=':
			return strings.Trim(string(data[from:i]), " \t\"'"), skipBlank(data, i+1, to)
		case is(c, wordByte), strings.IndexByte("-. \"'$", c) >= 0:
		default:
			return "", from
		}
	}
	return "", from
}

// frontMatterLine reads the values that stand in data[from:to] under key: one,
// or the elements of a list in brackets.
func (f *finder) frontMatterLine(key string, from, to int) {
	if from < to && (f.data[from] == '[' && (from+1 == to || f.data[from+1] != '[' && f.data[from+1] != '#')) {
		from++
	}
	for from < to {
		end := from + elementLength(f.data[from:to])
		f.frontMatterElement(key, from, end)
		from = end + 1
	}
}

// elementLength returns the length of text up to a comma that is outside quotes.
func elementLength(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || text[i-1] == ' ' || text[i-1] == '[' {
				quote = c
			}
		case c == ',':
			return i
		}
	}
	return len(text)
}

// frontMatterElement reads one value with its quotes and the comment behind it.
func (f *finder) frontMatterElement(key string, from, to int) {
	text := f.data[from:to]
	if i := bytes.Index(text, []byte(" #")); i >= 0 {
		f.scan(from+i, to)
		text = text[:i]
	}
	trimmed := bytes.TrimRight(text, " \t],\"'")
	if i := bytes.IndexByte(trimmed, '['); i >= 0 { // a bracket of the value itself
		trimmed = bytes.TrimRight(text, " \t,\"'")
	}
	end := from + len(trimmed)
	start := from
	for start < end && strings.IndexByte(" \t\"'", f.data[start]) >= 0 {
		start++
	}
	if r, ok := frontMatterReference(key, string(f.data[start:end])); ok {
		f.add(r, start, end)
		f.named(r.Target, end)
		return
	}
	f.scan(start, end)
}

// frontMatterReference reads a whole value of front matter.
func frontMatterReference(key, value string) (r Reference, ok bool) {
	r = Reference{Form: FrontMatter}
	if isCommitWord(strings.ReplaceAll(strings.ToLower(key), "-", "_")) {
		switch {
		case isHexID(value) || isFullID(value):
			r.Target.Revision = value
			return r, true
		case value != "" && isPlaceholder(value) && !strings.ContainsAny(value, " \t") && !strings.Contains(value, ".."):
			r.Skip = Placeholder
			return r, true
		}
	}
	if value == "" || strings.ContainsAny(value, " \t*") || strings.Contains(value, "://") {
		return r, false
	}
	rest, rooted := strings.CutPrefix(value, projectRoot)
	path, fragment := splitFragment(rest)
	path, lines := cutLines(path)
	if !rooted && (!knownFile(path) || !strings.Contains(path, "/") && !isFileKey(key)) || path == "" {
		return r, false
	}
	r.Target = textTarget(path)
	if rooted {
		r.Target.Base = FromRoot
	}
	r.Skip = skipOf(path)
	r.Target.Lines = lines
	if fragment != "" {
		r.Target.setFragment(fragment)
	}
	return r, true
}

// isFileKey reports whether a key says that its values are files.
func isFileKey(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"file", "path", "doc", "spec", "plan", "context", "input", "source", "template", "workflow", "story", "related", "depends", "parent", "reference"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}
