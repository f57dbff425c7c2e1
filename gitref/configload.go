package gitref

import (
	"path/filepath"
	"strconv"
	"strings"
)

const (
	maxConfigFile   = 16 << 20
	maxConfigNested = 10      // git's MAX_INCLUDE_DEPTH
	maxConfigVars   = 1 << 20 // bounds what files including each other can add up to
)

// config is every variable in force, later ones overriding earlier ones.
type config struct{ vars []configVar }

// last returns the value in force of a key in canonical spelling.
func (c *config) last(key string) (configVar, bool) {
	for i := len(c.vars) - 1; i >= 0; i-- {
		if c.vars[i].key == key {
			return c.vars[i], true
		}
	}
	return configVar{}, false
}

// boolean returns a boolean key; a value that is none is an error.
func (c *config) boolean(key string, fallback bool) (bool, error) {
	v, found := c.last(key)
	if !found {
		return fallback, nil
	}
	b, ok := v.boolValue()
	if !ok {
		return false, badValue(key)
	}
	return b, nil
}

func badValue(key string) *Error {
	return &Error{Fault: Corrupt, Subject: key, Proof: "the configuration variable holds a value git refuses"}
}

// configReader gathers configuration in git's order of precedence.
type configReader struct {
	env     *environment
	gitDirs []string      // spellings of the git folder for includeIf, none before it is trusted
	branch  func() string // the branch HEAD points to, "" for none
	urls    []string      // remote URLs for includeIf hasconfig, from an earlier pass
	asksURL bool          // an includeIf hasconfig was met
	own     bool          // the repository's own files are being read
	depth   int
	out     []configVar
}

// userFiles reads what a repository can't change: system and global files.
func (r *configReader) userFiles() error {
	skip, err := envBool(r.env.get, "GIT_CONFIG_NOSYSTEM", false)
	if err != nil {
		return err
	}
	if !skip {
		name := r.env.get("GIT_CONFIG_SYSTEM")
		if name == "" {
			name = r.env.systemFile("gitconfig")
		}
		if err := r.file(name, true); err != nil {
			return err
		}
	}
	for _, name := range r.globalFiles() {
		if err := r.file(name, true); err != nil {
			return err
		}
	}
	return nil
}

func (r *configReader) globalFiles() []string {
	if name := r.env.get("GIT_CONFIG_GLOBAL"); name != "" {
		return []string{name}
	}
	var names []string
	if name := r.env.xdgFile("config"); name != "" {
		names = append(names, name)
	}
	if home := r.env.get("HOME"); home != "" {
		names = append(names, filepath.Join(home, ".gitconfig"))
	}
	return names
}

// file reads one file; a missing one adds nothing, nor does an unreadable one
// where lenient (git's ACCESS_EACCES_OK).
func (r *configReader) file(name string, lenient bool) error {
	data, err := readConfigFile(name)
	if err != nil {
		if absent(err) || lenient && deniedError(err) {
			return nil
		}
		return fileError(err, filepath.Base(name))
	}
	return r.parse(data, name)
}

// readConfigFile also accepts a character device, which GIT_CONFIG_GLOBAL=/dev/null
// is the usual way to say "none" by.
func readConfigFile(name string) ([]byte, error) {
	if name == "/dev/null" {
		return nil, nil
	}
	return readRegular(name, maxConfigFile)
}

func (r *configReader) parse(data []byte, name string) error {
	dir := filepath.Dir(name)
	err := parseConfig(data, func(key, value string, implicit bool) error {
		return r.variable(configVar{key: key, value: value, implicit: implicit, origin: dir, own: r.own})
	})
	return syntaxFault(err, name)
}

// variable takes one variable and follows it where it is an include.
func (r *configReader) variable(v configVar) error {
	if len(r.out) >= maxConfigVars {
		return &Error{Fault: OverLimit, Subject: "config", Proof: "the configuration has more variables than the bound"}
	}
	r.out = append(r.out, v)
	if v.key == "include.path" {
		return r.include(v)
	}
	cond, ok := strings.CutPrefix(v.key, "includeif.")
	if !ok {
		return nil
	}
	if cond, ok = strings.CutSuffix(cond, ".path"); !ok {
		return nil
	}
	met, err := r.condition(cond, v.origin)
	if err != nil || !met {
		return err
	}
	return r.include(v)
}

func (r *configReader) include(v configVar) error {
	if v.implicit {
		return badValue(v.key)
	}
	name, ok := expandUser(v.value, r.env)
	if !ok {
		return badValue(v.key)
	}
	if !filepath.IsAbs(name) {
		if v.origin == "" {
			return badValue(v.key)
		}
		name = filepath.Join(v.origin, name)
	}
	if r.depth++; r.depth > maxConfigNested {
		return &Error{Fault: Corrupt, Subject: v.key, Proof: "configuration files include each other deeper than git allows"}
	}
	defer func() { r.depth-- }()
	return r.file(name, false)
}

// condition decides an includeIf condition as git-config(1), "Conditional
// includes", says; an unknown one is not met.
func (r *configReader) condition(cond, origin string) (bool, error) {
	kind, pattern, ok := strings.Cut(cond, ":")
	if !ok {
		return false, nil
	}
	switch kind {
	case "gitdir":
		return r.gitDirMatches(pattern, origin, false)
	case "gitdir/i":
		return r.gitDirMatches(pattern, origin, true)
	case "onbranch":
		branch := r.branch()
		return branch != "" && wildmatch(dirPattern(pattern), branch, wildPath), nil
	case "hasconfig":
		return r.urlMatches(pattern), nil
	}
	return false, nil
}

