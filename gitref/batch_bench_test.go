package gitref

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// wideRepo holds 20,000 files in 400 folders, packed, with 14,000 refs.
func wideRepo(b *testing.B) (g *testGit, revs []string) {
	b.Helper()
	g = newTestGit(b)
	var in strings.Builder
	in.WriteString("commit refs/heads/main\ncommitter C <c@example.org> 1700000000 +0000\ndata 1\nx\n")
	for i := range 20000 {
		path := fmt.Sprintf("d%d/e%d/file%d.txt", i%20, i%400, i)
		content := fmt.Sprintf("content of file %d\n", i)
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
		if i%2 == 0 {
			revs = append(revs, "HEAD:"+path)
		}
	}
	g.feed(in.String(), "fast-import", "--quiet")
	head := g.run("rev-parse", "main")
	var refs strings.Builder
	for i := range 14000 {
		fmt.Fprintf(&refs, "create refs/tags/release/%d %s\n", i, head)
	}
	g.feed(refs.String(), "update-ref", "--stdin")
	g.run("pack-refs", "--all")
	g.run("repack", "-adq")
	return g, revs
}

// BenchmarkResolveBatch resolves 10,000 rev:path in a freshly opened repository;
// it reports the time git cat-file --batch-check takes for the same.
func BenchmarkResolveBatch(b *testing.B) {
	g, revs := wideRepo(b)
	input := strings.Join(revs, "\n") + "\n"
	var gitTime time.Duration
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		g.feed(input, "cat-file", "--batch-check")
		gitTime += time.Since(start)
		b.StartTimer()
		r := g.open()
		for _, rev := range revs {
			if _, err := r.Resolve(b.Context(), rev); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(gitTime.Milliseconds())/float64(b.N), "git-ms/op")
}

// BenchmarkResolveOne opens the repository and resolves one path; it reports the
// time of a whole git rev-parse process beside it.
func BenchmarkResolveOne(b *testing.B) {
	g, revs := wideRepo(b)
	for _, rev := range []string{revs[7], "refs/tags/release/777", "release/777"} {
		b.Run(rev, func(b *testing.B) {
			var gitTime time.Duration
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				g.run("rev-parse", "--verify", rev)
				gitTime += time.Since(start)
				b.StartTimer()
				if _, err := g.open().Resolve(b.Context(), rev); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(gitTime.Microseconds())/float64(b.N), "git-µs/op")
		})
	}
}
