package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const repositoryRoot = "../.."

func readReadme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repositoryRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadmeTour holds the session that README shows against what the tour
// prints.
func TestReadmeTour(t *testing.T) {
	program, err := exec.LookPath("ctxptr")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(repositoryRoot, "scripts", "tour"))
	cmd.Env = append(os.Environ(), "CTXPTR="+program)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(readReadme(t), "<!-- tour -->\n```console\n")
	shown, _, found := strings.Cut(rest, "```\n<!-- /tour -->")
	if !found || shown != string(out) {
		t.Errorf("README shows another session than scripts/tour prints; scripts/readme writes it\n%s", out)
	}
}

// TestOwnDocuments checks every pointer and pin that stands in this repository.
func TestOwnDocuments(t *testing.T) {
	out, err := exec.Command("ctxptr", "-C", repositoryRoot, "check").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`[1-9][0-9]* pointers and [1-9][0-9]* pins in`).Match(out) {
		t.Errorf("there are no pointers and pins: %s", out)
	}
}

// TestReadmeExits holds README's table of exit codes against the one that the
// program uses.
func TestReadmeExits(t *testing.T) {
	readme := readReadme(t)
	for _, e := range exits {
		if row := "| " + strconv.Itoa(e.Code) + " | " + e.Means + " |"; !strings.Contains(readme, row) {
			t.Errorf("README lacks the row %s", row)
		}
	}
}
