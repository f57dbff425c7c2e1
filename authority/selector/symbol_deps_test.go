package selector

import (
	"os/exec"
	"strings"
	"testing"
)

// TestPureGo holds the C grammars out of everything but the companion.
func TestPureGo(t *testing.T) {
	for pkg, want := range map[string]bool{"ctxptr/authority/selector": false, "ctxptr/cmd/ctxptr-symbols": true} {
		cmd := exec.Command("go", "list", "-deps", pkg)
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "tree-sitter"); got != want {
			t.Errorf("%s depends on tree-sitter: %t, want %t", pkg, got, want)
		}
	}
}
