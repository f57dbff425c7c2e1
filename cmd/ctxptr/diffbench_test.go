package main

import (
	"os/exec"
	"slices"
	"strings"
)

// history finds what a file was 500 changes ago, or at its first, beside git log
// for its path.
func (x bench) history() {
	path := x.busiest()
	out, err := gitIn(x.repo, "log", "--format=%H", "--", path).Output()
	if err != nil {
		x.Fatal(err)
	}
	commits := strings.Fields(string(out))
	old := commits[min(500, len(commits)-1)]
	id, err := gitIn(x.repo, "rev-parse", old+":"+path).Output()
	if err != nil {
		x.Fatal(err)
	}
	pointer := "ctxptr:git:HEAD:" + path + "@gitBlob:" + strings.TrimSpace(string(id)) + ":matches_current"
	diff := func() *exec.Cmd {
		// A pointer that is stale ends with 1.
		cmd := exec.Command("sh", "-c", `"$0" diff "$1"; test $? = 1`, x.ctxptr, pointer)
		cmd.Dir = x.repo
		return cmd
	}
	x.pair(x.git("", "log", "--format=%H %s", "--", path), diff)
	x.ReportMetric(float64(len(commits)), "commits")
}

// busiest is the file of HEAD that the last commits changed most often, of a plain
// name.
func (x bench) busiest() string {
	x.Helper()
	out, err := gitIn(x.repo, "log", "--no-merges", "--no-renames", "--format=", "--name-only", "-5000", "HEAD").Output()
	if err != nil {
		x.Fatal(err)
	}
	paths, _ := x.blobs(1 << 20)
	slices.Sort(paths)
	counts, best := map[string]int{}, ""
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		if counts[path]++; counts[path] <= counts[best] {
			continue
		}
		if _, there := slices.BinarySearch(paths, path); there {
			best = path
		}
	}
	return best
}
