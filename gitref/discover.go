package gitref

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// location is where a repository lies, as git's setup finds it.
type location struct {
	from      string // the resolved folder discovery began in
	gitDir    string // resolved
	commonDir string // resolved; equal to gitDir outside a linked worktree
	top       string // resolved, "" for a bare repository
	cwd       string // the folder relative paths of the environment start from
	prefix    string // slash-separated path from top to the folder of discovery, "" at the top
	plainDir  string // absolute git folder as it was spelled, for includeIf

	explicit bool   // GIT_DIR names it, so nothing was discovered
	bare     bool   // found as a bare repository
	gitFile  string // the .git file that led here, "" for none
}

const (
	maxGitFile = 1 << 20
	separator  = string(filepath.Separator)
)

// discover finds the repository that git finds from the resolved folder dir.
func discover(dir string, env *environment) (*location, error) {
	if named := env.get("GIT_DIR"); named != "" {
		return explicitLocation(dir, named, env)
	}
	across, err := envBool(env.get, "GIT_DISCOVERY_ACROSS_FILESYSTEM", false)
	if err != nil {
		return nil, err
	}
	device, _ := deviceOf(dir)
	ceiling := ceilingLength(dir, env.get("GIT_CEILING_DIRECTORIES"))
	for at := dir; ; {
		l, err := repositoryAt(at, dir, env)
		if l != nil || err != nil {
			return l, err
		}
		parent := filepath.Dir(at)
		if parent == at || len(strings.TrimSuffix(parent, separator)) <= ceiling {
			return nil, noRepository()
		}
		if d, ok := deviceOf(parent); !across && (!ok || d != device) {
			return nil, noRepository()
		}
		at = parent
	}
}

func noRepository() *Error {
	return &Error{Fault: NoRepository, Proof: "no git repository encloses the folder"}
}

func explicitLocation(dir, named string, env *environment) (*location, error) {
	plain := absolute(dir, named)
	gitDir, err := followGitFile(plain, env, dir)
	if err != nil {
		return nil, err
	}
	if gitDir == "" {
		gitDir = plain
	}
	if !isGitDir(gitDir, env, dir) {
		return nil, &Error{Fault: NoRepository, Subject: "GIT_DIR", Proof: "the folder it names is no git repository"}
	}
	l := &location{gitDir: resolved(gitDir), plainDir: gitDir, cwd: dir, from: dir, explicit: true}
	return l, l.setCommonDir(env)
}

// repositoryAt looks for a repository with its top at the folder, or a bare one
// that is the folder. It returns nil where git goes on to the parent. cwd is the
// folder discovery began in.
func repositoryAt(at, cwd string, env *environment) (*location, error) {
	dotGit := filepath.Join(at, ".git")
	gitDir, err := followGitFile(dotGit, env, cwd)
	if err != nil {
		return nil, err
	}
	l := &location{cwd: at, top: at, from: cwd}
	switch {
	case gitDir != "":
		l.gitFile, l.plainDir = dotGit, gitDir
	case isGitDir(dotGit, env, cwd):
		l.plainDir = dotGit
	case isGitDir(at, env, cwd):
		l.plainDir, l.top, l.bare = at, "", true
	default:
		return nil, nil
	}
	l.gitDir = resolved(l.plainDir)
	return l, l.setCommonDir(env)
}

func (l *location) setCommonDir(env *environment) error {
	common, err := commonDirOf(l.gitDir, env, l.cwd)
	l.commonDir = resolved(common)
	return err
}

// followGitFile returns the folder a "gitdir: …" file names, "" where name is no
// file. A file that is none, or names no repository, is an error as in git.
func followGitFile(name string, env *environment, cwd string) (string, error) {
	data, err := readRegular(name, maxGitFile)
	switch {
	case errors.Is(err, errNotRegular) || err != nil && isFolder(name):
		return "", nil
	case absent(err):
		return "", nil
	case errors.Is(err, fs.ErrPermission) && !exists(name):
		return "", nil
	case err != nil:
		return "", fileError(err, ".git")
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" || strings.IndexByte(target, 0) >= 0 {
		return "", &Error{Fault: NoRepository, Subject: ".git", Proof: "the file does not name a git folder"}
	}
	target = absolute(filepath.Dir(name), target)
	if !isGitDir(target, env, cwd) {
		return "", &Error{Fault: NoRepository, Subject: ".git", Proof: "the file names a folder that is no git repository"}
	}
	return resolved(target), nil
}

