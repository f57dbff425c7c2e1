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

// TestReadmeCommands holds every command and flag that README names against those
// that there are.
func TestReadmeCommands(t *testing.T) {
	root := newRoot(&app{}, []string{"help"})
	checked := 0
	for _, line := range regexp.MustCompile("(?m)^    ctxptr .*$|`(?:ctxptr )?[a-z]+ [^`\n]*`|\\$ ctxptr .*$").FindAllString(readReadme(t), -1) {
		words := strings.Fields(strings.Trim(strings.TrimPrefix(strings.TrimSpace(strings.Trim(line, "`")), "$ "), "`"))
		if words[0] == "ctxptr" {
			words = words[1:]
		}
		cmd, _, err := root.Find(words[:1])
		if err != nil || cmd == root {
			if strings.Contains(line, "ctxptr ") {
				t.Errorf("README names no command: %s", line)
			}
			continue
		}
		checked++
		for _, word := range words[1:] {
			if strings.HasPrefix(word, "#") || strings.ContainsAny(word, "|;&") {
				break // a comment, or another program
			}
			name, isFlag := strings.CutPrefix(word, "--")
			name, _, _ = strings.Cut(strings.TrimRight(name, "`),.:"), "=")
			if isFlag && name != "" && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s: %s", cmd.Name(), name, line)
			}
		}
	}
	if checked < 20 {
		t.Errorf("README names %d commands", checked)
	}
}

// TestReadmeCounts holds the numbers of vectors in README against the files: a line
// of JSON is one, and so is a txtar file.
func TestReadmeCounts(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `([a-z*/-]+\\.[a-z]+)` \\| ([0-9]+) \\|").FindAllStringSubmatch(readReadme(t), -1)
	if len(rows) < 10 {
		t.Fatalf("README counts %d kinds of vectors", len(rows))
	}
	for _, row := range rows {
		files, err := filepath.Glob(filepath.Join(repositoryRoot, "testdata", "vectors", filepath.FromSlash(row[1])))
		if err != nil {
			t.Fatal(err)
		}
		count := len(files)
		if strings.HasSuffix(row[1], ".jsonl") {
			count = 0
			for _, name := range files {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				count += strings.Count(string(data), "\n")
			}
		}
		if strconv.Itoa(count) != row[2] {
			t.Errorf("README says that there are %s of %s; there are %d", row[2], row[1], count)
		}
	}
}
