package gitref

import (
	"errors"
	"path/filepath"
	"strings"
)

const (
	// maxAlternateDepth is how deep git follows alternates of alternates.
	maxAlternateDepth = 5
	maxAlternates     = 1024
	maxAlternatesFile = 1 << 20
)

var (
	errAlternates     = errors.New("an alternate object store that is named cannot be read")
	errManyAlternates = errors.New("more alternate object stores are named than are followed")
)

// alternates collects the object directories of a store: its own first, then
// those of the environment, then those that info/alternates files name.
type alternates struct {
	dirs []string
	seen map[string]bool
	errs []error
}

func listObjectDirs(c storeConfig) ([]string, []error) {
	a := &alternates{seen: map[string]bool{}}
	own, _ := a.add(c.objectDir)
	for _, dir := range c.alternates {
		if real, new := a.add(dir); new {
			a.follow(dir, real, 1)
		}
	}
	a.follow(c.objectDir, own, 0)
	return a.dirs, a.errs
}

// add notes dir once, whatever links lead to it. It returns where they do, and
// whether it is new.
func (a *alternates) add(dir string) (real string, new bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		a.fail(err)
		return dir, false
	}
	if a.seen[real] {
		return real, false
	}
	if len(a.dirs) == maxAlternates {
		a.fail(errManyAlternates)
		return real, false
	}
	a.seen[real] = true
	a.dirs = append(a.dirs, dir)
	return real, true
}

func (a *alternates) fail(err error) {
	if vanished(err) {
		err = errAlternates
	}
	a.errs = append(a.errs, err)
}

// follow adds what dir's info/alternates names, going from where links lead to; depth
// counts the files between it and the repository.
func (a *alternates) follow(dir, real string, depth int) {
	b, err := readRegular(filepath.Join(dir, "info", "alternates"), maxAlternatesFile)
	if vanished(err) {
		return
	}
	if err != nil {
		a.fail(err)
		return
	}
	for _, name := range parseAlternates(string(b)) {
		if depth > maxAlternateDepth {
			a.fail(errManyAlternates)
			return
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(real, name)
		}
		if real, new := a.add(name); new {
			a.follow(name, real, depth+1)
		}
	}
}

// parseAlternates returns the paths of an info/alternates file: one a line,
// `#` starting a comment line, a path in double quotes unquoted as in C
// (gitrepository-layout(5); the rules are those of git's alt_odb parser).
func parseAlternates(text string) []string {
	var paths []string
	for text != "" {
		var path string
		path, text = nextAlternate(text)
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

func nextAlternate(text string) (path, rest string) {
	if text[0] == '"' {
		if path, rest, ok := unquoteC(text); ok {
			// git passes over one byte here, whatever it is.
			return path, rest[min(1, len(rest)):]
		}
	}
	line, rest, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "#") {
		return "", rest
	}
	return line, rest
}

// unquoteC reads a string that git's quote_c_style wrote, and returns what
// stands after its closing quote.
func unquoteC(s string) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			c, n := unescapeC(s[i+1:])
			if n == 0 {
				return "", "", false
			}
			b.WriteByte(c)
			i += n
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// unescapeC decodes what follows a backslash; n is 0 when it is no escape.
func unescapeC(s string) (c byte, n int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(`abfnrtv"\`, s[0]); i >= 0 {
		return "\a\b\f\n\r\t\v\"\\"[i], 1
	}
	if len(s) < 3 || s[0] > '3' {
		return 0, 0
	}
	for _, d := range []byte(s[:3]) {
		if d < '0' || d > '7' {
			return 0, 0
		}
	}
	return (s[0]-'0')<<6 | (s[1]-'0')<<3 | (s[2] - '0'), 3
}
