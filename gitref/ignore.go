package gitref

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
)

// ignorePattern is one line of an ignore file, in the form git matches it
// (gitignore(5), "PATTERN FORMAT").
type ignorePattern struct {
	text    string // without the leading '!' and the trailing '/'
	line    int    // from 1
	negated bool
	folder  bool       // ended in '/': matches only folders
	base    bool       // has no other '/': matches the last path component
	suffix  bool       // '*' and then no wildcard: matches by its end
	literal int        // bytes before the first wildcard
	items   []wildItem // what follows them, compiled
	never   bool       // malformed: matches nothing
}

// ignoreList is the patterns of one ignore file.
type ignoreList struct {
	source   string // the file, as git check-ignore names it
	dir      string // the folder it stands in, from the top; "" for the common ones
	patterns []ignorePattern
}

// ignoreScope is the ignore files that bear on what stands in a folder, the
// nearest first.
type ignoreScope struct {
	list  *ignoreList
	outer *ignoreScope
	fold  bool // core.ignoreCase
}

// maxIgnoreFile bounds one ignore file, as git bounds attributes files.
const maxIgnoreFile = 100 << 20

// parseIgnore reads the lines of an ignore file.
func parseIgnore(data []byte, source, dir string, fold bool) *ignoreList {
	list := &ignoreList{source: source, dir: dir}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		line, _, _ = bytes.Cut(bytes.TrimSuffix(line, []byte("\r")), []byte{0})
		p := newIgnorePattern(trimSpaces(string(line)), fold)
		p.line = number
		list.patterns = append(list.patterns, p)
	}
	return list
}

// trimSpaces removes the spaces at the end of a line that no backslash quotes. A
// backslash at the very end keeps the line as it is.
func trimSpaces(line string) string {
	end := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end < 0 {
				end = i
			}
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = -1
	}
	if end < 0 {
		return line
	}
	return line[:end]
}

func newIgnorePattern(text string, fold bool) ignorePattern {
	p := ignorePattern{}
	text, p.negated = strings.CutPrefix(text, "!")
	p.suffix = strings.HasPrefix(text, "*") && !strings.ContainsAny(text[1:], wildBytes)
	p.text, p.folder = strings.CutSuffix(text, "/")
	p.base = !strings.Contains(p.text, "/")
	if p.literal = strings.IndexAny(p.text, wildBytes); p.literal < 0 {
		p.literal = len(p.text)
	}
	p.compile(fold)
	return p
}

