package resolver

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// leastFixes is how many vectors have a command that would supply the proof.
const leastFixes = 20

// TestFix runs the command of every record that has one, in the current folder, and
// resolves again: what was missing is not missing any more.
func TestFix(t *testing.T) {
	tried := 0
	for name, v := range readBehaviours(t, "resolve") {
		if !v.canBeFixed() {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := v.folder(t)
			v.perform(t, memberSteps, dir)
			for i, before := range v.resolve(t, dir) {
				if before.Fix == nil {
					continue
				}
				v.fix(t, dir, before.Fix)
				if after := v.resolve(t, dir)[i]; after.Code == before.Code {
					t.Errorf("%q supplies nothing: %s: %s", before.Fix, after.Code, after.MissingProof)
				}
			}
		})
	}
	if tried < leastFixes {
		t.Errorf("%d vectors have a fix, want %d at least", tried, leastFixes)
	}
}

// canBeFixed reports whether the vector has a record with a command that can be run
// here: not one that asks for a pointer, nothing that the repository arms, and nothing
// about a submodule that has no other repository.
func (v *behaviour) canBeFixed() bool {
	record := v.members[memberRecord]
	fix := strings.Contains(record, `"fix": ["git"`) || strings.Contains(record, `"fix": ["ctxptr", "resolve"`)
	steps := v.members[memberSteps]
	return fix && len(v.requires) == 0 && !strings.Contains(steps, "PWNED") && !strings.Contains(steps, "--cacheinfo 160000")
}

// fix does what a command says; the resolver is given the flags of its own.
func (v *behaviour) fix(t *testing.T, dir string, argv []string) {
	t.Helper()
	if argv[0] == "git" {
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Dir = v.config(dir).Dir
		cmd.Env = slices.Concat(os.Environ(), surroundings(dir), []string{
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		})
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", argv, err, out)
		}
		return
	}
	v.network = v.network || slices.Contains(argv, "--network")
	if i := slices.Index(argv, "--max-bytes"); i > 0 {
		var err error
		if v.maxBytes, err = strconv.ParseInt(argv[i+1], 10, 64); err != nil {
			t.Fatal(err)
		}
	}
}
