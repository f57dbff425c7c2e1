package gitref

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// attributes keeps the attributes files that have been read; each is read once.
type attributes struct {
	mu     sync.Mutex
	common *commonAttrs
	dirs   map[string][]attrRule

	// standing says that a .gitattributes that was deleted from the worktree has
	// no rules, unless sparse-checkout left it out: git add -A drops it.
	standing bool
}

// commonAttrs are the rules that hold for every path.
type commonAttrs struct {
	below  [][]attrRule // built in, system, user, in rising precedence
	info   []attrRule   // highest
	macros map[string][]attrAssignment
	fold   bool
}

const maxAttrFile = 100 << 20 // git's ATTR_MAX_FILE_SIZE

// Attribute returns the state of one attribute of a file's path from the top, as
// git check-attr does: from .gitattributes files in the worktree (from the index
// where the worktree has none), info/attributes, core.attributesFile and the
// system's file.
func (r *Repo) Attribute(ctx context.Context, path, name string) (Attr, error) {
	all, err := r.pathAttributes(ctx, &r.attrs, path)
	return all[name], err
}

// pathAttributes evaluates all attributes of a path: files nearer to it and lines
// further down take precedence, info/attributes over all.
func (r *Repo) pathAttributes(ctx context.Context, a *attributes, path string) (map[string]Attr, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	if v := r.env.get("GIT_ATTR_SOURCE"); v != "" {
		return nil, unknownConversion("GIT_ATTR_SOURCE")
	}
	config, err := r.settings()
	if err != nil {
		return nil, err
	}
	if _, set := config.last("attr.tree"); set {
		return nil, unknownConversion("attr.tree")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	common, err := r.commonAttributes(ctx, config, a)
	if err != nil {
		return nil, err
	}
	w := attrWalk{path: path, common: common, found: map[string]Attr{}}
	w.apply(common.info, "")
	for dir := parentDir(path); ; dir = parentDir(dir) {
		rules, err := r.folderAttributes(ctx, a, dir)
		if err != nil {
			return nil, err
		}
		w.apply(rules, dir)
		if dir == "" {
			break
		}
	}
	for i := len(common.below) - 1; i >= 0; i-- {
		w.apply(common.below[i], "")
	}
	return w.found, nil
}

func parentDir(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// attrWalk collects the attributes of one path; the first assignment stands.
type attrWalk struct {
	path   string
	common *commonAttrs
	found  map[string]Attr
}

func (w *attrWalk) apply(rules []attrRule, dir string) {
	for i := len(rules) - 1; i >= 0; i-- {
		if rule := rules[i]; rule.macro == "" && rule.pattern.matches(w.path, dir, w.common.fold) {
			w.assign(rule.sets)
		}
	}
}

// assign takes assignments from the last on; setting a macro assigns what it
// stands for as well.
func (w *attrWalk) assign(sets []attrAssignment) {
	for i := len(sets) - 1; i >= 0; i-- {
		s := sets[i]
		if _, known := w.found[s.name]; known {
			continue
		}
		w.found[s.name] = s.attr
		if s.attr.State == AttrSet {
			w.assign(w.common.macros[s.name])
		}
	}
}

func (r *Repo) commonAttributes(ctx context.Context, config *config, a *attributes) (*commonAttrs, error) {
	if a.common != nil {
		return a.common, nil
	}
	c := &commonAttrs{below: [][]attrRule{parseAttributes([]byte("[attr]binary -diff -merge -text\n"), true)}}
	var err error
	if c.fold, err = config.boolean("core.ignorecase", false); err != nil {
		return nil, err
	}
	names, err := r.userAttributeFiles(config)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rules, err := readAttributes(name)
		if faultIn(err) == Denied {
			continue // git warns, and goes on without
		}
		if err != nil {
			return nil, err
		}
		c.below = append(c.below, rules)
	}
	if c.info, err = readAttributes(filepath.Join(r.loc.commonDir, "info", "attributes")); err != nil {
		return nil, err
	}
	top, err := r.folderAttributes(ctx, a, "")
	if err != nil {
		return nil, err
	}
	c.macros = map[string][]attrAssignment{}
	for _, rules := range append(c.below[:len(c.below):len(c.below)], top, c.info) {
		for _, rule := range rules {
			if rule.macro != "" {
				c.macros[rule.macro] = rule.sets
			}
		}
	}
	a.common = c
	return c, nil
}

// userAttributeFiles are the system's and the user's files, in rising precedence.
func (r *Repo) userAttributeFiles(config *config) ([]string, error) {
	skip, err := envBool(r.env.get, "GIT_ATTR_NOSYSTEM", false)
	if err != nil {
		return nil, err
	}
	var names []string
	if !skip {
		names = append(names, r.env.systemFile("gitattributes"))
	}
	v, set := config.last("core.attributesfile")
	switch {
	case set && v.implicit:
		return nil, badValue("core.attributesfile")
	case set:
		name, ok := expandUser(v.value, r.env)
		if !ok {
			return nil, badValue("core.attributesfile")
		}
		names = append(names, absolute(r.loc.cwd, name))
	default:
		if name := r.env.xdgFile("attributes"); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

func readAttributes(name string) ([]attrRule, error) {
	data, err := readRegular(name, maxAttrFile)
	switch {
	case absent(err), errors.Is(err, errNotRegular), isFolder(name):
		return nil, nil
	case err != nil:
		return nil, fileError(err, filepath.Base(name))
	}
	return parseAttributes(data, true), nil
}

// folderAttributes are the rules of a worktree folder's .gitattributes.
func (r *Repo) folderAttributes(ctx context.Context, a *attributes, dir string) ([]attrRule, error) {
	if r.loc.top == "" {
		return nil, nil
	}
	if rules, known := a.dirs[dir]; known {
		return rules, nil
	}
	data, err := r.attributesOf(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	if a.dirs == nil {
		a.dirs = map[string][]attrRule{}
	}
	a.dirs[dir] = parseAttributes(data, dir == "")
	return a.dirs[dir], nil
}

// attributesOf reads a .gitattributes from the worktree, where git follows no
// link of that name, or else from the index.
func (r *Repo) attributesOf(ctx context.Context, a *attributes, dir string) ([]byte, error) {
	path := ".gitattributes"
	if dir != "" {
		path = dir + "/" + path
	}
	name := filepath.Join(r.loc.top, filepath.FromSlash(path))
	st, err := os.Lstat(name)
	if err == nil && st.Mode()&fs.ModeSymlink == 0 {
		data, err := readRegular(name, maxAttrFile)
		if err == nil {
			return data, nil
		}
		if !absent(err) && !errors.Is(err, errNotRegular) && !isFolder(name) {
			return nil, fileError(err, path)
		}
	}
	if a.standing {
		entries, err := r.Index(ctx, path)
		if err != nil || len(entries) == 0 || !entries[0].SkipWorktree {
			return nil, err
		}
	}
	data, _, err := r.indexBlob(ctx, path, maxAttrFile)
	return data, err
}

// indexBlob reads the blob the index holds for a path, of a conflict "ours".
func (r *Repo) indexBlob(ctx context.Context, path string, limit int64) (data []byte, found bool, err error) {
	entries, err := r.Index(ctx, path)
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries {
		if e.Stage != 0 && e.Stage != 2 || e.Mode == ModeGitlink || e.Mode == ModeTree {
			continue
		}
		obj, err := r.objects.read(e.OID, limit)
		return obj.Data, err == nil, err
	}
	return nil, false, nil
}

func unknownConversion(subject string) *Error {
	return &Error{Fault: UnknownConversion, Subject: subject, Proof: "it names a conversion that is not computed here"}
}
