package gitref

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// revisions makes revision texts of what the round has drawn.
func (d *differ) revisions(n int) []string {
	bases := []string{"HEAD", "@", "ORIG_HEAD", "FETCH_HEAD", "origin", "nope", "a b", "0000000", strings.Repeat("0", 40), "deadbeef", "v1-0-gzzzz", "main@x"}
	for range 60 {
		if len(d.refs) > 0 {
			name := pick(d.rnd, d.refs)
			bases = append(bases, name, strings.TrimPrefix(name, "refs/"), name[strings.LastIndexByte(name, '/')+1:])
		}
	}
	for _, id := range slices.Concat(d.now.commits, d.now.oids[:min(len(d.now.oids), 20)]) {
		for _, digits := range []int{4, 5, 6, 7, 12, len(id) - 1} {
			bases = append(bases, id[:digits])
		}
		bases = append(bases, id, id, strings.ToUpper(id), "v9-3-g"+id[:9], "x-3-g"+id[:10], id[:3])
	}
	good := append([]string{"HEAD", "@", "HEAD", "HEAD~2"}, d.now.commits...)
	suffixes := []string{"~", "~1", "~3", "~100", "^", "^1", "^2", "^3", "^0", "^{}", "^{commit}", "^{tree}", "^{blob}", "^{tag}", "^{object}", "^{bogus}", "~0", "^^", "~2^2", "^{tree}^{commit}", "^2~1", "^{", "^{commit}~1"}
	var out []string
	for range n {
		rev := pick(d.rnd, good)
		if d.rnd.IntN(2) == 0 {
			rev = pick(d.rnd, bases)
		}
		if d.rnd.IntN(2) == 0 {
			rev += pick(d.rnd, suffixes)
		}
		switch d.rnd.IntN(20) {
		case 0, 1, 2, 3, 4, 5:
			rev += ":" + d.path()
		case 6, 7, 8:
			rev += pick(d.rnd, suffixes)
		case 9:
			rev = pick(d.rnd, []string{":", ":0:", ":1:", ":2:", ":4:"}) + d.path()
		}
		if rev[0] != '-' && rev[0] != '^' && !strings.Contains(rev, "\n") {
			out = append(out, rev)
		}
	}
	return out
}

// path is a path of the round, or one much like it.
func (d *differ) path() string {
	path := pick(d.rnd, d.now.paths)
	switch d.rnd.IntN(12) {
	case 0:
		return path + "/"
	case 1:
		return path + "/x"
	case 2:
		return path[:len(path)-1]
	case 3:
		return strings.ToUpper(path)
	case 4:
		return strings.Replace(path, "/", "//", 1)
	}
	return path
}

// compareResolve asks for what revisions name.
func (d *differ) compareResolve(revs []string) {
	out := strings.Split(d.g.feed(strings.Join(revs, "\n")+"\n", "cat-file", "--batch-check=%(objectname) %(objecttype)"), "\n")
	if len(out) != len(revs) {
		d.t.Fatalf("git answered %d of %d revisions", len(out), len(revs))
	}
	for i, rev := range revs {
		got, err := d.r.Resolve(d.t.Context(), rev)
		want := bySubmodule(out[i])
		if strings.HasSuffix(want, " missing") || strings.HasSuffix(want, " ambiguous") {
			want = ""
		}
		text := fmt.Sprintf("%s %s", got.OID, got.Type)
		if err == nil && want == "" {
			// The object is named, and is not here: a submodule's, or promised.
			text, want = got.OID.String(), d.output("rev-parse", "--verify", "-q", "--end-of-options", rev)
		}
		d.settle("resolve", rev, text, err, want)
	}
}

