package main

import (
	"encoding/json"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// layers are the top folders in the order in which imports may run: a package
// may name packages of its own folder and of those behind it.
var layers = []string{"cmd", "resolver", "authority", "gitref"}

// reserved says which folders alone may import a module, tests included unless
// the module is an oracle of tests.
var reserved = []struct {
	module     string
	folder     string
	testOracle bool
}{
	{"github.com/zeebo/blake3", "authority", false},
	{"lukechampine.com/blake3", "authority", false},
	{"github.com/spf13/", "cmd", false},
	{"github.com/rs/zerolog", "cmd", false},
	{"github.com/yuin/goldmark", "", true},
	{"github.com/tree-sitter/", "cmd/ctxptr-symbols", false},
	{"github.com/tree-sitter-grammars/", "cmd/ctxptr-symbols", false},
	{"github.com/santhosh-tekuri/jsonschema/", "", true},
	{"github.com/rogpeppe/go-internal/diff", "resolver", false},
	{"github.com/rogpeppe/go-internal/testscript", "", true},
	{"github.com/rogpeppe/go-internal/txtar", "", true},
}

type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "ctxptr/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) < len(layers) {
		t.Fatalf("go list names %d packages, want at least %d", len(list), len(layers))
	}
	return list
}

func folderOf(importPath string) string {
	return strings.TrimPrefix(importPath, "ctxptr/")
}

// TestImportsRunOneWay holds cmd -> resolver -> authority -> gitref.
func TestImportsRunOneWay(t *testing.T) {
	for _, p := range listPackages(t) {
		from := layerOf(t, p.ImportPath)
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if !strings.HasPrefix(imported, "ctxptr/") {
				continue
			}
			if to := layerOf(t, imported); to < from {
				t.Errorf("%s imports %s: imports run %s", p.ImportPath, imported, strings.Join(layers, " -> "))
			}
		}
	}
}

func layerOf(t *testing.T, importPath string) int {
	t.Helper()
	top, _, _ := strings.Cut(folderOf(importPath), "/")
	i := slices.Index(layers, top)
	if i < 0 {
		t.Fatalf("package %s stands in none of the folders %v", importPath, layers)
	}
	return i
}

// TestReservedImports holds who may import which module.
func TestReservedImports(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		for _, imported := range p.Imports {
			checkReserved(t, p, imported, false)
			seen[imported] = true
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			checkReserved(t, p, imported, true)
		}
	}
	if !seen["github.com/spf13/cobra"] || !seen["github.com/zeebo/blake3"] {
		t.Error("the list of imports lacks modules that are certainly imported: the test sees nothing")
	}
}

func checkReserved(t *testing.T, p goPackage, imported string, inTest bool) {
	t.Helper()
	for _, r := range reserved {
		if !strings.HasPrefix(imported, r.module) {
			continue
		}
		switch {
		case r.testOracle && !inTest:
			t.Errorf("%s imports %s, which is for tests", p.ImportPath, imported)
		case r.folder != "" && folderOf(p.ImportPath) != r.folder && !strings.HasPrefix(folderOf(p.ImportPath), path.Clean(r.folder)+"/"):
			t.Errorf("%s imports %s, which is for %s alone", p.ImportPath, imported, r.folder)
		}
	}
}
