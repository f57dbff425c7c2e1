package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// emptyCobra is the smallest program that has a cobra command: what any command
// line of this kind costs before it does something.
const emptyCobra = `package main

import "github.com/spf13/cobra"

func main() {
	if err := (&cobra.Command{Use: "empty", Run: func(*cobra.Command, []string) {}}).Execute(); err != nil {
		panic(err)
	}
}
`

// buildFor builds a package or file of this module as it is released.
func buildFor(b *testing.B, name, what string) string {
	b.Helper()
	out := filepath.Join(b.TempDir(), name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	return out
}

// sideBySide runs commands in turn and reports each one's median time as a
// ratio to the first, so that a machine that slows down slows all of them; and
// the same of the processor time that all its threads took.
func sideBySide(b *testing.B, names []string, commands []func() *exec.Cmd) {
	times, works := make([][]float64, len(commands)), make([][]float64, len(commands))
	for i := 0; b.Loop(); i++ {
		for j := range commands {
			k := (i + j) % len(commands)
			cmd := commands[k]()
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%v: %v", cmd.Args, err)
			}
			times[k] = append(times[k], time.Since(start).Seconds())
			works[k] = append(works[k], (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
		}
	}
	base, work := median(times[0]), median(works[0])
	for k, name := range names[1:] {
		b.ReportMetric(median(times[k+1])/base, name+"/"+names[0])
		b.ReportMetric(median(works[k+1])/work, name+"-cpu/"+names[0])
	}
	b.ReportMetric(base*1e3, "ms-"+names[0])
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkStart measures one pointer in a small repository as a whole process
// against an empty cobra binary.
func BenchmarkStart(b *testing.B) {
	source := filepath.Join(b.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(emptyCobra), 0o666); err != nil {
		b.Fatal(err)
	}
	empty, ctxptr := buildFor(b, "empty", source), buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")
	repo := b.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}} {
		if args[0] == "add" {
			if err := os.WriteFile(filepath.Join(repo, "SPEC.md"), []byte("# Spec\n\n- AC-1: one\n- AC-2: two\n"), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		git := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if text, err := git.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	pointer := func(args ...string) string {
		out, err := exec.Command(ctxptr, append([]string{"-C", repo, "mint"}, args...)...).Output()
		if err != nil {
			b.Fatal(err)
		}
		return string(out[:len(out)-1])
	}
	file, item, blob := pointer("SPEC.md"), pointer("SPEC.md#AC-1"), pointer("HEAD:SPEC.md")
	resolve := func(p string) func() *exec.Cmd {
		return func() *exec.Cmd { return exec.Command(ctxptr, "-C", repo, "resolve", p) }
	}
	sideBySide(b, []string{"empty", "file", "item", "blob"}, []func() *exec.Cmd{
		func() *exec.Cmd { return exec.Command(empty) }, resolve(file), resolve(item), resolve(blob),
	})
}
