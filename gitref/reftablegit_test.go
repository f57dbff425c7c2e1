package gitref

import (
	"strings"
	"testing"
)

// tablesByGit tells whether the installed git makes reftables. One that does not
// knows no such option; the stored repositories stand in for it then.
func tablesByGit(t *testing.T) bool {
	t.Helper()
	g := &testGit{t: t, dir: t.TempDir(), now: 1700000000}
	const usage = 129
	code := g.code("init", "-q", "--ref-format=reftable")
	if code != 0 && code != usage {
		t.Fatalf("git ended with %d", code)
	}
	return code == 0
}

func TestReftableRepositoryEqualsGit(t *testing.T) {
	formats := []string{"files"}
	if tablesByGit(t) {
		formats = []string{"reftable", "sha256"}
	}
	for _, format := range formats {
		args := map[string][]string{"reftable": {"--ref-format=reftable"}, "sha256": {"--ref-format=reftable", "--object-format=sha256"}}[format]
		g := richRepo(t, args...)
		hardenRefs(g)
		conflictIndex(g)
		g.run("commit-graph", "write", "--reachable")
		for _, pack := range []func(){func() {}, func() { g.run("pack-refs", "--all") }, func() { g.run("update-ref", "refs/heads/side", "HEAD~4"); g.run("branch", "-D", "s0") }} {
			pack()
			r := g.open()
			if n := compareRefs(t, g, r); n < 19 {
				t.Errorf("%d refs were compared", n)
			}
			_, err := r.Ref(t.Context(), "refs/heads/s0x")
			wantFault(t, err, NoRef)
			compareIndex(t, g, r)
			compareHistory(t, g, r)
			if same, refused := compareRevisions(t, g, r, revisionTexts(g, testRand(17), 150)); same < 40 || refused < 40 {
				t.Errorf("%d revisions were compared, %d refused alike", same, refused)
			}
		}
		for _, rev := range []string{"twin@{0}", "twin@{1}", "twin^{/one}", "main@{1}", "v1@{0}"} {
			got, err := g.open().Resolve(t.Context(), rev)
			out, gitErr := g.command("rev-parse", "--verify", "-q", rev).Output()
			if faultIn(err) != AmbiguousRef && ((err == nil) != (gitErr == nil) || err == nil && got.OID.String() != strings.TrimSpace(string(out))) {
				t.Errorf("%s: %s is %s, %v; git says %s", format, rev, got.OID, err, out)
			}
		}
		g.run("replace", "HEAD", "HEAD~1")
		if !g.open().hasReplacements() {
			t.Errorf("%s: no replacements found", format)
		}
		g.run("replace", "-d", "HEAD")
		if g.open().hasReplacements() {
			t.Errorf("%s: replacements found", format)
		}
	}
}
