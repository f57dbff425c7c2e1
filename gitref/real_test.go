package gitref

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The variables by which scripts/differential says what to compare.
const (
	realRepos = "GITREF_DIFFERENTIAL_REPOS" // paths, separated as PATH is
	realTime  = "GITREF_DIFFERENTIAL_TIME"  // for each repository
	realSeed  = "GITREF_DIFFERENTIAL_SEED"
)

// TestDifferential compares random questions about a repository with the git
// binary: about a generated one, or those that scripts/differential names.
func TestDifferential(t *testing.T) {
	seed, err := strconv.ParseUint(or(os.Getenv(realSeed), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	repos := filepath.SplitList(os.Getenv(realRepos))
	if len(repos) == 0 {
		g := richRepo(t)
		hardenRefs(g)
		d := newDiffer(t, g.dir, seed)
		for range 3 {
			d.round()
		}
		d.wantEveryOperation(10)
		return
	}
	limit, err := time.ParseDuration(or(os.Getenv(realTime), "1m"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range repos {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			d := newDiffer(t, dir, seed)
			for end := time.Now().Add(limit); time.Now().Before(end); {
				d.round()
			}
			d.wantEveryOperation(1)
			d.report(t.Output())
		})
	}
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// tally counts what became of one operation's comparisons.
type tally struct {
	compared, alike, refused, differ int
	blocked                          map[Fault]int
}

// differ compares one repository with git in rounds of random questions. It
// writes nothing into the repository.
type differ struct {
	t       *testing.T
	g       *testGit
	r       *Repo
	rnd     *rand.Rand
	counts  map[string]*tally
	refs    []string
	commits []string
	now     sample
	bare    bool
}

// newDiffer opens a repository for comparison. Neither side replaces objects,
// fetches or reads the user's configuration.
func newDiffer(t *testing.T, dir string, seed uint64) *differ {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := &testGit{t: t, dir: dir, now: 1700000000, env: []string{
		"HOME=" + t.TempDir(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=" + os.DevNull, "GIT_OPTIONAL_LOCKS=0",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1",
	}}
	d := &differ{t: t, g: g, r: g.open(), rnd: testRand(seed), counts: map[string]*tally{}}
	d.bare = d.r.Top() == ""
	d.refs = nonEmpty(g.run("for-each-ref", "--format=%(refname)"), "\n")
	d.commits = nonEmpty(g.run("rev-list", "--all"), "\n")
	if len(d.commits) == 0 {
		t.Fatal("the repository has no commit, so there is nothing to compare")
	}
	return d
}

func nonEmpty(list, separator string) []string {
	return slices.DeleteFunc(strings.Split(list, separator), func(s string) bool { return s == "" })
}

// sample is what one round asks about.
type sample struct {
	commits []string
	listed  []treeListing // of some of the commits
	paths   []string      // of their files and folders
	oids    []string      // of their entries
}

// treeListing is what git ls-tree -r -t says of one commit.
type treeListing struct {
	commit  string
	entries map[string]string // "mode type oid" by path
}

// round asks one set of random questions of every operation.
func (d *differ) round() {
	d.now = d.draw()
	d.compareResolve(d.revisions(400))
	d.compareRefs(60)
	d.compareRead(150)
	d.compareLookup(300)
	d.compareAncestry(4)
	d.compareStored(40)
	if !d.bare {
		d.compareIndex()
		d.compareClean(60)
	}
}

func (d *differ) draw() sample {
	s := sample{}
	for range 20 {
		s.commits = append(s.commits, pick(d.rnd, d.commits))
	}
	for _, c := range s.commits[:2] {
		l := treeListing{c, map[string]string{}}
		for _, record := range nonEmpty(d.g.run("ls-tree", "-r", "-t", "-z", c), "\x00") {
			head, path, _ := strings.Cut(record, "\t")
			l.entries[path] = head
		}
		s.listed = append(s.listed, l)
		all := slices.Sorted(maps.Keys(l.entries))
		for range min(len(all), 200) {
			path := pick(d.rnd, all)
			s.paths = append(s.paths, path)
			fields := strings.Fields(l.entries[path])
			s.oids = append(s.oids, fields[2])
		}
	}
	if len(s.paths) == 0 {
		s.paths = []string{"nope"}
	}
	return s
}

// answered are the faults with which a question may be refused although git has
// an answer, by operation.
var answered = map[string][]Fault{
	"resolve": {AmbiguousRef},
	"read":    {OverLimit},
	"clean":   {UnknownConversion},
	"ToGit":   {UnknownConversion},
}

// settle counts one comparison. got is the answer here, or err its refusal; want
// is git's, "" for a refusal.
func (d *differ) settle(op, question, got string, err error, want string) {
	d.t.Helper()
	n := d.counts[op]
	if n == nil {
		n = &tally{blocked: map[Fault]int{}}
		d.counts[op] = n
	}
	n.compared++
	switch fault := faultIn(err); {
	case err == nil && got == want && want != "":
		n.alike++
	case err != nil && want == "":
		n.refused++
	case err != nil && slices.Contains(answered[op], fault):
		n.blocked[fault]++
	default:
		if n.differ++; n.differ <= 20 {
			d.t.Errorf("%s %q is %q, %v; git says %q", op, question, got, err, want)
		}
	}
}

// wantEveryOperation fails when an operation was compared too rarely.
func (d *differ) wantEveryOperation(least int) {
	d.t.Helper()
	ops := []string{"resolve", "ref", "read", "kind and mode", "ancestor", "merge bases", "attributes", "ToGit"}
	if !d.bare {
		ops = append(ops, "index", "clean")
	}
	for _, op := range ops {
		if n := d.counts[op]; n == nil || n.alike < least {
			d.t.Errorf("%s was alike %v times", op, n)
		}
	}
}

// faultNames spells the faults that a report counts.
var faultNames = map[Fault]string{AmbiguousRef: "ambiguous ref", OverLimit: "over the limit", UnknownConversion: "unknown conversion"}

// report prints a Markdown table of the counts.
func (d *differ) report(w io.Writer) {
	fmt.Fprintf(w, "| %s | compared | alike | refused alike | blocked here alone | differences |\n|---|---|---|---|---|---|\n", filepath.Base(d.g.dir))
	all := &tally{blocked: map[Fault]int{}}
	for _, op := range slices.Sorted(maps.Keys(d.counts)) {
		n := d.counts[op]
		n.line(w, op)
		all.compared, all.alike, all.refused, all.differ = all.compared+n.compared, all.alike+n.alike, all.refused+n.refused, all.differ+n.differ
		for fault, count := range n.blocked {
			all.blocked[fault] += count
		}
	}
	all.line(w, "all")
}

func (n *tally) line(w io.Writer, op string) {
	var blocked []string
	for _, fault := range slices.Sorted(maps.Keys(n.blocked)) {
		blocked = append(blocked, fmt.Sprintf("%d %s", n.blocked[fault], faultNames[fault]))
	}
	fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %d |\n", op, n.compared, n.alike, n.refused, or(strings.Join(blocked, ", "), "0"), n.differ)
}
