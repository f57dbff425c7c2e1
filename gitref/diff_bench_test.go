package gitref

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkDiff compares the diff of two trees with git diff-tree, process start
// and all, in turn; the figure is the ratio of the medians.
func BenchmarkDiff(b *testing.B) {
	g := benchRepo(b)
	tips := strings.Fields(g.run("rev-list", "--first-parent", "HEAD"))
	for _, c := range []struct {
		name string
		back int
	}{{"near", min(20, len(tips)-1)}, {"far", len(tips) / 2}} {
		old, new := g.oid(tips[c.back]+"^{tree}"), g.oid("HEAD^{tree}")
		b.Run(c.name, func(b *testing.B) {
			var times [2][]float64
			for b.Loop() {
				start := time.Now()
				gitBatch(b, g, "", "diff-tree", "-r", "--no-renames", "--raw", "-z", old.String(), new.String())
				middle := time.Now()
				changed := diffCount(b, g, old, new)
				times[0] = append(times[0], middle.Sub(start).Seconds())
				times[1] = append(times[1], time.Since(middle).Seconds())
				b.ReportMetric(float64(changed), "paths")
			}
			for _, list := range times {
				slices.Sort(list)
			}
			b.ReportMetric(times[1][len(times[1])/2]/times[0][len(times[0])/2], "here/git")
			b.ReportMetric(times[0][len(times[0])/2]*1e3, "ms-git")
		})
	}
}

// diffCount opens the repository anew and writes the changes as git does.
func diffCount(b *testing.B, g *testGit, old, new OID) (changed int) {
	r, err := Open(b.Context(), g.dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	err = r.DiffTrees(b.Context(), old, new, nil, func(c Change) error {
		changed++
		_, err := io.WriteString(io.Discard, rawChange(c, 20))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return changed
}
