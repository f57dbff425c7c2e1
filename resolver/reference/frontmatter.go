package reference

import (
	"bytes"
	"strings"
)

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
// TOML. value is where the value begins. A key has spaces or punctuation, not
// both.
func cutKey(data []byte, from, to int) (name string, value int) {
	spaced, special := false, false
	from = skipBlank(data, from, to)
	for from+1 < to && data[from] == '-' && data[from+1] == ' ' {
		from = skipBlank(data, from+1, to)
	}
	for i := from; i < to; i++ {
		switch c := data[i]; {
		case (c == ':' && (i+1 == to || data[i+1] == ' ' || data[i+1] == '\t')) || c == '=' && !special:
			return strings.Trim(string(data[from:i]), " \t\"'"), skipBlank(data, i+1, to)
		case c == ' ' || c == '\t':
			spaced = true
		case c == '#' || c == '{' || c == '[' || c == ',':
			return "", from
		case !is(c, wordByte) && strings.IndexByte("-.\"'$", c) < 0:
			special = true
		}
		if spaced && special {
			return "", from // no key, but text
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
	if r, n, ok := frontMatterReference(key, string(f.data[start:end])); ok {
		f.add(r, start, start+n)
		f.named(r, start+n)
		return
	}
	f.scan(start, end)
}

// frontMatterReference reads a whole value of front matter; a path may have a
// note in parentheses behind it. n is the length of what is the reference.
func frontMatterReference(key, value string) (r Reference, n int, ok bool) {
	r = Reference{Form: FrontMatter}
	key = strings.ReplaceAll(strings.ToLower(key), "-", "_")
	if len(value) == longestID && isFullID(value) && !namesDigest(key) && key != "hash" {
		r.Target.Revision = value
		return r, len(value), true
	}
	if isCommitWord(key) {
		switch {
		case isHexID(value) || isFullID(value):
			r.Target.Revision = value
			return r, len(value), true
		case value != "" && isPlaceholder(value) && !strings.ContainsAny(value, " \t") && !strings.Contains(value, ".."):
			r.Skip = Placeholder
			return r, len(value), true
		}
	}
	if path, note, found := strings.Cut(value, " ("); found && strings.HasSuffix(note, ")") {
		value = path
	}
	if value == "" || strings.ContainsAny(value, " \t*") || strings.Contains(value, "://") {
		return r, 0, false
	}
	rooted := strings.HasPrefix(value, projectRoot)
	path, fragment := splitFragment(value)
	path, lines := cutLines(path)
	if !rooted && (!knownFile(path) || !strings.Contains(path, "/") && !isFileKey(key)) || path == "" || path == projectRoot {
		return r, 0, false
	}
	r.Target = textTarget(path)
	r.Skip = skipOf(path)
	r.Target.Lines = lines
	if fragment != "" {
		r.Target.setFragment(fragment)
	}
	return r, len(value), true
}

// isFileKey reports whether a key says that its values are files.
func isFileKey(key string) bool {
	for _, part := range []string{"file", "path", "doc", "spec", "plan", "context", "input", "source", "template", "workflow", "story", "related", "depends", "parent", "reference"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}
