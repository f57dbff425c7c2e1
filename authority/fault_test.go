package authority

import (
	"strings"
	"testing"

	"ctxptr/gitref"
)

// TestGitFaultIsSafe demands that what git's files and folders are called stands in a
// sentence as text that is short, and valid UTF-8.
func TestGitFaultIsSafe(t *testing.T) {
	long := strings.Repeat("n", 5000)
	for subject, want := range map[string]string{
		"":           "why",
		"docs/a b.x": "docs/a b.x: why",
		"p\xff":      `"p\xff": why`,
		"p\x1b[31m":  `"p\x1b[31m": why`,
		"docs/é":     `"docs/\u00e9": why`,
		long:         `"` + long[:200] + `"...: why`,
	} {
		f := gitFault(&gitref.Error{Fault: gitref.Denied, Subject: subject, Proof: "why"})
		if f.Code != MissingPermission || f.Proof != want {
			t.Errorf("%.20q became %s: %.220s", subject, f.Code, f.Proof)
		}
	}
}
