package gitref

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tristate is a boolean that may be unset.
type tristate uint8

const (
	triUnset tristate = iota
	triNo
	triYes
)

// repoFormat is what a repository's own config says of its layout
// (gitrepository-layout, "repository-version").
type repoFormat struct {
	version        int64 // -1 when not stated
	bare           tristate
	workTree       string
	worktreeConfig bool
	promisor       bool
	hashSize       int // bytes of an object id
	foreign        []string
	lateOnly       []string // extensions that need version 1
	reftable       bool
}

// readFormat reads the layout from the repository's config alone, as git does
// before it reads any other configuration.
func readFormat(l *location) (*repoFormat, error) {
	f := &repoFormat{version: -1, hashSize: 20}
	if err := f.readFile(filepath.Join(l.commonDir, "config"), f.variable); err != nil {
		return nil, err
	}
	if f.version > 1 {
		return nil, &Error{Fault: Unsupported, Subject: "core.repositoryformatversion=" + strconv.FormatInt(f.version, 10), Proof: "the repository is of a version no git that is known here reads"}
	}
	if f.version < 1 {
		// Unknown extensions count from version 1 on; those that a version 0
		// must not have are for the installed git to judge.
		f.foreign = f.lateOnly
	}
	switch {
	case f.version < 0:
		f.bare, f.workTree = triUnset, ""
		return f, nil
	case f.worktreeConfig:
		return f, f.readFile(filepath.Join(l.gitDir, "config.worktree"), f.worktreeVariable)
	case l.commonDir != l.gitDir:
		f.bare, f.workTree = triUnset, ""
	}
	return f, nil
}

func (f *repoFormat) readFile(name string, take func(configVar) error) error {
	data, err := readRegular(name, maxConfigFile)
	if absent(err) {
		return nil
	}
	if err != nil {
		return fileError(err, filepath.Base(name))
	}
	err = parseConfig(data, func(key, value string, implicit bool) error {
		return take(configVar{key: key, value: value, implicit: implicit})
	})
	return syntaxFault(err, name)
}

func (f *repoFormat) variable(v configVar) error {
	switch {
	case v.key == "core.repositoryformatversion":
		n, ok := parseGitInt(v.value)
		if !ok || v.implicit {
			return badValue(v.key)
		}
		f.version = n
	case strings.HasPrefix(v.key, "extensions."):
		return f.extension(v)
	case strings.HasPrefix(v.key, "remote.") && strings.HasSuffix(v.key, ".promisor"):
		on, _ := v.boolValue()
		f.promisor = f.promisor || on
	default:
		return f.worktreeVariable(v)
	}
	return nil
}

func (f *repoFormat) worktreeVariable(v configVar) error {
	switch v.key {
	case "core.bare":
		on, ok := v.boolValue()
		if !ok {
			return badValue(v.key)
		}
		f.bare = triNo
		if on {
			f.bare = triYes
		}
	case "core.worktree":
		if v.implicit {
			return badValue(v.key)
		}
		f.workTree = v.value
	}
	return nil
}

// extension takes one extensions.* variable; what is not read natively is noted
// by name.
func (f *repoFormat) extension(v configVar) error {
	name := strings.TrimPrefix(v.key, "extensions.")
	switch name {
	case "noop":
		return nil
	case "preciousobjects", "worktreeconfig":
		on, ok := v.boolValue()
		if !ok {
			return badValue(v.key)
		}
		if name == "worktreeconfig" {
			f.worktreeConfig = on
		}
		return nil
	case "partialclone":
		f.promisor = true
		return nil
	case "noop-v1", "relativeworktrees":
		f.lateOnly = append(f.lateOnly, v.key)
		return nil
	case "objectformat", "refstorage", "compatobjectformat":
		f.lateOnly = append(f.lateOnly, v.key+"="+v.value)
	}
	f.storage(v, name)
	return nil
}

// knownStorage reports whether every extension that is not read natively bears
// on objects alone, so that refs and index still are.
func (f *repoFormat) knownStorage() bool {
	return !slices.ContainsFunc(f.foreign, func(s string) bool { return s != "extensions.objectformat=sha256" })
}

func (f *repoFormat) storage(v configVar, name string) {
	spelled := v.key + "=" + v.value
	switch {
	case name == "objectformat" && v.value == "sha1", name == "refstorage" && v.value == "files":
		return
	case name == "objectformat" && v.value == "sha256":
		f.hashSize = 32
	case name == "refstorage" && v.value == "reftable":
		f.reftable = true
	case name != "objectformat" && name != "refstorage" && name != "compatobjectformat":
		spelled = v.key
	}
	if !slices.Contains(f.foreign, spelled) {
		f.foreign = append(f.foreign, spelled)
	}
}

// syntaxFault positions the syntax error of a configuration file.
func syntaxFault(err error, name string) error {
	s, ok := errors.AsType[*configSyntaxError](err)
	if !ok {
		return err
	}
	return &Error{Fault: Corrupt, Subject: filepath.Base(name) + ":" + strconv.Itoa(s.line), Proof: "the line is no git configuration", Err: err}
}
