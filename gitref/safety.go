package gitref

import (
	"path/filepath"
	"strings"
)

// checkSafety refuses a discovered repository that git refuses: one that belongs
// to somebody else and is not named by safe.directory, or a bare one where
// safe.bareRepository asks for an explicit GIT_DIR (git-config(1)). A repository
// named by GIT_DIR is trusted, as in git.
func checkSafety(l *location, env *environment) error {
	if l.explicit {
		return nil
	}
	owned, err := ownedByUser(l, env)
	if err != nil || owned && !l.bare {
		return err
	}
	r := configReader{env: env, branch: func() string { return "" }}
	if err := r.protected(); err != nil {
		return err
	}
	c := config{vars: r.out}
	if v, _ := c.last("safe.barerepository"); l.bare && v.value == "explicit" {
		return &Error{Fault: NotOwned, Subject: "safe.bareRepository", Proof: "the configuration asks that a bare repository be named by GIT_DIR"}
	}
	if owned || declaredSafe(&c, l, env) {
		return nil
	}
	return &Error{Fault: NotOwned, Subject: "safe.directory", Proof: "the repository belongs to another user and safe.directory does not name it"}
}

// protected reads the configuration a repository cannot influence.
func (r *configReader) protected() error {
	if err := r.userFiles(); err != nil {
		return err
	}
	return r.environmentVars()
}

func ownedByUser(l *location, env *environment) (bool, error) {
	other, err := envBool(env.get, "GIT_TEST_ASSUME_DIFFERENT_OWNER", false)
	if err != nil || other {
		return false, err
	}
	for _, name := range []string{l.gitFile, l.top, l.plainDir} {
		if name != "" && !ownedFile(name, env) {
			return false, nil
		}
	}
	return true, nil
}

// declaredSafe follows every safe.directory value in order; an empty one takes
// back those before it.
func declaredSafe(c *config, l *location, env *environment) bool {
	subject := l.top
	if subject == "" {
		subject = l.plainDir
	}
	subject = filepath.ToSlash(resolved(subject))
	safe := false
	for _, v := range c.vars {
		if v.key != "safe.directory" {
			continue
		}
		if v.value == "" {
			safe = false
			continue
		}
		safe = safe || v.value == "*" || namesFolder(v.value, subject, l.from, env)
	}
	return safe
}

func namesFolder(value, subject, from string, env *environment) bool {
	name, ok := expandUser(value, env)
	if !ok {
		return false
	}
	if name == "." {
		return filepath.ToSlash(from) == subject
	}
	if !filepath.IsAbs(name) {
		return false
	}
	if above, ok := strings.CutSuffix(name, "/*"); ok {
		return strings.HasPrefix(subject, strings.TrimSuffix(filepath.ToSlash(resolved(above+"/")), "/")+"/")
	}
	return filepath.ToSlash(resolved(name)) == subject
}
