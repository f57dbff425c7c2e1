package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// installTags is what README's command to install builds with.
const installTags = "netgo"

func buildInstalled(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "ctxptr")
	if text, err := exec.Command("go", "build", "-tags", installTags, "-o", out, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// TestInstalledIsStatic fails when the installed program loads libraries: that
// takes a quarter of the time of resolving one pointer.
func TestInstalledIsStatic(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`go install -tags ` + installTags + ` ./cmd/\.\.\.`).Match(readme) {
		t.Errorf("README does not install with -tags %s", installTags)
	}
	program, err := elf.Open(buildInstalled(t))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a segment %v", p.Type)
		}
	}
}

// maxInitAllocations is how many values this module may allocate before main.
const maxInitAllocations = 40

// initAllocations is a line of what GODEBUG=inittrace=1 writes of a package here.
var initAllocations = regexp.MustCompile(`(?m)^init (main|ctxptr/\S+) .* (\d+) allocs$`)

// TestNothingIsBuiltAtTheStart fails when tables, patterns or grammars are made
// before it is known that the run needs them.
func TestNothingIsBuiltAtTheStart(t *testing.T) {
	cmd := exec.Command(buildInstalled(t), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	found, total := initAllocations.FindAllSubmatch(text, -1), 0
	for _, m := range found {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	if len(found) == 0 || total > maxInitAllocations {
		t.Errorf("%d packages allocate %d values before main, more than %d, or none was traced:\n%s", len(found), total, maxInitAllocations, text)
	}
}
