package authority

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ctxptr/authority/selector"
)

// gitFor runs git in dir with one identity and time.
func gitFor(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_COMMITTER_DATE=1700000000 +0000")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// A tree that calls an object what it is not proves nothing about it, also where
// git states the identity and no bytes are read.
func TestEntryOfAnotherTypeIsACorruptStore(t *testing.T) {
	dir := t.TempDir()
	gitFor(t, dir, "", "init", "-q")
	blob := gitFor(t, dir, "x", "hash-object", "-w", "--stdin")
	inner := gitFor(t, dir, "100644 blob "+blob+"\tf\n", "mktree")
	for _, c := range []struct {
		mode, id string
		tag      Tag
	}{{"100644", inner, GitBlob}, {"100644", inner, BLAKE3}, {"40000", blob, GitTree}} {
		tree := gitFor(t, dir, c.mode+" x\x00"+rawID(t, c.id), "hash-object", "-w", "--literally", "-t", "tree", "--stdin")
		locator, err := ParseLocator(gitKind, tree+":x")
		if err != nil {
			t.Fatal(err)
		}
		w, err := Open(context.Background(), Config{Dir: dir, MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		o, err := locator.Observe(t.Context(), w, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.Match(t.Context(), Like(c.tag, false), selector.Selector{})
		if f, ok := errors.AsType[*Fault](err); !ok || f.Code != MissingCorruptStore {
			t.Errorf("%s %s: %v", c.mode, c.tag, err)
		}
	}
}

func rawID(t *testing.T, id string) string {
	t.Helper()
	identity, err := ParseIdentity("gitBlob:" + id)
	if err != nil {
		t.Fatal(err)
	}
	return string(identity.sum[:identity.size])
}
