package gitref

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// environment answers for everything git reads from its surroundings.
type environment struct {
	get func(string) string
	git func() string // finds the git binary, once
}

func newEnvironment(getenv func(string) string) *environment {
	if getenv == nil {
		getenv = os.Getenv
	}
	e := &environment{get: getenv}
	e.git = sync.OnceValue(e.findGit)
	return e
}

// gitPath is the git binary on PATH, "" when there is none.
func (e *environment) gitPath() string { return e.git() }

func (e *environment) findGit() string {
	for dir := range strings.SplitSeq(e.get("PATH"), string(filepath.ListSeparator)) {
		if !filepath.IsAbs(dir) {
			continue // a program named by the current folder must never run
		}
		for _, ext := range exeSuffixes {
			name := filepath.Join(dir, "git"+ext)
			if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && (ext != "" || st.Mode()&0o111 != 0) {
				return name
			}
		}
	}
	return ""
}

// prefix is the folder git was installed under, which its own relative default
// paths start from.
func (e *environment) prefix() string {
	if git := e.gitPath(); git != "" {
		return filepath.Dir(filepath.Dir(git))
	}
	return "/usr"
}

// systemFile is the path of git's system-wide file of that name. The rule is the
// one git is built with: /etc for the prefix /usr, else etc below the prefix.
func (e *environment) systemFile(name string) string {
	prefix := e.prefix()
	if prefix == "/usr" || prefix == "/" {
		return "/etc/" + name
	}
	return filepath.Join(prefix, "etc", name)
}

// xdgFile is the path of a file in git's XDG configuration folder, "" without a
// home.
func (e *environment) xdgFile(name string) string {
	if dir := e.get("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", name)
	}
	if home := e.get("HOME"); home != "" {
		return filepath.Join(home, ".config", "git", name)
	}
	return ""
}
