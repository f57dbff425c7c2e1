package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The variables that say which repository the benchmarks of git kinds measure.
const (
	benchRepoVar    = "CTXPTR_BENCH_REPO"    // a repository, which is left as it is
	benchObjectsVar = "CTXPTR_BENCH_OBJECTS" // how many objects to make without one; git/git has 849000
	benchObjects    = 100_000
	benchRefs       = 14_000
	objectsACommit  = 7
)

// BenchmarkGit measures the git kinds beside git, in a clone that shares the
// objects of the repository named or of one made with fast-import.
func BenchmarkGit(b *testing.B) {
	x := bench{b, largeRepo(b), buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")}
	for _, part := range []struct {
		name string
		run  func(bench)
	}{{"one", bench.one}, {"clean", bench.clean}, {"batch", bench.batch}, {"bytes", bench.batchOfBytes}, {"ancestry", bench.ancestry}, {"ranges", bench.ranges}, {"history", bench.history}} {
		b.Run(part.name, func(b *testing.B) {
			x := x
			x.B = b
			part.run(x)
		})
	}
}

func largeRepo(b *testing.B) string {
	b.Helper()
	source := os.Getenv(benchRepoVar)
	if source == "" {
		source = filepath.Join(b.TempDir(), "source.git")
		if err := makeLarge(source); err != nil {
			b.Fatal(err)
		}
	}
	clone := filepath.Join(b.TempDir(), "clone")
	for _, args := range [][]string{
		{"clone", "-q", "--shared", "--mirror", source, clone + "/.git"},
		{"-C", clone, "config", "core.bare", "false"},
		{"-C", clone, "pack-refs", "--all"},
		{"-C", clone, "checkout", "-q", "-f"},
	} {
		if text, err := gitIn(".", args...).CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, text)
		}
	}
	return clone
}

// gitIn is a git command that takes nothing from the user's configuration.
func gitIn(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files")
	return cmd
}

func makeLarge(dir string) error {
	objects := benchObjects
	if text := os.Getenv(benchObjectsVar); text != "" {
		var err error
		if objects, err = strconv.Atoi(text); err != nil {
			return err
		}
	}
	if err := gitIn(".", "init", "-q", "--bare", "-b", "main", dir).Run(); err != nil {
		return err
	}
	cmd := gitIn(dir, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriter(in)
	writeHistory(w, objects/objectsACommit)
	if err := w.Flush(); err != nil {
		return err
	}
	in.Close()
	return cmd.Wait()
}

// writeHistory writes a fast-import stream: each commit changes two of 10,000
// text files in 400 folders, every tenth is a merge, and release tags follow.
func writeHistory(w io.Writer, commits int) {
	for i := 1; i <= commits; i++ {
		fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 2\nm\n", i, 1200000000+300*i)
		if i > 1 {
			fmt.Fprintf(w, "from :%d\n", i-1)
		}
		if i > 10 && i%10 == 0 {
			fmt.Fprintf(w, "merge :%d\n", i-7)
		}
		for j := range 2 {
			n := (2*i + j) * 7919 % 10000
			text := benchText(n, i)
			fmt.Fprintf(w, "M 100644 inline src/d%d/f%d.txt\ndata %d\n%s\n", n%400, n, len(text), text)
		}
	}
	for i := range benchRefs {
		fmt.Fprintf(w, "reset refs/tags/release/%d\nfrom :%d\n\n", i, 1+i*commits/benchRefs)
	}
}

// benchText is a file's text as a commit leaves it: most lines stay.
func benchText(file, commit int) string {
	var b strings.Builder
	for line := range 40 + file%200 {
		fmt.Fprintf(&b, "line %d of file %d %x\n", line, file, (line*file*2654435761+commit/1000*(line%7))&0xffffffff)
	}
	return b.String()
}

// blobs lists up to n files of HEAD, with plain names, and their ids.
func (x bench) blobs(n int) (paths, ids []string) {
	x.Helper()
	out, err := gitIn(x.repo, "ls-tree", "-r", "-z", "HEAD").Output()
	if err != nil {
		x.Fatal(err)
	}
	for record := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(record, "\t")
		if ok && strings.HasPrefix(head, "100") && strings.Trim(path, plainBytes) == "" && len(paths) < n {
			paths, ids = append(paths, path), append(ids, strings.Fields(head)[2])
		}
	}
	return paths, ids
}

