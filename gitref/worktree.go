package gitref

import (
	"path/filepath"
	"strings"
)

// settleTop decides where the worktree is, by the rules git's setup tests under
// t1510: the environment, then core.bare, then core.worktree, then discovery.
// dir is the folder discovery began in.
func (l *location) settleTop(f *repoFormat, dir string, env *environment) error {
	named := env.get("GIT_WORK_TREE")
	if !l.explicit && named == "" && f.workTree == "" {
		if l.bare || f.bare == triYes {
			l.top, l.cwd = "", dir
		}
		l.settlePrefix(dir)
		return nil
	}
	implicit, err := envBool(env.get, "GIT_IMPLICIT_WORK_TREE", true)
	if err != nil {
		return err
	}
	switch {
	case named != "":
		l.top = resolved(absolute(dir, named))
	case f.bare == triYes:
		l.top = ""
	case f.workTree != "":
		l.top = resolved(absolute(l.gitDir, f.workTree))
	case !implicit:
		l.top = ""
	default:
		l.top = dir
	}
	l.cwd = dir
	if l.inTop(dir) {
		l.cwd = l.top
	}
	l.settlePrefix(dir)
	return nil
}

func (l *location) inTop(dir string) bool {
	return l.top != "" && (dir == l.top || strings.HasPrefix(dir, strings.TrimSuffix(l.top, separator)+separator))
}

func (l *location) settlePrefix(dir string) {
	if !l.inTop(dir) {
		return
	}
	if rel, err := filepath.Rel(l.top, dir); err == nil && rel != "." {
		l.prefix = filepath.ToSlash(rel)
	}
}
