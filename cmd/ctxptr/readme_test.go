package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
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

// TestReadmePointers resolves every pointer that stands in README.
func TestReadmePointers(t *testing.T) {
	w, err := authority.Open(t.Context(), authority.Config{Dir: repositoryRoot, Root: repositoryRoot, MaxBytes: defaultMaxBytes})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, rest, _ := strings.Cut(readReadme(t), "<!-- pointers -->")
	list, _, _ := strings.Cut(rest, "<!-- /pointers -->")
	var items []resolver.Item
	for line := range strings.SplitSeq(list, "\n") {
		for _, f := range resolver.FindInLine(line) {
			items = append(items, resolver.Item{Text: f.Text, InText: true})
		}
	}
	if len(items) < 5 {
		t.Fatalf("README carries %d pointers, want at least 5", len(items))
	}
	records, err := resolver.Resolve(t.Context(), w, items, resolver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Outcome != resolver.Resolved {
			line, _ := r.Line()
			t.Errorf("%s", line)
		}
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
