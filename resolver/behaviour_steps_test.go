package resolver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// step is one line of a list of steps, cut at its spaces: the name and its
// words, each percent-encoded.
type step []string

// stepFunc performs a step with its decoded words, in folder dir.
type stepFunc func(v *behaviour, dir string, words []string) error

// stepKinds is the table of steps: how many words each takes, -1 for any.
var stepKinds = map[string]struct {
	words int
	run   stepFunc
}{
	"base64":   {2, func(v *behaviour, dir string, w []string) error { return v.put(dir, w[0], w[1], true) }},
	"chmod":    {2, stepChmod},
	"chown":    {2, stepChown},
	"fifo":     {1, stepFIFO},
	"git":      {-1, stepGit},
	"git!":     {-1, stepGitFails},
	"mkdir":    {1, func(_ *behaviour, dir string, w []string) error { return os.MkdirAll(inDir(dir, w[0]), 0o777) }},
	"put":      {2, func(v *behaviour, dir string, w []string) error { return v.put(dir, w[0], w[1], false) }},
	"rm":       {1, func(_ *behaviour, dir string, w []string) error { return os.RemoveAll(inDir(dir, w[0])) }},
	"socket":   {1, stepSocket},
	"symlink":  {2, stepSymlink},
	"truncate": {2, stepTruncate},
}

// member is the member that a step takes content from, "" for none.
func (s step) member() string {
	if (s[0] == "put" || s[0] == "base64") && len(s) == 3 {
		return s[2]
	}
	return ""
}

func (s step) run(v *behaviour, dir string) error {
	kind, ok := stepKinds[s[0]]
	if !ok || kind.words >= 0 && len(s)-1 != kind.words {
		return fmt.Errorf("step %q is unknown or has another number of words", strings.Join(s, " "))
	}
	words := make([]string, len(s)-1)
	for i, w := range s[1:] {
		var err error
		if words[i], err = decodeWord(w); err != nil {
			return err
		}
	}
	if err := kind.run(v, dir, words); err != nil {
		return fmt.Errorf("step %q: %w", strings.Join(s, " "), err)
	}
	return nil
}

// decodeWord undoes percent-encoding; every other byte stands for itself.
func decodeWord(w string) (string, error) {
	head, rest, found := strings.Cut(w, "%")
	if !found {
		return w, nil
	}
	c, ok := unescape("%" + rest)
	if !ok {
		return "", fmt.Errorf("the word %q has a broken escape", w)
	}
	tail, err := decodeWord(rest[2:])
	return head + string([]byte{c}) + tail, err
}

// inDir is a path of a step, which is relative to dir.
func inDir(dir, p string) string { return dir + string(filepath.Separator) + filepath.FromSlash(p) }

// put writes a member, in place of whatever stands at the path.
func (v *behaviour) put(dir, p, member string, encoded bool) error {
	data, err := v.content(member, encoded)
	if err != nil {
		return err
	}
	name := inDir(dir, p)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(name, 0o644)
}

func stepChmod(_ *behaviour, dir string, w []string) error {
	mode, err := strconv.ParseUint(w[0], 8, 32)
	if err != nil {
		return err
	}
	return os.Chmod(inDir(dir, w[1]), os.FileMode(mode))
}

// stepChown gives a folder and everything below it to another user.
func stepChown(_ *behaviour, dir string, w []string) error {
	user, err := strconv.Atoi(w[0])
	if err != nil {
		return err
	}
	return filepath.WalkDir(inDir(dir, w[1]), func(p string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(p, user, -1)
	})
}

func stepSymlink(_ *behaviour, dir string, w []string) error {
	return os.Symlink(w[0], inDir(dir, w[1]))
}

// stepTruncate makes a file of so many bytes, as a hole where the system can.
func stepTruncate(_ *behaviour, dir string, w []string) error {
	size, err := strconv.ParseInt(w[0], 10, 64)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(inDir(dir, w[1]), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func stepGit(_ *behaviour, dir string, w []string) error {
	if text, err := git(dir, w).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

func stepGitFails(_ *behaviour, dir string, w []string) error {
	text, err := git(dir, w).CombinedOutput()
	if _, failed := err.(*exec.ExitError); !failed {
		return fmt.Errorf("it did not fail (%v): %s", err, text)
	}
	return nil
}

func git(dir string, words []string) *exec.Cmd {
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = strings.ReplaceAll(w, "$WORK", filepath.ToSlash(dir))
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(surroundings(dir),
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_AUTHOR_DATE=2005-04-07T22:13:13Z",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com", "GIT_COMMITTER_DATE=2005-04-07T22:13:13Z",
	)
	return cmd
}

// surroundings is the whole environment of git and of the resolver.
func surroundings(dir string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files",
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
	}
}
