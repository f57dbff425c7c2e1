package resolver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
)

const anyIdentity = "blake3:3ae7d805f6789a6402acb70ad4096a85a56bf6804eaf25c0493ac697548d30b5"

func inputsPointer(name string) string {
	return "ctxptr:inputs:" + name + "@" + anyIdentity + ":matches_current"
}

// TestInputsThatAllNameEachOther resolves sets each of which lists all of them:
// there are more ways through them than could ever be gone.
func TestInputsThatAllNameEachOther(t *testing.T) {
	w, first := openFolder(t, "s0", "")
	var all []string
	for i := range 40 {
		all = append(all, inputsPointer(fmt.Sprintf("s%d", i)))
	}
	for i := range all {
		writeInputs(t, filepath.Dir(first), fmt.Sprintf("s%d", i), all...)
	}
	for i, r := range resolveTexts(t, w, Options{}, all...) {
		if want := `the set of inputs "s0" reaches itself`; r.Code != authority.MalformedAuthority || r.MissingProof != want {
			t.Errorf("set %d: %s: %s, want %s", i, r.Code, r.MissingProof, want)
		}
	}
}

// TestInputsDepthIsOfTheSet resolves a chain of sets from each of its links:
// what a set is does not depend on which sets were resolved before it.
func TestInputsDepthIsOfTheSet(t *testing.T) {
	const links = maxNested + 20
	w, first := openFolder(t, "leaf", "leaf\n")
	dir := filepath.Dir(first)
	writeInputs(t, dir, "s0", "ctxptr:file:leaf@"+anyIdentity+":matches_current")
	pointers := []string{inputsPointer("s0")}
	for i := 1; i < links; i++ {
		writeInputs(t, dir, fmt.Sprintf("s%d", i), pointers[i-1])
		pointers = append(pointers, inputsPointer(fmt.Sprintf("s%d", i)))
	}
	for i := range pointers {
		alone := resolveTexts(t, w, Options{}, pointers[i])[0].Code
		want := authority.StaleIdentity
		if i >= maxNested {
			want = authority.MissingLimit
		}
		if alone != want {
			t.Errorf("a set of %d levels alone: %s, want %s", i+1, alone, want)
		}
	}
	for i, r := range resolveTexts(t, w, Options{}, pointers...) {
		if tooDeep := r.Code == authority.MissingLimit; tooDeep != (i >= maxNested) {
			t.Errorf("a set of %d levels among the others: %s", i+1, r.Code)
		}
	}
}

func writeInputs(t *testing.T, dir, name string, pointers ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(pointers, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}