const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"

// bench holds what every benchmark of a git kind needs.
type bench struct {
	*testing.B
	repo, ctxptr string
}

func (x bench) git(input string, args ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := gitIn(x.repo, args...)
		cmd.Stdin = strings.NewReader(input)
		return cmd
	}
}

func (x bench) resolve(input string, args ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(x.ctxptr, append([]string{"resolve"}, args...)...)
		cmd.Dir, cmd.Stdin = x.repo, strings.NewReader(input)
		return cmd
	}
}

// mint returns the pointers that ctxptr mint prints, a line each.
func (x bench) mint(args ...string) string {
	x.Helper()
	cmd := exec.Command(x.ctxptr, append([]string{"mint"}, args...)...)
	cmd.Dir = x.repo
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		x.Fatalf("mint: %v\n%s", err, errs.String())
	}
	return strings.TrimSpace(out.String())
}

// pair measures ctxptr beside git.
func (x bench) pair(git, ctxptr func() *exec.Cmd) {
	sideBySide(x.B, []string{"git", "ctxptr"}, []func() *exec.Cmd{git, ctxptr})
}

// one is one pointer as a whole process.
func (x bench) one() {
	paths, ids := x.blobs(1000)
	path, id := paths[len(paths)/2], ids[len(ids)/2]
	pointer := "ctxptr:git:HEAD:" + path + "@gitBlob:" + id + ":matches_current"
	x.pair(x.git("", "rev-parse", "HEAD:"+path), x.resolve("", pointer))
}

// batch is 10,000 pointers whose identity git states.
func (x bench) batch() {
	paths, ids := x.blobs(10000)
	var revs, pointers strings.Builder
	for i := range 10000 {
		j := i % len(paths)
		fmt.Fprintf(&revs, "HEAD:%s\n", paths[j])
		fmt.Fprintf(&pointers, "ctxptr:git:HEAD:%s@gitBlob:%s:matches_current\n", paths[j], ids[j])
	}
	x.pair(x.git(revs.String(), "cat-file", "--batch-check"), x.resolve(pointers.String(), "-"))
	x.ReportMetric(x.peakAnonymous(x.resolve(pointers.String(), "-")()), "anonymous-MiB")
}

// batchOfBytes is as many pointers whose bytes are read and digested.
func (x bench) batchOfBytes() {
	paths, _ := x.blobs(10000)
	var revs strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&revs, "HEAD:%s\n", path)
	}
	var minted []string
	for len(paths) > 0 {
		n := min(len(paths), 1000)
		args := make([]string, n)
		for i, path := range paths[:n] {
			args[i] = "HEAD:" + path
		}
		minted, paths = append(minted, x.mint(args...)), paths[n:]
	}
	pointers := strings.Join(minted, "\n")
	x.pair(x.git(revs.String(), "cat-file", "--batch"), x.resolve(pointers, "-"))
	x.ReportMetric(x.peakAnonymous(x.resolve(pointers, "-")()), "anonymous-MiB")
}

// ancestry asks whether an old and a late commit are ancestors of
// HEAD, without a commit-graph and with one.
func (x bench) ancestry() {
	out, err := gitIn(x.repo, "rev-list", "--first-parent", "HEAD").Output()
	if err != nil {
		x.Fatal(err)
	}
	list := strings.Fields(string(out))
	for _, graph := range []bool{false, true} {
		if !graph && x.sourceHasGraph() {
			x.Log("the repository measured has a commit-graph: nothing is measured without one")
			continue
		}
		if graph {
			if err := gitIn(x.repo, "commit-graph", "write", "--reachable", "--no-progress").Run(); err != nil {
				x.Fatal(err)
			}
		}
		for name, id := range map[string]string{"old": list[len(list)-1], "late": list[min(50, len(list)-1)]} {
			x.Run(fmt.Sprintf("%s/graph=%t", name, graph), func(b *testing.B) {
				y := bench{b, x.repo, x.ctxptr}
				y.pair(y.git("", "merge-base", "--is-ancestor", id, "HEAD"),
					y.resolve("", "ctxptr:commit:"+id+"@gitCommit:"+id+":immutable+reachable_from=HEAD"))
			})
		}
	}
}