const wildBytes = `*?[\`

// compile prepares the part that is matched with wildcards.
func (p *ignorePattern) compile(fold bool) {
	rest := p.text
	if !p.base {
		if trimmed, rooted := strings.CutPrefix(p.text, "/"); rooted {
			p.text = trimmed
			p.literal--
		}
		rest = p.text[wildFrom(p.literal):]
	}
	if p.literal == len(p.text) || p.base && p.suffix {
		return
	}
	items, ok := compileWild(rest, p.flags(fold))
	p.items, p.never = items, !ok
}

func (p *ignorePattern) flags(fold bool) int {
	flags := 0
	if fold {
		flags |= wildFold
	}
	if !p.base {
		flags |= wildPath
	}
	return flags
}

// matches decides whether the pattern, from an ignore file of folder dir, covers
// a path of which the last component begins at name.
func (p *ignorePattern) matches(path string, name int, dir string, folder, fold bool) bool {
	if p.folder && !folder || p.never {
		return false
	}
	if p.base {
		return p.matchesName(path[name:], fold)
	}
	if dir != "" {
		if len(path) <= len(dir) || path[len(dir)] != '/' || !samePrefix(dir, path, fold) {
			return false
		}
		path = path[len(dir)+1:]
	}
	if len(path) < p.literal || !samePrefix(p.text[:p.literal], path, fold) {
		return false
	}
	if p.literal == len(p.text) {
		return len(path) == p.literal
	}
	return matchWild(p.items, path[wildFrom(p.literal):], p.flags(fold))
}

// wildFrom is where matching with wildcards begins behind a literal start: at its
// last byte, so that "**" behind anything but a slash is a plain "*", as
// gitignore(5) says and gits before 2.52 did not do.
func wildFrom(literal int) int { return max(literal-1, 0) }

func (p *ignorePattern) matchesName(name string, fold bool) bool {
	switch {
	case p.literal == len(p.text):
		return len(name) == len(p.text) && samePrefix(p.text, name, fold)
	case p.suffix:
		end := p.text[1:]
		return len(name) >= len(end) && samePrefix(end, name[len(name)-len(end):], fold)
	}
	return matchWild(p.items, name, p.flags(fold))
}

// decide returns the last pattern of the nearest file that covers a path, nil
// when none does. The folders above it are not ignored.
func (s *ignoreScope) decide(path string, folder bool) (*ignoreList, *ignorePattern) {
	name := strings.LastIndexByte(path, '/') + 1
	for ; s != nil; s = s.outer {
		for i := len(s.list.patterns) - 1; i >= 0; i-- {
			if p := &s.list.patterns[i]; p.matches(path, name, s.list.dir, folder, s.fold) {
				return s.list, p
			}
		}
	}
	return nil, nil
}

// ignores reports whether a path is ignored, given that the folders above it are
// not.
func (s *ignoreScope) ignores(path string, folder bool) bool {
	_, p := s.decide(path, folder)
	return p != nil && !p.negated
}

// within is the scope of a folder that has the ignore file data.
func (s *ignoreScope) within(data []byte, dir string, fold bool) *ignoreScope {
	if len(data) == 0 {
		return s
	}
	source := ".gitignore"
	if dir != "" {
		source = dir + "/" + source
	}
	list := parseIgnore(data, source, dir, fold)
	if len(list.patterns) == 0 {
		return s
	}
	return &ignoreScope{list: list, outer: s, fold: fold}
}

// commonIgnores are the rules that hold in every folder: info/exclude, and below
// it core.excludesFile.
func (r *Repo) commonIgnores() (*ignoreScope, error) {
	config, err := r.settings()
	if err != nil {
		return nil, err
	}
	fold, err := config.boolean("core.ignorecase", false)
	if err != nil {
		return nil, err
	}
	user, err := r.excludesFile(config)
	if err != nil {
		return nil, err
	}
	var scope *ignoreScope
	for _, file := range []struct{ name, source string }{
		{user, user},
		{filepath.Join(r.loc.commonDir, "info", "exclude"), ".git/info/exclude"},
	} {
		data, err := readIgnore(file.name)
		if file.name == user && faultIn(err) == Denied {
			continue // git warns, and goes on without
		}
		if err != nil {
			return nil, err
		}
		if list := parseIgnore(data, file.source, "", fold); len(list.patterns) > 0 {
			scope = &ignoreScope{list: list, outer: scope, fold: fold}
		}
	}
	return scope, nil
}

// excludesFile is the user's own ignore file, "" for none.
func (r *Repo) excludesFile(config *config) (string, error) {
	v, set := config.last("core.excludesfile")
	switch {
	case !set:
		return r.env.xdgFile("ignore"), nil
	case v.implicit:
		return "", badValue("core.excludesfile")
	case v.value == "":
		return "", nil
	}
	name, ok := expandUser(v.value, r.env)
	if !ok {
		return "", badValue("core.excludesfile")
	}
	return absolute(r.loc.cwd, name), nil
}

// readIgnore reads an ignore file outside the worktree; what is no regular file
// has no rules.
func readIgnore(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	data, err := readRegular(name, maxIgnoreFile)
	switch {
	case err == nil:
		return data, nil
	case absent(err), bareCause(err) == errNotRegular, isFolder(name):
		return nil, nil
	}
	return nil, fileError(err, filepath.Base(name))
}

// folderIgnores reads the .gitignore of a folder of the worktree, of which git
// follows no link. Where sparse-checkout leaves it out, the index has it.
func (r *Repo) folderIgnores(d *folder, present bool, staged *IndexEntry) ([]byte, error) {
	if present {
		data, err := d.readIgnore()
		if data != nil || err != nil {
			return data, err
		}
	}
	if staged == nil || !staged.SkipWorktree || staged.Stage != 0 || staged.Mode == ModeGitlink {
		return nil, nil
	}
	obj, err := r.objects.read(staged.OID, maxIgnoreFile)
	return obj.Data, err
}

// readIgnore reads the folder's own .gitignore, nil when it is no regular file.
func (d *folder) readIgnore() ([]byte, error) {
	const name = ".gitignore"
	st, err := d.lstat(name)
	if err != nil || st.typ&fs.ModeType != 0 {
		if err == nil || absent(err) {
			return nil, nil
		}
		return nil, fileError(err, name)
	}
	f, err := d.open(name)
	if err != nil {
		return nil, fileError(err, name)
	}
	defer f.Close()
	data, err := readOpen(f, st.size, maxIgnoreFile)
	if err != nil {
		return nil, fileError(err, name)
	}
	return data, nil
}
