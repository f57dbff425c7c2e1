package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scriptShells are the shells that run the scripts.
var scriptShells = [][]string{{"sh"}, {"dash"}, {"bash", "--noprofile", "--norc"}, {"bash", "--posix"}}

// ran is how a script ended.
type ran struct {
	code     int
	out, err string
}

// runScript runs scripts/NAME with a shell in a folder. ctxptr is in PATH.
func runScript(t *testing.T, shell []string, dir, stdin, name string, args ...string) ran {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(repositoryRoot, "scripts", name))
	if err != nil {
		t.Fatal(err)
	}
	return runIn(t, dir, stdin, append(append(shell, file), args...)...)
}

func runIn(t *testing.T, dir, stdin string, argv ...string) ran {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "TMPDIR="+t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	left, err := os.ReadDir(strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMPDIR="))
	if err != nil || len(left) > 0 {
		t.Errorf("%v left %v in the temporary folder (%v)", argv, left, err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// oddNames are folders that break a script which does not quote.
var oddNames = []string{"plain", "with space", "new\nline", "-dash", "glob*[a]", "quote'\""}

// project makes a folder with a file of that text and returns the pointers to it,
// to a line of it and to nothing.
func project(t *testing.T, folder string) (dir, whole, line, stale string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), folder)
	if err := os.MkdirAll(filepath.Join(dir, "a b"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a b", "c\nd.md"), []byte("alpha\nbeta\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	minted := runIn(t, dir, "", "ctxptr", "--root", ".", "mint", "a b/c\nd.md", "a b/c\nd.md:2")
	pointers := strings.Split(strings.TrimSpace(minted.out), "\n")
	if minted.code != 0 || len(pointers) != 2 {
		t.Fatalf("mint: %+v", minted)
	}
	return dir, pointers[0], pointers[1], "ctxptr:file:a%20b/c%0Ad.md@blake3:" + strings.Repeat("0", 64) + ":matches_current"
}

// eachShell runs a test with every shell in folders of every name.
func eachShell(t *testing.T, test func(t *testing.T, shell []string, folder string)) {
	for _, shell := range scriptShells {
		for _, folder := range oddNames {
			t.Run(strings.Join(shell, " ")+" "+folder, func(t *testing.T) { test(t, shell, folder) })
		}
	}
}

func TestBeforeAct(t *testing.T) {
	eachShell(t, func(t *testing.T, shell []string, folder string) {
		dir, whole, line, stale := project(t, folder)
		document := "see " + line + "\n"
		if err := os.WriteFile(filepath.Join(dir, "plan 1.md"), []byte(document), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name      string
			args      []string
			code      int
			out, errs string // all of standard output; a part of standard error
		}{
			{"bytes", []string{whole}, 0, "alpha\nbeta\n", ""},
			{"selection", []string{line}, 0, "beta", ""},
			{"at", []string{"--at", "plan 1.md:1"}, 0, "beta", ""},
			{"fits", []string{"--max", "11", whole}, 0, "alpha\nbeta\n", ""},
			{"too long", []string{"--max=10", whole}, 2, "", "ok a%20b/c%0Ad.md\n  bytes     11, more than --max 10"},
			{"blocked", []string{stale}, 1, "", "BLOCKED stale:identity a%20b/c%0Ad.md: do not act on it; return this record\n"},
			{"malformed", []string{"nonsense"}, 1, "", "BLOCKED malformed:syntax"},
			{"no number", []string{"--max", "x", whole}, 2, "", "--max takes a number"},
			{"no value", []string{whole, "--max"}, 2, "", "--max takes a number"},
			{"nothing", nil, 2, "", "no pointer is named"},
			{"two", []string{whole, line}, 2, "", "one pointer at a time"},
			{"refresh", []string{"--refresh", stale}, 2, "", "nothing is refreshed here"},
			{"input", []string{"-"}, 2, "", "has no place here"},
			{"option", []string{"--nope", whole}, 2, "", "unknown flag"},
		} {
			got := runScript(t, shell, dir, "", "before-act", append([]string{"--root", "."}, c.args...)...)
			if got.code != c.code || got.out != c.out || !strings.Contains(got.err, c.errs) || c.code == 0 && got.err != "" {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
	})
}

// TestBeforeActWithoutBytes demands the record of what has no bytes.
func TestBeforeActWithoutBytes(t *testing.T) {
	dir, _, _, _ := project(t, "p")
	minted := runIn(t, dir, "", "ctxptr", "--root", ".", "mint", "a b")
	for _, shell := range scriptShells {
		got := runScript(t, shell, dir, "", "before-act", "--root", ".", strings.TrimSpace(minted.out))
		if got.code != 0 || got.out != "ok dir:a%20b\n" || got.err != "" {
			t.Errorf("%v: %+v", shell, got)
		}
	}
}

// TestBeforeActWithoutRoom demands no word of success when the bytes find no room: the
// program here fails the first time that it writes them.
func TestBeforeActWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "ctxptr")
	const script = "#!/bin/sh\nif [ $1 = resolve ]; then echo ok a.md; elif ! [ -e full ]; then echo no space >&2; touch full; exit 2; fi\n"
	if err := os.WriteFile(program, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CTXPTR", program)
	for _, shell := range scriptShells {
		if err := os.RemoveAll(filepath.Join(dir, "full")); err != nil {
			t.Fatal(err)
		}
		got := runScript(t, shell, dir, "", "before-act", "p")
		if got.code != 2 || got.out != "" || got.err != "no space\n" {
			t.Errorf("%v: %+v", shell, got)
		}
	}
}

func TestDeliveryCheck(t *testing.T) {
	eachShell(t, func(t *testing.T, shell []string, folder string) {
		dir, whole, line, stale := project(t, folder)
		const blocked = "BLOCKED stale:identity a%20b/c%0Ad.md: the authority has another identity now than the pointer states\n"
		list := whole + "\n" + stale + "\nnonsense\n"
		if err := os.WriteFile(filepath.Join(dir, "-list 1"), []byte(list), 0o666); err != nil {
			t.Fatal(err)
		}
		const malformed = "BLOCKED malformed:syntax \"nonsense\": this is no pointer; mint prints one for a target\n"
		for _, c := range []struct {
			name  string
			stdin string
			args  []string
			code  int
			out   string
		}{
			{"resolved", whole + "\n" + line + "\n", nil, 0, ""},
			{"blocked", list, []string{"-"}, 1, blocked + malformed},
			{"file", "", []string{"-list 1"}, 1, blocked + malformed},
			{"array", `["` + whole + `","` + stale + `"]`, nil, 1, blocked},
			{"nothing", "\n", nil, 2, ""},
			{"no file", "", []string{"gone"}, 2, ""},
			{"folder", "", []string{"a b"}, 2, ""},
			{"option", whole, []string{"-", "--nope"}, 2, ""},
			{"refreshed", stale, []string{"-", "--refresh"}, 3, "refreshed a%20b/c%0Ad.md: " + whole + "\n"},
		} {
			got := runScript(t, shell, dir, c.stdin, "delivery-check", c.args...)
			if got.code != c.code || got.out != c.out || c.code == 2 && got.err == "" {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
	})
}

// TestScriptsUnderSetE demands that a caller under set -e acts only on 0.
func TestScriptsUnderSetE(t *testing.T) {
	dir, whole, _, stale := project(t, "p")
	scripts, err := filepath.Abs(filepath.Join(repositoryRoot, "scripts"))
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range scriptShells {
		for pointer, want := range map[string]ran{whole: {0, "acted\n", ""}, stale: {1, "", ""}} {
			for _, script := range []string{
				`"$1/before-act" --root . "$2" >/dev/null 2>&1; echo acted`,
				`printf '%s\n' "$2" | "$1/delivery-check" - --root . >/dev/null; echo acted`,
				`text=$("$1/before-act" --root . "$2" 2>/dev/null); echo acted`,
			} {
				got := runIn(t, dir, "", append(shell, "-euc", script, "sh", scripts, pointer)...)
				if got != want {
					t.Errorf("%v %s: %+v, want %+v", shell, script, got, want)
				}
			}
		}
	}
}
