package gitref

import (
	"path/filepath"
	"strconv"
	"strings"
)

// boolValue reads git's boolean: true yes on, false no off, "" (false), a
// variable without "=" (true), or an integer (non-zero is true).
func (v configVar) boolValue() (value, ok bool) {
	if v.implicit {
		return true, true
	}
	switch strings.ToLower(v.value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	n, ok := parseGitInt(v.value)
	return n != 0, ok
}

// parseGitInt reads git's integer: decimal, octal (0…) or hexadecimal (0x…)
// with an optional sign and unit k, m or g, within 32 bits as git's own int.
func parseGitInt(s string) (int64, bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if s == "" {
		return 0, false
	}
	factor := int64(1)
	switch lower(s[len(s)-1]) {
	case 'k':
		factor = 1 << 10
	case 'm':
		factor = 1 << 20
	case 'g':
		factor = 1 << 30
	}
	if factor > 1 {
		s = s[:len(s)-1]
	}
	n, ok := parseCInt(s)
	const limit = 1<<31 - 1
	if !ok || n > limit/factor || n < -limit/factor {
		return 0, false
	}
	return n * factor, true
}

// parseCInt reads an integer as C's strtoimax does with base 0.
func parseCInt(s string) (int64, bool) {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	base := 10
	switch {
	case len(s) > 2 && (s[:2] == "0x" || s[:2] == "0X"):
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	if s == "" || s[0] == '-' || s[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseInt(sign+s, base, 64)
	return n, err == nil
}

// envBool reads a boolean environment variable; what is no boolean is an error,
// as in git.
func envBool(getenv func(string) string, name string, fallback bool) (bool, error) {
	s := getenv(name)
	if s == "" {
		return fallback, nil
	}
	v, ok := configVar{value: s}.boolValue()
	if !ok {
		return false, &Error{Fault: Unsupported, Subject: name, Proof: "the environment variable holds no boolean"}
	}
	return v, nil
}

// expandUser expands "~", "~user" and "%(prefix)" at the start of a configured
// path. It fails where git does: no HOME, no such user.
func expandUser(path string, env *environment) (string, bool) {
	if rest, ok := strings.CutPrefix(path, "%(prefix)/"); ok {
		return filepath.Join(env.prefix(), rest), true
	}
	if path == "" || path[0] != '~' {
		return path, true
	}
	name, rest, _ := strings.Cut(path[1:], "/")
	home := env.get("HOME")
	if name != "" {
		home = homeOf(name)
	}
	if home == "" {
		return "", false
	}
	if len(path) == 1+len(name) {
		return home, true
	}
	return home + "/" + rest, true
}

// homeOf finds a user's home folder in the password file. Package os/user would
// ask the C library, whose linking costs every start more than this is worth.
func homeOf(name string) string {
	data, err := readRegular("/etc/passwd", maxConfigFile)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), ":")
		if len(f) == 7 && f[0] == name {
			return f[5]
		}
	}
	return ""
}