func (r *configReader) urlMatches(pattern string) bool {
	pattern, ok := strings.CutPrefix(pattern, "remote.*.url:")
	if !ok {
		return false
	}
	r.asksURL = true
	for _, url := range r.urls {
		if wildmatch(pattern, url, wildPath) {
			return true
		}
	}
	return false
}

// dirPattern makes a pattern that ends in a slash match all below it.
func dirPattern(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}

// gitDirMatches compares the git folder with a pattern. The folder of a
// configuration file that "./" stands for is compared literally.
func (r *configReader) gitDirMatches(pattern, origin string, fold bool) (bool, error) {
	pattern, literal, err := r.gitDirPattern(pattern, origin)
	if err != nil {
		return false, err
	}
	flags := wildPath
	if fold {
		flags |= wildFold
	}
	for _, dir := range r.gitDirs {
		dir = filepath.ToSlash(dir)
		if len(dir) < literal || !samePrefix(pattern[:literal], dir, fold) {
			continue
		}
		if wildmatch(pattern[literal:], dir[literal:], flags) {
			return true, nil
		}
	}
	return false, nil
}

func (r *configReader) gitDirPattern(pattern, origin string) (string, int, error) {
	full, ok := expandUser(pattern, r.env)
	if !ok {
		full = pattern
	}
	literal := 0
	switch {
	case strings.HasPrefix(full, "./"):
		if origin == "" {
			return "", 0, badValue("includeif.gitdir")
		}
		dir, err := filepath.EvalSymlinks(origin)
		if err != nil {
			return "", 0, badValue("includeif.gitdir")
		}
		full, literal = filepath.ToSlash(dir)+full[1:], len(filepath.ToSlash(dir))+1
	case !filepath.IsAbs(full):
		full = "**/" + full
	}
	return dirPattern(full), literal, nil
}

// environmentVars reads the variables given for one run: GIT_CONFIG_COUNT with
// its keys and values, then GIT_CONFIG_PARAMETERS, the form of "git -c".
func (r *configReader) environmentVars() error {
	if err := r.countedVars(); err != nil {
		return err
	}
	params, ok := parseParameters(r.env.get("GIT_CONFIG_PARAMETERS"))
	if !ok {
		return badValue("GIT_CONFIG_PARAMETERS")
	}
	for _, v := range params {
		if err := r.variable(v); err != nil {
			return err
		}
	}
	return nil
}

// countedConfig is the number GIT_CONFIG_COUNT holds.
func countedConfig(env *environment) (int, error) {
	count := env.get("GIT_CONFIG_COUNT")
	if count == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(count, 10, 31)
	if err != nil || n > maxConfigVars {
		return 0, badValue("GIT_CONFIG_COUNT")
	}
	return int(n), nil
}

func (r *configReader) countedVars() error {
	n, err := countedConfig(r.env)
	if err != nil {
		return err
	}
	for i := range n {
		name := "GIT_CONFIG_KEY_" + strconv.Itoa(i)
		key, ok := canonicalKey(r.env.get(name))
		if !ok {
			return badValue(name)
		}
		value := r.env.get("GIT_CONFIG_VALUE_" + strconv.Itoa(i))
		if err := r.variable(configVar{key: key, value: value}); err != nil {
			return err
		}
	}
	return nil
}

// parseParameters reads shell-quoted words 'key'='value', 'key' (true) or the
// older 'key=value'.
func parseParameters(s string) ([]configVar, bool) {
	var vars []configVar
	for s = strings.TrimLeft(s, " \t\n"); s != ""; s = strings.TrimLeft(s, " \t\n") {
		word, rest, ok := shellWord(s)
		if !ok {
			return nil, false
		}
		v := configVar{key: word, implicit: true}
		switch {
		case rest != "" && rest[0] == '=':
			v.implicit = false
			v.value, rest, _ = shellWord(rest[1:])
		case strings.Contains(word, "="):
			v.implicit = false
			v.key, v.value, _ = strings.Cut(word, "=")
		}
		if v.key, ok = canonicalKey(v.key); !ok {
			return nil, false
		}
		if s = rest; s != "" && s[0] != ' ' && s[0] != '\t' && s[0] != '\n' {
			return nil, false
		}
		vars = append(vars, v)
	}
	return vars, true
}

// shellWord reads one single-quoted word. A quote and an exclamation mark stand in
// it between quotes, behind a backslash.
func shellWord(s string) (word, rest string, ok bool) {
	if s == "" || s[0] != '\'' {
		return "", s, false
	}
	for {
		part, after, found := strings.Cut(s[1:], "'")
		if !found {
			return "", s, false
		}
		word += part
		if len(after) < 3 || after[0] != '\\' || after[1] != '\'' && after[1] != '!' || after[2] != '\'' {
			return word, after, true
		}
		word += after[1:2]
		s = after[2:]
	}
}

// remoteURLs are the values an includeIf hasconfig condition is compared with.
func remoteURLs(vars []configVar) []string {
	var urls []string
	for _, v := range vars {
		if strings.HasPrefix(v.key, "remote.") && strings.HasSuffix(v.key, ".url") {
			urls = append(urls, v.value)
		}
	}
	return urls
}
