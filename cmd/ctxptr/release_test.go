package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestManPages writes the man pages, lets mandoc judge them, and looks for every
// command and option.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "-tags", "man", ".", "man", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root := newRoot(&app{}, []string{"help"})
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) != len(root.Commands())+1 {
		t.Fatalf("%d pages for %d commands (%v)", len(pages), len(root.Commands()), err)
	}
	for _, c := range append(root.Commands(), root) {
		checkPage(t, filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"), c)
	}
}

func checkPage(t *testing.T, file string, c *cobra.Command) {
	t.Helper()
	out, err := exec.Command("mandoc", "-T", "lint", "-W", "warning", file).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") { // the same commit gives the same page
			t.Errorf("%s (%v; scripts/install-test-tools installs mandoc)", line, err)
		}
	}
	shown, err := exec.Command("sh", "-c", `mandoc -T ascii -O width=200 "$1" | col -b`, "sh", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(shown)), " ")
	wanted := []string{c.Short, "EXIT STATUS"}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			wanted = append(wanted, "--"+f.Name)
		}
	})
	for line := range strings.Lines(c.Long + "\n" + c.Example) {
		wanted = append(wanted, strings.Join(strings.Fields(line), " "))
	}
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", filepath.Base(file), want)
		}
	}
}

// TestReleaseIsReproducible builds the release of one target twice.
func TestReleaseIsReproducible(t *testing.T) {
	target := runtime.GOOS + "/" + runtime.GOARCH
	name := "ctxptr-" + runtime.GOOS + "-" + runtime.GOARCH
	first, second := filepath.Join(t.TempDir(), "a b"), t.TempDir()
	for _, dir := range []string{first, second} {
		if out, err := exec.Command(filepath.Join(repositoryRoot, "scripts", "release"), dir, target).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	one, err := os.ReadFile(filepath.Join(first, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(filepath.Join(second, name+".tar.gz"))
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("two builds differ (%v)", err)
	}
	sum := sha256.Sum256(one)
	sums, err := os.ReadFile(filepath.Join(first, "SHA256SUMS"))
	if want := hex.EncodeToString(sum[:]) + "  " + name + ".tar.gz\n"; err != nil || string(sums) != want {
		t.Errorf("the checksums are %q, want %q (%v)", sums, want, err)
	}
	if out, err := exec.Command("tar", "-xzf", filepath.Join(first, name+".tar.gz"), "-C", first).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkRelease(t, filepath.Join(first, name))
}

// checkRelease looks at what an archive holds.
func checkRelease(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"LICENSE", "README.md", "man/ctxptr.1", "man/ctxptr-resolve.1", "completions/ctxptr.zsh", "completions/ctxptr.powershell", "scripts/before-act", "scripts/skill/SKILL.md", "licences/go.txt", "licences/github.com_spf13_cobra.txt"} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty (%v)", name, err)
		}
	}
	program, err := os.ReadFile(filepath.Join(dir, "ctxptr"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := filepath.Abs(repositoryRoot)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(program, []byte(tree+"/")) {
		t.Error("the program holds the path of the tree")
	}
	out, err := exec.Command(filepath.Join(dir, "ctxptr"), "version").Output()
	version, _, _ := strings.Cut(strings.TrimPrefix(string(out), "ctxptr "), "\n")
	if err != nil || version == "" || version == "(unknown)" {
		t.Errorf("the program's version is %q (%v)", out, err)
	}
	checkSBOM(t, filepath.Join(dir, "sbom.cdx.json"), version)
}

func checkSBOM(t *testing.T, file, version string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := cycloneDX(t).Validate(value); err != nil {
		t.Error(err)
	}
	var bom struct {
		Metadata struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(data, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.Metadata.Component.Name != "ctxptr" || bom.Metadata.Component.Version != version {
		t.Errorf("the document is about %+v, the program is %s", bom.Metadata.Component, version)
	}
	listed := fmt.Sprint(bom.Components)
	for _, module := range []string{"std", "github.com/spf13/cobra", "github.com/zeebo/blake3"} {
		if !strings.Contains(listed, "{"+module+" ") {
			t.Errorf("%s is not listed: %s", module, listed)
		}
	}
}

// cycloneDX is the published schema of CycloneDX 1.5.
func cycloneDX(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	const base = "http://cyclonedx.org/schema/"
	for _, name := range []string{"bom-1.5", "spdx", "jsf-0.82"} {
		name += ".SNAPSHOT.schema.json"
		data, err := os.ReadFile(filepath.Join(repositoryRoot, "scripts/consumers/node_modules/@cyclonedx/cyclonedx-library/res/schema", name))
		if err != nil {
			t.Fatalf("%v (scripts/install-test-tools installs the published schemas)", err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(base+name, value); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(base + "bom-1.5.SNAPSHOT.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