// isGitDir is git's test for a repository: a valid HEAD, and objects and refs in
// the common folder.
func isGitDir(dir string, env *environment, cwd string) bool {
	if !validHead(filepath.Join(dir, "HEAD")) {
		return false
	}
	common, err := commonDirOf(dir, env, cwd)
	if err != nil {
		return false
	}
	objects := filepath.Join(common, "objects")
	if named := env.get("GIT_OBJECT_DIRECTORY"); named != "" {
		objects = absolute(cwd, named)
	}
	return searchable(objects) && searchable(filepath.Join(common, "refs"))
}

// validHead tells whether a HEAD file holds a symbolic ref or an object id.
func validHead(name string) bool {
	st, err := os.Lstat(name)
	if err != nil {
		return false
	}
	if st.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(name)
		return err == nil && strings.HasPrefix(target, "refs/")
	}
	f, _, err := openRegular(name)
	if err != nil {
		return false
	}
	defer f.Close()
	buf := make([]byte, 255)
	n, _ := f.Read(buf)
	head := string(buf[:n])
	if target, ok := strings.CutPrefix(head, "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(target, " \t\n\r"), "refs/")
	}
	return leadingHex(head) >= 40
}

// leadingHex counts the hexadecimal digits s starts with.
func leadingHex(s string) int {
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) {
			return i
		}
	}
	return len(s)
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' }

// commonDirOf returns the folder that linked worktrees share.
func commonDirOf(gitDir string, env *environment, cwd string) (string, error) {
	if named := env.get("GIT_COMMON_DIR"); named != "" {
		return absolute(cwd, named), nil
	}
	data, err := readRegular(filepath.Join(gitDir, "commondir"), maxGitFile)
	if absent(err) {
		return gitDir, nil
	}
	if err != nil {
		return "", fileError(err, "commondir")
	}
	name := strings.TrimRight(string(data), "\r\n")
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return "", &Error{Fault: Corrupt, Subject: "commondir", Proof: "the file names no folder"}
	}
	return absolute(gitDir, name), nil
}

// ceilingLength is the length of the longest listed folder above dir, -1 for
// none: discovery never looks into that folder or above it. Behind an empty
// entry links in the list are not resolved.
func ceilingLength(dir, list string) int {
	longest, literal := -1, false
	for _, entry := range filepath.SplitList(list) {
		if entry == "" {
			literal = true
			continue
		}
		if !filepath.IsAbs(entry) {
			continue
		}
		entry = filepath.Clean(entry)
		if !literal {
			entry = resolved(entry)
		}
		entry = strings.TrimSuffix(entry, separator)
		if len(entry) > longest && strings.HasPrefix(dir, entry+separator) {
			longest = len(entry)
		}
	}
	return longest
}

// spelledDir is the git folder with links left as the caller's shell spells them
// (PWD), which git tries in includeIf besides the resolved one.
func (l *location) spelledDir(env *environment) string {
	rel, err := filepath.Rel(l.cwd, l.plainDir)
	pwd := env.get("PWD")
	if err != nil || strings.HasPrefix(rel, "..") || !filepath.IsAbs(pwd) {
		return l.plainDir
	}
	here, err1 := os.Stat(pwd)
	there, err2 := os.Stat(l.cwd)
	if err1 != nil || err2 != nil || !os.SameFile(here, there) {
		return l.plainDir
	}
	return filepath.Join(pwd, rel)
}

// absolute joins without cleaning away "..", which must not be taken back across
// a symbolic link.
func absolute(base, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return strings.TrimSuffix(base, separator) + separator + name
}

// resolved follows the links of a path; what does not exist stays as it is.
func resolved(name string) string {
	if r, err := filepath.EvalSymlinks(name); err == nil {
		return r
	}
	dir, base := filepath.Split(filepath.Clean(name))
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		return filepath.Join(r, base)
	}
	return filepath.Clean(name)
}

func isFolder(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