// sourceHasGraph reports whether the repository that the clone shares its objects
// with has a commit-graph, which serves the clone too.
func (x bench) sourceHasGraph() bool {
	alternates, err := os.ReadFile(filepath.Join(x.repo, ".git", "objects", "info", "alternates"))
	if err != nil {
		x.Fatal(err)
	}
	for objects := range strings.FieldsSeq(string(alternates)) {
		for _, name := range []string{"commit-graph", "commit-graphs"} {
			if _, err := os.Stat(filepath.Join(objects, "info", name)); err == nil {
				return true
			}
		}
	}
	return false
}

// clean compares one file of the worktree with index and HEAD.
func (x bench) clean() {
	paths, _ := x.blobs(1000)
	path := paths[len(paths)/2]
	pointer := x.mint("--fresh", "matches_current+committed_clean", path)
	x.pair(x.git("", "status", "--porcelain", "--", path), x.resolve("", pointer))
}

// peakAnonymous runs a command and returns the most memory of its own, in MiB,
// that it was seen to hold; 0 where the system does not tell.
func (x bench) peakAnonymous(cmd *exec.Cmd) float64 {
	x.Helper()
	if err := cmd.Start(); err != nil {
		x.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	peak := 0
	for {
		select {
		case err := <-done:
			if err != nil {
				x.Fatal(err)
			}
			return float64(peak) / 1024
		case <-time.After(time.Millisecond):
			peak = max(peak, anonymousKiB(cmd.Process.Pid))
		}
	}
}

func anonymousKiB(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	line, _, _ := strings.Cut(rest, "kB")
	kib, _ := strconv.Atoi(strings.TrimSpace(line))
	return kib
}

// BenchmarkBigFile digests one file of 256 MiB, which b3sum does on one thread.
func BenchmarkBigFile(b *testing.B) {
	b3sum, err := exec.LookPath("b3sum")
	if err != nil {
		b.Skip("b3sum is not installed")
	}
	x := bench{b, b.TempDir(), buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")}
	line := []byte(strings.Repeat("a line of a big file\n", 1<<10))
	if err := os.WriteFile(filepath.Join(x.repo, "big"), bytes.Repeat(line, 256<<20/len(line)), 0o666); err != nil {
		b.Fatal(err)
	}
	limit := "--max-bytes=1000000000"
	pointer := x.mint(limit, "big")
	sideBySide(b, []string{"b3sum", "ctxptr"}, []func() *exec.Cmd{
		func() *exec.Cmd { return exec.Command(b3sum, "--num-threads=1", filepath.Join(x.repo, "big")) },
		x.resolve("", limit, pointer),
	})
	b.ReportMetric(x.peakAnonymous(x.resolve("", limit, pointer)()), "anonymous-MiB")
}

// ranges identifies what changed between HEAD and a near and a far ancestor.
func (x bench) ranges() {
	out, err := gitIn(x.repo, "rev-list", "--first-parent", "HEAD").Output()
	if err != nil {
		x.Fatal(err)
	}
	list := strings.Fields(string(out))
	for name, back := range map[string]int{"near": min(20, len(list)-1), "far": len(list) / 2} {
		x.Run(name, func(b *testing.B) {
			y := bench{b, x.repo, x.ctxptr}
			y.pair(y.git("", "diff-tree", "-r", "--no-renames", "--raw", "-z", list[back], "HEAD"),
				y.resolve("", y.mint("--kind", "range", list[back]+"..HEAD")))
		})
	}
}
