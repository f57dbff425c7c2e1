package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wideRepo makes a repository of so many small files, 100 a folder, all committed
// and none racy.
func wideRepo(b *testing.B, files int) string {
	b.Helper()
	repo := b.TempDir()
	for i := range files {
		dir := filepath.Join(repo, "src", fmt.Sprint("m", i/100%40), fmt.Sprint("d", i/100))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				b.Fatal(err)
			}
		}
		text := fmt.Sprintf("package p%d\n\n// file %d\n", i/100, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file_%d.go", i%100)), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	rules := "*.o\nbuild/\n/dist\nnode_modules/\n*.log\n!keep.log\n**/tmp/\n.env\n*.py[cod]\ncoverage/\n"
	if err := os.WriteFile(filepath.Join(repo, ".gitignore"), []byte(rules), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		git := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "gc.auto=0"}, args...)...)
		if text, err := git.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	// The index is rewritten once it is younger than every file.
	time.Sleep(50 * time.Millisecond)
	for _, args := range [][]string{{"update-index", "--index-version", "4"}, {"update-index", "--index-version", "2"}} {
		if text, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	return repo
}

// BenchmarkWorktree compares the identity of a working tree of 100,000 files with
// git status, and that of a folder of 10,000 with git add to a scratch index,
// which reads every file as well.
func BenchmarkWorktree(b *testing.B) {
	repo := wideRepo(b, 100_000)
	ctxptr := buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")
	mint := func(args ...string) string {
		out, err := exec.Command(ctxptr, append([]string{"-C", repo, "mint", "--kind"}, args...)...).Output()
		if err != nil {
			b.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	resolve := func(p string) func() *exec.Cmd {
		return func() *exec.Cmd { return exec.Command(ctxptr, "-C", repo, "resolve", p) }
	}
	worktree, dir := mint("worktree", "."), mint("dir", "src/m0")
	b.Run("whole", func(b *testing.B) {
		sideBySide(b, []string{"status", "worktree"}, []func() *exec.Cmd{
			func() *exec.Cmd {
				return exec.Command("git", "-C", repo, "--no-optional-locks", "status", "--porcelain")
			},
			resolve(worktree),
		})
	})
	b.Run("folder", func(b *testing.B) {
		scratch := filepath.Join(b.TempDir(), "index")
		sideBySide(b, []string{"add", "dir"}, []func() *exec.Cmd{
			func() *exec.Cmd {
				os.Remove(scratch)
				git := exec.Command("git", "-C", repo, "add", "src/m0")
				git.Env = append(os.Environ(), "GIT_INDEX_FILE="+scratch)
				return git
			},
			resolve(dir),
		})
	})
}
