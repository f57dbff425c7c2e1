package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ctxptr/resolver"
)

// shellsUnderTest are the shells in which a pointer needs no quotes. zsh runs as
// a script does: without start-up files.
var shellsUnderTest = [][]string{{"sh"}, {"dash"}, {"bash", "--noprofile", "--norc"}, {"zsh", "-f"}}

func TestPointersSurviveShells(t *testing.T) {
	pointers := canonicalPointers(t)
	if len(pointers) < 40 {
		t.Fatalf("%d canonical pointers, want at least 40", len(pointers))
	}
	var script, want strings.Builder
	for _, p := range pointers {
		fmt.Fprintf(&script, "printf '%%s\\0' %s\n", p)
		want.WriteString(p + "\x00")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "script")
	if err := os.WriteFile(file, []byte(script.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, shell := range shellsUnderTest {
		t.Run(shell[0], func(t *testing.T) {
			got := string(runShell(t, dir, shell, file))
			if got == want.String() {
				return
			}
			for i, p := range strings.Split(got, "\x00") {
				if i < len(pointers) && p != pointers[i] {
					t.Errorf("got  %q\nwant %q", p, pointers[i])
				}
			}
			t.Error("the pointers do not survive")
		})
	}
}

// runShell runs a script and returns its standard output. A shell that is not
// installed fails the test: scripts/install-test-tools installs them.
func runShell(t *testing.T, dir string, shell []string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(shell[0], append(shell[1:], args...)...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%s: %v (scripts/install-test-tools installs the shells)\n%s", shell[0], err, errs.String())
	}
	return out
}

// canonicalPointers are those of the grammar vectors, of the behaviour vectors,
// and one for every byte that a locator or selector can hold.
func canonicalPointers(t *testing.T) []string {
	t.Helper()
	pointers := append(grammarPointers(t), behaviourPointers(t)...)
	const stated = "@blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262:matches_current#text="
	for c := 1; c < 256; c++ {
		spelled := fmt.Sprintf("%%%02X", c)
		text := "ctxptr:file:a" + spelled + "b" + stated + spelled
		for _, around := range []string{"x" + spelled, spelled + "=" + spelled, ":" + spelled, "/" + spelled} {
			p, err := resolver.ParsePointer(text + around)
			if err != nil {
				t.Fatalf("%q: %v", text+around, err)
			}
			pointers = append(pointers, p.String())
		}
	}
	return pointers
}

func grammarPointers(t *testing.T) (pointers []string) {
	t.Helper()
	for _, name := range []string{"pointer.jsonl", "pointer-json.jsonl"} {
		f, err := os.Open(filepath.Join("..", "..", "testdata", "vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var v struct{ Canonical string }
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if v.Canonical != "" {
				pointers = append(pointers, v.Canonical)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return pointers
}

// behaviourPointers are the lines of the behaviour vectors' pointer members that
// are canonical pointers.
func behaviourPointers(t *testing.T) (pointers []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "vectors", "resolve", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range archive.Files {
			if member.Name != "pointer" {
				continue
			}
			for line := range strings.Lines(string(member.Data)) {
				line = strings.TrimSuffix(line, "\n")
				if p, err := resolver.ParsePointer(line); err == nil && p.String() == line {
					pointers = append(pointers, line)
				}
			}
		}
	}
	return pointers
}

// TestActsOnlyOnZero runs "ctxptr resolve $P && act" in every shell.
func TestActsOnlyOnZero(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("alpha\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ctxptr", "-C", dir, "--root", dir, "mint", "a.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	current := strings.TrimSpace(string(out))
	stale := "ctxptr:file:a.md@blake3:" + strings.Repeat("0", 64) + ":matches_current"
	for _, c := range []struct {
		name, args, want string
	}{
		{"resolved", current, "acted 0"},
		{"blocked", stale, "1"},
		{"malformed", "nonsense", "1"},
		{"refreshed", "--refresh " + stale, "3"},
		{"one of two", current + " " + stale, "1"},
		{"usage", "--nope " + current, "2"},
		{"nothing", "", "2"},
	} {
		for _, shell := range shellsUnderTest {
			t.Run(c.name+" "+shell[0], func(t *testing.T) {
				line := "ctxptr --root . resolve " + c.args + " > out 2>&1 && printf 'acted '; echo $?"
				if got := strings.TrimSpace(string(runShell(t, dir, shell, "-c", line))); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		}
	}
}
