package gitref

import (
	"bytes"
	"strings"
)

// AttrState is how gitattributes(5) leaves an attribute of a path.
type AttrState uint8

// The four states.
const (
	AttrUnspecified AttrState = iota
	AttrSet                   // "name"
	AttrUnset                 // "-name"
	AttrValue                 // "name=value"
)

// Attr is the state of one attribute of one path.
type Attr struct {
	State AttrState
	Value string // of AttrValue
}

// attrRule is one line of an attributes file: a pattern or a macro, and what it
// assigns.
type attrRule struct {
	macro   string // the name it defines, "" for a pattern
	pattern attrPattern
	sets    []attrAssignment
}

type attrAssignment struct {
	name string
	attr Attr
}

// attrPattern is a path pattern in the form git matches it.
type attrPattern struct {
	text    string
	literal int  // bytes before the first wildcard
	folder  bool // ends in a slash: matches only folders, which have no attributes
	base    bool // has no slash: matches the last path component
}

const maxAttrLine = 2048 // git's ATTR_MAX_LINE_LENGTH

// parseAttributes reads an attributes file. Lines that git ignores with a
// warning are left out: malformed or overlong ones, negative patterns, and
// macros where they are not allowed.
func parseAttributes(data []byte, macros bool) []attrRule {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var rules []attrRule
	for line := range bytes.Lines(data) {
		line, _, _ = bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte{0})
		if rule, ok := parseAttrLine(string(line)); ok && (macros || rule.macro == "") {
			rules = append(rules, rule)
		}
	}
	return rules
}

const attrBlank = " \t\r\n"

func parseAttrLine(line string) (rule attrRule, ok bool) {
	s := strings.TrimLeft(line, attrBlank)
	if s == "" || s[0] == '#' || len(line) >= maxAttrLine {
		return rule, false
	}
	name, rest := cutAttrPattern(s)
	if after, isMacro := strings.CutPrefix(name, "[attr]"); isMacro && after != "" {
		rule.macro, _ = cutBlank(strings.TrimLeft(after, attrBlank))
		if !validAttrName(rule.macro) {
			return rule, false
		}
	} else if rule.pattern, ok = newAttrPattern(name); !ok {
		return rule, false
	}
	for rest = strings.TrimLeft(rest, attrBlank); rest != ""; rest = strings.TrimLeft(rest, attrBlank) {
		var word string
		word, rest = cutBlank(rest)
		a, ok := parseAssignment(word)
		if !ok {
			return rule, false
		}
		rule.sets = append(rule.sets, a)
	}
	return rule, true
}

// cutAttrPattern splits the pattern off, which may be quoted as a C string.
func cutAttrPattern(s string) (pattern, rest string) {
	if s[0] == '"' {
		if text, rest, ok := unquoteC(s); ok {
			return text, rest
		}
	}
	return cutBlank(s)
}

func cutBlank(s string) (word, rest string) {
	if i := strings.IndexAny(s, attrBlank); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func parseAssignment(word string) (a attrAssignment, ok bool) {
	name, value, hasValue := strings.Cut(word, "=")
	switch word[0] {
	case '-':
		a.name, a.attr.State = name[1:], AttrUnset
	case '!':
		a.name, a.attr.State = name[1:], AttrUnspecified
	default:
		a.name, a.attr.State = name, AttrSet
		if hasValue {
			a.attr = Attr{State: AttrValue, Value: value}
		}
	}
	return a, validAttrName(a.name) && !strings.HasPrefix(a.name, "builtin_")
}

func validAttrName(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isKeyByte(c) && c != '.' && c != '_' {
			return false
		}
	}
	return name != "" && name[0] != '-'
}

func newAttrPattern(s string) (attrPattern, bool) {
	if strings.HasPrefix(s, "!") {
		return attrPattern{}, false
	}
	p := attrPattern{}
	p.text, p.folder = strings.CutSuffix(s, "/")
	p.base = !strings.Contains(p.text, "/")
	if p.literal = strings.IndexAny(p.text, `*?[\`); p.literal < 0 {
		p.literal = len(p.text)
	}
	return p, true
}

// matches decides whether the pattern, from the attributes file of folder dir,
// covers a file's path. fold is core.ignoreCase.
func (p attrPattern) matches(path, dir string, fold bool) bool {
	if p.folder {
		return false
	}
	flags := 0
	if fold {
		flags = wildFold
	}
	if p.base {
		name := path[strings.LastIndexByte(path, '/')+1:]
		if p.literal == len(p.text) {
			return len(name) == len(p.text) && samePrefix(p.text, name, fold)
		}
		return wildmatch(p.text, name, flags)
	}
	if dir != "" {
		if len(path) <= len(dir) || path[len(dir)] != '/' || !samePrefix(dir, path, fold) {
			return false
		}
		path = path[len(dir)+1:]
	}
	text, literal := p.text, p.literal
	if strings.HasPrefix(text, "/") {
		text, literal = text[1:], literal-1
	}
	if len(path) < literal || !samePrefix(text[:literal], path, fold) {
		return false
	}
	if literal == len(text) {
		return len(path) == literal
	}
	from := wildFrom(literal)
	return wildmatch(text[from:], path[from:], flags|wildPath)
}
