package gitref

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchRepo is the repository that benchmarks read: the one CTXPTR_BENCH_REPO
// names, or one made with fast-import.
func benchRepo(b *testing.B) *testGit {
	b.Helper()
	if dir := os.Getenv("CTXPTR_BENCH_REPO"); dir != "" {
		return &testGit{t: b, dir: dir}
	}
	g := newTestGit(b)
	cmd := g.command("fast-import", "--quiet", "--depth=30")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(in)
	writeImport(w, 20000)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	g.run("repack", "-adq")
	return g
}

// writeImport writes a fast-import stream: text files in 400 folders, changed
// two at a time by commits of which every tenth is a merge.
func writeImport(w io.Writer, commits int) {
	rnd := rand.New(rand.NewPCG(5, 6))
	files := map[string]string{}
	for i := 1; i <= commits; i++ {
		fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\n", i)
		fmt.Fprintf(w, "committer C <c@example.org> %d +0000\ndata 8\nmessage\n\n", 1200000000+300*i)
		if i > 1 {
			fmt.Fprintf(w, "from :%d\n", i-1)
		}
		if i%10 == 0 {
			fmt.Fprintf(w, "merge :%d\n", i-7)
		}
		for range 2 {
			name := fmt.Sprintf("src/d%d/f%d.txt", rnd.IntN(400), rnd.IntN(12))
			files[name] = edit(rnd, files[name])
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(files[name]), files[name])
		}
	}
}

var words = strings.Fields("the quick brown fox jumps over lazy dog if then else return func type struct error value pointer name index")

func edit(rnd *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + rnd.IntN(60) {
		var line []string
		for range rnd.IntN(12) {
			line = append(line, words[rnd.IntN(len(words))])
		}
		lines[rnd.IntN(len(lines))] += strings.Join(line, " ") + fmt.Sprintf(" %x\n", rnd.Uint32())
	}
	text = strings.Join(lines, "")
	return text[:min(len(text), 12000)]
}

// tipFiles returns "HEAD:path" for at most n files of the tip.
func tipFiles(b *testing.B, g *testGit, n int) []string {
	b.Helper()
	var names []string
	for _, name := range strings.Split(g.run("ls-tree", "-r", "--name-only", "-z", "HEAD"), "\x00") {
		if name != "" && !strings.Contains(name, "\n") && len(names) < n {
			names = append(names, name)
		}
	}
	rand.New(rand.NewPCG(8, 9)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

func gitBatch(b *testing.B, g *testGit, input string, args ...string) {
	b.Helper()
	cmd := g.command(args...)
	cmd.Stdin = strings.NewReader(input)
	cmd.Stdout = io.Discard
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
}

// lookup resolves a path below a tree, reading each tree once.
func lookup(b *testing.B, s *store, trees map[OID][]byte, tree OID, path string) Entry {
	e := Entry{Mode: ModeTree, OID: tree}
	for name := range strings.SplitSeq(path, "/") {
		data, ok := trees[e.OID]
		if !ok {
			obj, err := s.read(e.OID, noLimit)
			if err != nil {
				b.Fatal(err)
			}
			data = obj.Data
			trees[e.OID] = data
		}
		next, ok, err := treeEntry(data, name, 20)
		if err != nil || !ok {
			b.Fatal(path, name, err)
		}
		e = next
	}
	return e
}

// BenchmarkBatch compares a batch of paths with git's cat-file, process start
// and all.
func BenchmarkBatch(b *testing.B) {
	g := benchRepo(b)
	names := tipFiles(b, g, 10000)
	var input strings.Builder
	for _, name := range names {
		fmt.Fprintf(&input, "HEAD:%s\n", name)
	}
	tree := g.oid("HEAD^{tree}")
	b.Run("check/git", func(b *testing.B) {
		for b.Loop() {
			gitBatch(b, g, input.String(), "cat-file", "--batch-check")
		}
	})
	b.Run("check/here", func(b *testing.B) {
		for b.Loop() {
			batchHere(b, g, names, tree, false)
		}
	})
	b.Run("blobs/git", func(b *testing.B) {
		for b.Loop() {
			gitBatch(b, g, input.String(), "cat-file", "--batch")
		}
	})
	b.Run("blobs/here", func(b *testing.B) {
		for b.Loop() {
			batchHere(b, g, names, tree, true)
		}
	})
}

func batchHere(b *testing.B, g *testGit, names []string, tree OID, blobs bool) {
	s, err := openStore(storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	trees := map[OID][]byte{}
	for _, name := range names {
		e := lookup(b, s, trees, tree, name)
		if e.Mode == ModeGitlink {
			continue
		}
		if _, _, err := s.stat(e.OID); err != nil {
			b.Fatal(err)
		}
		if !blobs {
			continue
		}
		if _, err := s.read(e.OID, noLimit); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAncestry asks whether a very old commit is an ancestor of the tip,
// and whether the tip is one of its parent.
func BenchmarkAncestry(b *testing.B) {
	g := benchRepo(b)
	old := g.run("rev-list", "--max-parents=0", "HEAD")
	old, _, _ = strings.Cut(old, "\n")
	tip, parent := g.oid("HEAD"), g.oid("HEAD~1")
	root, err := ParseOID(old)
	if err != nil {
		b.Fatal(err)
	}
	info := filepath.Join(g.objectDir(), "info")
	for _, kind := range []string{"objects", "graph"} {
		os.RemoveAll(filepath.Join(info, "commit-graphs"))
		os.Remove(filepath.Join(info, "commit-graph"))
		if kind == "graph" {
			g.run("commit-graph", "write", "--reachable")
		}
		for _, q := range []struct {
			name string
			a, d OID
			want bool
		}{{"root", root, tip, true}, {"rewind", tip, parent, false}} {
			b.Run(kind+"/"+q.name+"/git", func(b *testing.B) {
				for b.Loop() {
					if code := g.code("merge-base", "--is-ancestor", q.a.String(), q.d.String()); code > 1 {
						b.Fatal(code)
					}
				}
			})
			b.Run(kind+"/"+q.name+"/here", func(b *testing.B) {
				for b.Loop() {
					ancestryHere(b, g, q.a, q.d, q.want)
				}
			})
		}
	}
}

func ancestryHere(b *testing.B, g *testGit, a, d OID, want bool) {
	s, err := openStore(storeConfig{hashSize: testSize(), objectDir: g.objectDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	h := newHistory(s, testSize(), nil, false, []string{g.objectDir()})
	defer h.close()
	if got, err := h.isAncestor(a, d); err != nil || got != want {
		b.Fatal(got, err)
	}
}

// BenchmarkGitStart is what every comparison with git pays for a process.
func BenchmarkGitStart(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command("git", "version").Output(); err != nil || !bytes.HasPrefix(out, []byte("git")) {
			b.Fatal(err)
		}
	}
}
