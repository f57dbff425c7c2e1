//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ctxptr/resolver"
)

// nobody is a user without rights of its own, as which the tests look at files
// that the superuser could read all the same.
const nobody = 65534

// runUnprivileged runs ctxptr in dir as somebody whom permissions bind.
func runUnprivileged(t *testing.T, dir string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command("ctxptr", args...)
	if os.Geteuid() == 0 {
		cmd.Path = copyFor(t, cmd.Path)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Dir = dir
	text, err := cmd.Output()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed {
		t.Fatal(err)
	}
	if failed {
		code = exit.ExitCode()
	}
	return string(text), code
}

// copyFor copies a program to where everybody may run it.
func copyFor(t *testing.T, program string) string {
	t.Helper()
	from, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	name := filepath.Join(openDir(t), "ctxptr")
	to, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// openDir is a temporary folder that everybody may enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestUnreadable looks at what the system does not let be read: each is blocked
// exactly, and what can be read is still answered.
func TestUnreadable(t *testing.T) {
	dir := openDir(t)
	for name, mode := range map[string]os.FileMode{"open.md": 0o644, "closed.md": 0, "closed/in.md": 0o644} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("alpha\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "closed"), 0o755) }) // so that it can be removed
	pointer := func(name string) string {
		return "ctxptr:file:" + name + "@sha256:" + strings.Repeat("0", 64) + ":matches_current"
	}
	out, code := runUnprivileged(t, dir, "--root", ".", "resolve", "--format", "json", pointer("closed.md"), pointer("closed/in.md"), pointer("open.md"))
	if code != exitBlocked {
		t.Errorf("exit code %d, want %d", code, exitBlocked)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := []string{"missing:permission", "missing:permission", "stale:identity"}
	if len(lines) != len(want) {
		t.Fatalf("%d records, want %d:\n%s", len(lines), len(want), out)
	}
	for i, line := range lines {
		if err := checkRecord(line, i); err != nil {
			t.Error(err)
		}
		var r resolver.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if string(r.Code) != want[i] {
			t.Errorf("record %d: %s, want %s", i, r.Code, want[i])
		}
	}
	if _, code := runUnprivileged(t, dir, "--root", ".", "resolve", "--at", "closed.md:1"); code != exitNoVerdict {
		t.Errorf("--at an unreadable file: exit code %d, want %d", code, exitNoVerdict)
	}
	if _, code := runUnprivileged(t, dir, "--root", "closed", "resolve", pointer("in.md")); code != exitNoVerdict {
		t.Errorf("--root is an unreadable folder: exit code %d, want %d", code, exitNoVerdict)
	}
}