// output is what git prints, "" when it refuses.
func (d *differ) output(args ...string) string {
	out, err := d.g.command(args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// compareRefs asks for refs, what they point to and what they peel to.
func (d *differ) compareRefs(n int) {
	names := []string{"HEAD", "refs/heads/no/such"}
	for range n {
		if len(d.refs) > 0 {
			names = append(names, pick(d.rnd, d.refs))
		}
	}
	listed := map[string]string{"HEAD": d.output("symbolic-ref", "-q", "HEAD") + " " + d.output("rev-parse", "HEAD") + " " + d.output("rev-parse", "HEAD^{}")}
	format := "--format=%(refname) %(symref) %(objectname) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"
	for _, line := range nonEmpty(d.g.run(append([]string{"for-each-ref", format}, names[2:]...)...), "\n") {
		name, rest, _ := strings.Cut(line, " ")
		listed[name] = rest
	}
	for _, name := range names {
		ref, err := d.r.Ref(d.t.Context(), name)
		want := listed[name]
		// for-each-ref of git 2.39 peels one tag, not a tag of a tag.
		if ref.Type == TagObject && want != "" {
			want = want[:strings.LastIndexByte(want, ' ')+1] + d.output("rev-parse", name+"^{}")
		}
		d.settle("ref", name, fmt.Sprintf("%s %s %s", ref.Symref, ref.OID, ref.Peeled), err, want)
	}
}

// compareRead reads objects, of which some are not here.
func (d *differ) compareRead(n int) {
	const limit = 4 << 20
	pool := slices.Concat(d.now.commits, d.now.oids)
	var ids []string
	for range n {
		ids = append(ids, pick(d.rnd, pool))
	}
	ids = append(ids, strings.Repeat("1", len(pool[0])), pool[0][1:]+"0")
	out := d.g.feed(strings.Join(ids, "\n")+"\n", "cat-file", "--batch") + "\n"
	for _, id := range ids {
		line, rest, _ := strings.Cut(out, "\n")
		want, size := "", 0
		if !strings.HasSuffix(line, " missing") {
			fields := strings.Fields(line)
			if _, err := fmt.Sscan(fields[2], &size); err != nil {
				d.t.Fatalf("cat-file line %q", line)
			}
			want = fields[1] + " " + rest[:size]
			rest = rest[size+1:]
		}
		out = rest
		obj, err := d.r.Read(d.t.Context(), d.parse(id), limit)
		got := string(obj.Type) + " " + string(obj.Data)
		if err == nil && got != want {
			got, want = "other bytes", "its own"
		}
		d.settle("read", id, got, err, want)
	}
}

func (d *differ) parse(id string) OID {
	oid, err := ParseOID(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return oid
}

// compareLookup asks for kind and mode of paths in trees.
func (d *differ) compareLookup(n int) {
	for _, l := range d.now.listed {
		tree := d.g.oid(l.commit + "^{tree}")
		l.entries[""] = "040000 tree " + tree.String()
		for range n / len(d.now.listed) {
			path := d.path()
			e, err := d.r.Lookup(d.t.Context(), tree, path)
			d.settle("kind and mode", l.commit+":"+path, fmt.Sprintf("%06o %s %s", uint32(e.Mode), modeType(e.Mode), e.OID), err, l.entries[path])
		}
	}
}

// compareAncestry asks for ancestry and merge bases of commits.
func (d *differ) compareAncestry(n int) {
	for i := range n {
		a, b := pick(d.rnd, d.now.commits), pick(d.rnd, d.now.commits)
		if i%3 == 0 {
			b = d.g.run("rev-parse", "HEAD")
		}
		x, y := d.parse(a), d.parse(b)
		yes, err := d.r.IsAncestor(d.t.Context(), x, y)
		d.settle("ancestor", a+" "+b, fmt.Sprint(yes), err, fmt.Sprint(d.g.code("merge-base", "--is-ancestor", a, b) == 0))
		bases, err := d.r.MergeBases(d.t.Context(), x, y)
		want := nonEmpty(d.output("merge-base", "--all", a, b), "\n")
		slices.Sort(want)
		var got []string
		for _, id := range bases {
			got = append(got, id.String())
		}
		d.settle("merge bases", a+" "+b, fmt.Sprint(got), err, fmt.Sprint(want))
	}
}

// compareIndex compares the whole index, and entries by their paths.
func (d *differ) compareIndex() {
	want := map[string]string{}
	for _, record := range nonEmpty(d.g.run("ls-files", "--stage", "-z", "--full-name"), "\x00") {
		head, path, _ := strings.Cut(record, "\t")
		want[path] += head + "\n"
	}
	got := map[string]string{}
	for e, err := range d.r.Tracked(d.t.Context()) {
		if err != nil {
			d.t.Fatal(err)
		}
		got[e.Path] += stageLine(e)
	}
	if len(got) != len(want) {
		d.t.Errorf("the index has %d paths, git lists %d", len(got), len(want))
	}
	for path, lines := range want {
		d.settle("index", path, got[path], nil, lines)
	}
	for range 100 {
		path := d.path()
		entries, err := d.r.Index(d.t.Context(), path)
		lines := "none\n"
		if len(entries) > 0 {
			lines = ""
		}
		for _, e := range entries {
			lines += stageLine(e)
		}
		d.settle("index", path, lines, err, or(want[path], "none\n"))
	}
}

func stageLine(e IndexEntry) string {
	return fmt.Sprintf("%06o %s %d\n", uint32(e.Mode), e.OID, e.Stage)
}

// compareClean compares files of the worktree with index and HEAD, as git
// status does; a flag that hides a file from git is left out.
func (d *differ) compareClean(n int) {
	var entries []IndexEntry
	for e, err := range d.r.Tracked(d.t.Context()) {
		if err != nil {
			d.t.Fatal(err)
		}
		if e.Stage == 0 && !e.SkipWorktree && !e.AssumeValid && !e.IntentToAdd && (e.Mode == ModeFile || e.Mode == ModeExecutable) {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return
	}
	args := []string{"-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all", "--"}
	var asked []IndexEntry
	for range n {
		e := entries[d.rnd.IntN(len(entries))]
		if st, err := os.Lstat(d.file(e.Path)); err == nil && st.Mode().IsRegular() {
			asked, args = append(asked, e), append(args, e.Path)
		}
	}
	if len(asked) == 0 {
		return
	}
	states := map[string]string{}
	for _, record := range nonEmpty(d.g.run(args...), "\x00") {
		states[record[3:]] = cleanOrNot(record[0] == ' ') + " " + cleanOrNot(record[1] == ' ')
	}
	for _, e := range asked {
		got, err := d.cleanHere(e)
		d.settle("clean", e.Path, got, err, or(states[e.Path], "clean clean"))
	}
}

func cleanOrNot(clean bool) string {
	if clean {
		return "clean"
	}
	return "changed"
}

func (d *differ) file(path string) string { return filepath.Join(d.r.Top(), filepath.FromSlash(path)) }

// cleanHere says whether the index equals HEAD, and the file the index.
func (d *differ) cleanHere(e IndexEntry) (string, error) {
	st, err := os.Lstat(d.file(e.Path))
	if err != nil {
		d.t.Fatal(err)
	}
	data, err := os.ReadFile(d.file(e.Path))
	if err != nil {
		d.t.Fatal(err)
	}
	stored, err := d.r.ToGit(d.t.Context(), e.Path, data)
	if err != nil {
		return "", err
	}
	bits, err := d.r.CoreFileMode()
	if err != nil {
		return "", err
	}
	worktree := d.r.BlobOID(stored.Data) == e.OID && (!bits || (st.Mode()&0o100 != 0) == (e.Mode == ModeExecutable))
	head, err := d.r.Resolve(d.t.Context(), "HEAD^{tree}")
	if err != nil {
		return "", err
	}
	committed, err := d.r.Lookup(d.t.Context(), head.OID, e.Path)
	if err != nil && faultIn(err) != NoPath {
		return "", err
	}
	return cleanOrNot(committed == Entry{e.Mode, e.OID}) + " " + cleanOrNot(worktree), nil
}
