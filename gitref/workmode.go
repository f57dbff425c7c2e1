package gitref

import (
	"io/fs"
	"os"
)

// modeRules say which modes git add records (git-config(1): core.fileMode,
// core.symlinks, core.sparseCheckout).
type modeRules struct {
	exec   bool // the executable bit counts
	links  bool // the worktree can hold symbolic links
	sparse bool // a file that stands where sparse-checkout left it out counts
}

func (c *config) modeRules() (m modeRules, err error) {
	m.exec = c.fileMode()
	if m.links, err = c.boolean("core.symlinks", true); err != nil {
		return m, err
	}
	if m.sparse, err = c.boolean("core.sparsecheckout", false); err != nil || !m.sparse {
		return m, err
	}
	expected, err := c.boolean("sparse.expectfilesoutsideofpatterns", false)
	m.sparse = !expected
	return m, err
}

// fileMode is core.fileMode; a value that is no boolean counts as unset.
func (c *config) fileMode() bool {
	on, err := c.boolean("core.filemode", true)
	return err != nil || on
}

// of is the mode of a file in the worktree, given that of its index entry or 0; 0
// for what git cannot store.
func (m modeRules) of(st fileStat, staged Mode) Mode {
	switch {
	case st.typ == fs.ModeSymlink:
		return ModeSymlink
	case st.typ != 0:
		return 0
	case !m.links && staged == ModeSymlink:
		return ModeSymlink
	case !m.exec && staged&0o170000 == 0o100000:
		return canonicalMode(uint32(staged))
	case m.exec && st.exec:
		return ModeExecutable
	}
	return ModeFile
}

// localVars are the environment variables that mean one repository and must not
// reach another (git rev-parse --local-env-vars, without those of configuration).
var localVars = [...]string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
}

// NestedEnv returns the environment in which a repository inside another one is
// opened. getenv may be nil for os.Getenv.
func NestedEnv(getenv func(string) string) func(string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	return func(name string) string {
		for _, v := range localVars {
			if name == v {
				return ""
			}
		}
		return getenv(name)
	}
}

// SparseCheckout reports whether sparse-checkout leaves paths out of the worktree
// (core.sparseCheckout).
func (r *Repo) SparseCheckout() (bool, error) {
	config, err := r.settings()
	if err != nil {
		return false, err
	}
	return config.boolean("core.sparsecheckout", false)
}

// IsRepository reports whether git takes a folder, by its absolute path, for the
// top of a repository with a working tree. getenv may be nil for os.Getenv.
func IsRepository(dir string, getenv func(string) string) bool {
	return isRepository(dir, newEnvironment(NestedEnv(getenv)))
}
