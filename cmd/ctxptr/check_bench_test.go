package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The sizes of what is checked below: the rivals' own documents are small, and
// twenty times is the goal.
const (
	linkFiles     = 100
	linksEach     = 10
	symbolFiles   = 200
	symbolsEach   = 5
	treeFiles     = 20_000
	treePointers  = 100
	rivalsProgram = "../../scripts/rivals/node_modules/.bin/"
)

// writeTree writes files below a folder.
func writeTree(b *testing.B, dir string, files map[string]string) {
	b.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
}

// rival returns a program that scripts/bench installs.
func rival(b *testing.B, name string) string {
	b.Helper()
	full, err := filepath.Abs(rivalsProgram + name)
	if err == nil {
		_, err = os.Stat(full)
	}
	if err != nil {
		b.Skipf("%s is not installed: scripts/bench does it", name)
	}
	return full
}

// in runs a command in a folder, and lets it find something wrong.
func in(dir string, args ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		return cmd
	}
}

// BenchmarkLinks checks a thousand relative links with fragments, all of them
// right, against what is used for that.
func BenchmarkLinks(b *testing.B) {
	remark, check := rival(b, "remark"), rival(b, "markdown-link-check")
	dir, files, names := b.TempDir(), map[string]string{}, []string{}
	for i := range linkFiles {
		var text strings.Builder
		fmt.Fprintf(&text, "# Document %d\n", i)
		for k := range linksEach {
			fmt.Fprintf(&text, "\n## Part %d of %d\n\nSee [that](doc%d.md#part-%d-of-%[3]d).\n", k, i, (i+k+1)%linkFiles, k)
		}
		name := fmt.Sprintf("doc%d.md", i)
		files[name], names = text.String(), append(names, name)
	}
	writeTree(b, dir, files)
	commitAll(b, dir)
	plugin, err := filepath.Abs("../../scripts/rivals/node_modules/remark-validate-links/index.js")
	if err != nil {
		b.Fatal(err)
	}
	ctxptr := buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")
	sideBySide(b, []string{"ctxptr", "remark", "markdown-link-check"}, []func() *exec.Cmd{
		in(dir, ctxptr, "check", "--plain"),
		in(dir, remark, "--quiet", "--frail", "--no-stdout", "--use", plugin+"=repository:false", "."),
		in(dir, append([]string{check, "--quiet"}, names...)...),
	})
}

func commitAll(b *testing.B, dir string) {
	b.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one"}} {
		if text, err := gitIn(dir, args...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
}

// BenchmarkSymbols proves a thousand references to functions in two hundred files
// against lat.md's check of as many.
func BenchmarkSymbols(b *testing.B) {
	lat := rival(b, "lat")
	bin := b.TempDir()
	for _, name := range []string{"ctxptr", "ctxptr-symbols"} {
		if text, err := exec.Command("go", "build", "-o", bin, "ctxptr/cmd/"+name).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	dir, files := b.TempDir(), map[string]string{}
	var targets []string
	var sections strings.Builder
	for i := range symbolFiles {
		var text strings.Builder
		fmt.Fprintf(&sections, "\n## Part %d\n\nWhat file %[1]d does:", i)
		for k := range symbolsEach {
			fmt.Fprintf(&text, "export function work%d(input: string): string {\n  return input + %q;\n}\n\n", k, strconv.Itoa(i*symbolsEach+k))
			targets = append(targets, fmt.Sprintf("src/file%d.ts#symbol=work%d", i, k))
			fmt.Fprintf(&sections, " [[src/file%d.ts#work%d]]", i, k)
		}
		sections.WriteString(".\n")
		files[fmt.Sprintf("src/file%d.ts", i)] = text.String()
	}
	files["lat.md/lat.md"] = "# Lat\n\nAll parts.\n\n- [[parts]] — all parts\n"
	files["lat.md/parts.md"] = "# Parts\n\nAll parts.\n" + sections.String()
	writeTree(b, dir, files)
	commitAll(b, dir)
	minted, err := in(dir, append([]string{filepath.Join(bin, "ctxptr"), "mint"}, targets...)...)().Output()
	if err != nil {
		b.Fatal(err)
	}
	pointers := func() *exec.Cmd {
		cmd := in(dir, filepath.Join(bin, "ctxptr"), "resolve", "-")()
		cmd.Stdin = bytes.NewReader(minted)
		return cmd
	}
	sideBySide(b, []string{"ctxptr", "lat"}, []func() *exec.Cmd{pointers, in(dir, lat, "check")})
}

// BenchmarkCheck checks a large tree with few pointers against a search of it for
// the scheme. CTXPTR_BENCH_TREE names another tree.
func BenchmarkCheck(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Skip("ripgrep is not installed: scripts/bench does it")
	}
	ctxptr := buildFor(b, "ctxptr", "ctxptr/cmd/ctxptr")
	dir := os.Getenv("CTXPTR_BENCH_TREE")
	if dir == "" {
		dir = b.TempDir()
		makeTree(b, dir, ctxptr)
	}
	sideBySide(b, []string{"rg", "ctxptr"}, []func() *exec.Cmd{
		in(dir, rg, "-l", "ctxptr:", "."), in(dir, ctxptr, "check"),
	})
}

// makeTree writes documents, some of which hold a pointer to another one.
func makeTree(b *testing.B, dir, ctxptr string) {
	files := map[string]string{}
	var targets []string
	for i := range treeFiles {
		var text strings.Builder
		fmt.Fprintf(&text, "# Document %d\n\n", i)
		for k := range 12 {
			fmt.Fprintf(&text, "- R-%d.%d: %s\n", i, k, strings.Repeat("some words of a requirement ", 3))
		}
		name := fmt.Sprintf("d%03d/f%03d.md", i/100, i%100)
		files[name] = text.String()
		if i%(treeFiles/treePointers) == 0 {
			targets = append(targets, fmt.Sprintf("%s#item=R-%d.3", name, i))
		}
	}
	writeTree(b, dir, files)
	minted, err := in(dir, append([]string{ctxptr, "mint"}, targets...)...)().Output()
	if err != nil {
		b.Fatal(err)
	}
	writeTree(b, dir, map[string]string{"plan.md": string(minted)})
	commitAll(b, dir)
}
