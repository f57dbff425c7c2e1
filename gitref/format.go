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
	version        int64
	bare           tristate
	workTree       string
	worktreeConfig bool
	promisor       bool
	hashSize       int // bytes of an object id
	objectFormat   string
	refStorage     string
	stated         []string // extensions that only a version 1 may have
	unknown        []string // extensions that no git known here has
	foreign        []string // what of both is not read natively
}

// unstated is the version of a config that states none, whose layout git takes
// for the oldest whatever else it says.
const unstated = -1

// readFormat reads the layout from the repository's config alone, as git does
// before it reads any other configuration.
func readFormat(l *location) (*repoFormat, error) {
	f := &repoFormat{version: unstated, hashSize: sha1Size}
	if err := f.readFile(filepath.Join(l.commonDir, "config"), f.variable); err != nil {
		return nil, err
	}
	if f.version > 1 {
		return nil, &Error{Fault: Unsupported, Subject: "core.repositoryformatversion=" + strconv.FormatInt(f.version, 10), Proof: "the repository is of a version no git that is known here reads"}
	}
	if err := f.settle(); err != nil {
		return nil, err
	}
	switch {
	case f.version == unstated:
		f.bare, f.workTree, f.worktreeConfig = triUnset, "", false
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

// extension takes one extensions.* variable.
func (f *repoFormat) extension(v configVar) error {
	switch name := strings.TrimPrefix(v.key, "extensions."); name {
	case "noop":
	case "partialclone":
		f.promisor = true
	case "preciousobjects", "worktreeconfig", "relativeworktrees", "submodulepathconfig":
		on, ok := v.boolValue()
		if !ok {
			return badValue(v.key)
		}
		switch name {
		case "worktreeconfig":
			f.worktreeConfig = on
		case "relativeworktrees", "submodulepathconfig":
			f.stated = append(f.stated, v.key)
		}
	case "noop-v1":
		f.stated = append(f.stated, v.key)
	case "objectformat", "refstorage", "compatobjectformat":
		return f.storage(v, name)
	default:
		f.unknown = append(f.unknown, v.key)
	}
	return nil
}

// storage takes an extension that names a format; of several values the last
// counts.
func (f *repoFormat) storage(v configVar, name string) error {
	if v.value == "" {
		return badValue(v.key)
	}
	f.stated = append(f.stated, v.key+"="+v.value)
	switch name {
	case "objectformat":
		f.objectFormat = v.value
	case "refstorage":
		f.refStorage = v.value
	default:
		f.foreign = append(f.foreign, v.key+"="+v.value)
	}
	return nil
}

// settle decides what all extensions together come to. A version 0 must not have
// those of version 1, which an older git, unlike others, passes over; unknown
// ones count from version 1 on.
func (f *repoFormat) settle() error {
	switch {
	case f.version == unstated:
		f.objectFormat, f.refStorage, f.foreign = "", "", nil
		return nil
	case f.version < 1 && len(f.stated) > 0:
		return &Error{Fault: Unsupported, Subject: f.stated[0], Proof: "only a repository of version 1 may have this extension, and this one is of version 0"}
	case f.version < 1:
		return nil
	}
	switch f.objectFormat {
	case "", "sha1":
	case "sha256":
		f.hashSize = sha256Size
	default:
		f.foreign = append(f.foreign, "extensions.objectformat="+f.objectFormat)
	}
	switch f.refStorage {
	case "", "files", "reftable":
	default:
		f.foreign = append(f.foreign, "extensions.refstorage="+f.refStorage)
	}
	f.foreign = append(f.foreign, f.unknown...)
	return nil
}

// reftable reports whether refs are kept in tables, where a ref file means
// nothing.
func (f *repoFormat) reftable() bool { return f.refStorage == "reftable" }

// checkBackend refuses a ref storage of the environment's own choice, which only
// newer gits take over, unless it says what the repository says.
func (f *repoFormat) checkBackend(env *environment) error {
	const name = "GIT_REFERENCE_BACKEND"
	own := f.refStorage
	if own == "" {
		own = "files"
	}
	if named := env.get(name); named != "" && named != own {
		return &Error{Fault: Unsupported, Subject: name, Proof: "the environment names another ref storage than the repository"}
	}
	return nil
}

// extensions lists what a git may refuse the repository for, "" for nothing.
func (f *repoFormat) extensions() string {
	all := slices.Concat(f.stated, f.unknown)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// syntaxFault positions the syntax error of a configuration file.
func syntaxFault(err error, name string) error {
	s, ok := errors.AsType[*configSyntaxError](err)
	if !ok {
		return err
	}
	return &Error{Fault: Corrupt, Subject: filepath.Base(name) + ":" + strconv.Itoa(s.line), Proof: "the line is no git configuration", Err: err}
}
