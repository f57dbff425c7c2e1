package gitref

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// canary configures programs that leave a file behind when anything runs them,
// and checks when the test ends that nothing did.
func canary(t *testing.T, g *testGit) {
	t.Helper()
	pwned := filepath.Join(t.TempDir(), "PWNED")
	touch := "touch " + pwned + ";"
	for key, value := range map[string]string{
		"core.fsmonitor": touch + "false", "filter.x.clean": touch + "cat", "filter.x.smudge": touch + "cat", "filter.x.process": touch + "cat",
		"diff.x.textconv": touch + "cat", "diff.x.command": touch + "cat", "remote.origin.uploadpack": touch + "git-upload-pack", "core.sshCommand": touch + "ssh",
		"core.pager": touch + "cat", "pager.rev-parse": touch + "cat", "pager.for-each-ref": touch + "cat", "core.editor": touch + "true", "core.askPass": touch + "true",
		"credential.helper": "!" + touch, "gpg.program": touch + "gpg", "alias.rev-parse": "!" + touch, "alias.cat-file": "!" + touch, "uploadpack.packObjectsHook": touch + "cat",
		"remote.origin.vcs": "ext", "remote.origin.url": "ext::sh -c " + touch, "trace2.eventTarget": pwned, "core.gitProxy": touch + "cat",
	} {
		g.run("config", key, value)
	}
	hooks := mkdir(t, filepath.Join(t.TempDir(), "hooks"))
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-commit", "query-watchman"} {
		put(t, filepath.Join(hooks, hook), "#!/bin/sh\n"+touch+"\n")
		chmod(t, filepath.Join(hooks, hook), 0o777)
	}
	g.run("config", "core.hooksPath", hooks)
	put(t, filepath.Join(g.dir, ".git/info/attributes"), "* filter=x diff=x\n")
	t.Cleanup(func() {
		if exists(pwned) {
			t.Error("a program of the repository's configuration ran")
		}
	})
}

// useEverything asks one question of every kind, and does not care for answers.
func useEverything(t *testing.T, r *Repo, ids ...OID) {
	t.Helper()
	for _, rev := range []string{"HEAD", "HEAD:f", ":f", "@{0}", "HEAD^{/one}", ":/one", "--upload-pack=touch PWNED", "ext::sh", "HEAD~1", "HEAD@{upstream}", "v1-1-gabcd"} {
		_, _ = r.Resolve(t.Context(), rev)
	}
	for _, id := range ids {
		_, _, _ = r.Stat(t.Context(), id)
		_, _ = r.Read(t.Context(), id, 1<<20)
		_, _ = r.IsAncestor(t.Context(), id, id)
		_, _ = r.MergeBases(t.Context(), id, ids[0])
		_, _ = r.Lookup(t.Context(), id, "f")
	}
	_, _ = r.Index(t.Context(), "f")
	_, err := r.ToGit(t.Context(), "f", []byte("x\r\n"))
	wantFault(t, err, UnknownConversion)
	_, _ = r.Attribute(t.Context(), "f", "filter")
	_, _ = r.Ref(t.Context(), "refs/remotes/origin/HEAD")
	r.Notes()
}

func TestConfigurationNeverRunsAProgram(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		t.Run(fmt.Sprintf("foreign=%t", foreign), func(t *testing.T) {
			g := newTestGit(t)
			g.foreign = foreign
			g.write("f", "one\n")
			g.commit("one")
			g.write("f", "two\n")
			ids := []OID{g.commit("two"), g.oid("HEAD~1"), g.oid("HEAD:f"), g.oid("HEAD^{tree}"), {sum: [32]byte{1}, size: uint8(len(g.oid("HEAD").Bytes()))}}
			g.run("config", "core.repositoryformatversion", "1")
			g.run("config", "extensions.partialClone", "origin")
			g.run("config", "remote.origin.promisor", "true")
			g.run("update-index", "--split-index")
			canary(t, g)
			useEverything(t, g.open(), ids...)
		})
	}
}

func TestForeignRepositoryIsAnsweredByGit(t *testing.T) {
	g := richRepo(t)
	g.foreign = true
	hardenRefs(g)
	conflictIndex(g)
	r := g.open()
	if isNative(r) {
		t.Error("read natively")
	}
	compareRefs(t, g, r)
	compareIndex(t, g, r)
	compareTrees(t, g, r)
	compareHistory(t, g, r)
	if same, refused := compareRevisions(t, g, r, revisionTexts(g, testRand(7), 300)); same < 80 || refused < 80 {
		t.Errorf("%d revisions were compared, %d refused alike", same, refused)
	}
	for _, name := range []string{"HEAD:f", "HEAD", "HEAD^{tree}", "v1"} {
		id := g.oid(name)
		obj, err := r.Read(t.Context(), id, 1<<20)
		if err != nil || objectID(obj.Type, obj.Data, testSize()) != id {
			t.Errorf("%s: %v", name, err)
		}
		_, err = r.Read(t.Context(), id, 1)
		wantFault(t, err, OverLimit)
	}
	if id := r.BlobOID([]byte("x")); id.String() != g.feed("x", "hash-object", "--stdin") {
		t.Errorf("blob id %s", id)
	}
	for _, size := range []int{sha1Size, sha256Size} {
		_, err := r.Read(t.Context(), BlobOID([]byte("absent"), size), 1<<20)
		wantFault(t, err, NoObject)
	}
	_, err := g.tryOpen(g.dir, "PATH=/nowhere")
	wantRefused(t, err, "extensions.unheard")
}

func TestDamagedObjectBehindGitIsCorrupt(t *testing.T) {
	g := newTestGit(t)
	g.foreign = true
	g.write("f", "one\n")
	g.commit("c")
	id, other := g.oid("HEAD:f"), g.oid("HEAD^{tree}")
	name := filepath.Join(g.objectDir(), id.String()[:2], id.String()[2:])
	chmod(t, name, 0o666)
	put(t, name, "garbage")
	r := g.open()
	_, err := r.Read(t.Context(), id, 1<<20)
	wantFault(t, err, Corrupt)
	if _, err := r.Read(t.Context(), other, 1<<20); err != nil {
		t.Errorf("another object after a failure: %v", err)
	}
}

func TestFormatGate(t *testing.T) {
	for _, c := range []struct {
		config  []string
		fault   Fault
		subject string
		native  bool
	}{
		{[]string{"core.repositoryformatversion=0"}, 0, "", true},
		{[]string{"core.repositoryformatversion=1"}, 0, "", true},
		{[]string{"core.repositoryformatversion=99"}, Unsupported, "core.repositoryformatversion=99", false},
		{[]string{"core.repositoryformatversion=2"}, Unsupported, "core.repositoryformatversion=2", false},
		{[]string{"core.repositoryformatversion=1", "extensions.foo=true"}, Unsupported, "extensions.foo", false},
		{[]string{"core.repositoryformatversion=0", "extensions.foo=true"}, 0, "", true},
		{[]string{"core.repositoryformatversion=1", "extensions.refstorage=packfile"}, Unsupported, "extensions.refstorage=packfile", false},
		{[]string{"core.repositoryformatversion=1", "extensions.foo=true", "extensions.refstorage=packfile"}, Unsupported, "extensions.foo, extensions.refstorage=packfile", false},
		{[]string{"core.repositoryformatversion=1", "extensions.noop=true", "extensions.preciousObjects=true", "extensions.worktreeConfig=true"}, 0, "", true},
		{[]string{"core.repositoryformatversion=1", "extensions.objectFormat=sha1"}, 0, "", true},
		{[]string{"core.repositoryformatversion=1", "extensions.objectFormat=sha512"}, Unsupported, "extensions.objectformat=sha512", false},
		{[]string{"core.repositoryformatversion=0", "extensions.objectFormat=sha1"}, Unsupported, "extensions.objectformat=sha1", false},
		{[]string{"core.repositoryformatversion=1", "extensions.noop-v1=true"}, 0, "", true},
		{[]string{"core.repositoryformatversion=-1"}, 0, "", true},
	} {
		g := newTestGit(t, "--object-format=sha1")
		g.write("f", "x\n")
		g.commit("c")
		for _, kv := range c.config {
			key, value, _ := strings.Cut(kv, "=")
			g.run("config", "-f", ".git/config", key, value)
		}
		gitReads := g.code("rev-parse", "--verify", "-q", "HEAD") == 0
		r, err := g.tryOpen(g.dir)
		if faultIn(err) != c.fault || gitReads != (c.fault == 0) {
			t.Errorf("%v: %v, git reads it: %t", c.config, err, gitReads)
			continue
		}
		if e, ok := err.(*Error); ok && e.Subject != c.subject {
			t.Errorf("%v: subject %q, want %q", c.config, e.Subject, c.subject)
		}
		if err == nil && isNative(r) != c.native {
			t.Errorf("%v: native %t", c.config, isNative(r))
		}
	}
}

// Whatever git is installed, an extension that changes nothing of what is read
// here is no hindrance; what only git answers is refused by name where it refuses
// the repository.
func TestExtensionsOfNewerGits(t *testing.T) {
	for _, c := range []struct {
		config []string
		want   string // the subject of the refusal, "" for none
	}{
		{[]string{"1", "extensions.relativeWorktrees=true"}, ""},
		{[]string{"1", "extensions.submodulePathConfig=true"}, ""},
		{[]string{"1", "extensions.refStorage=files"}, ""},
		{[]string{"1", "extensions.refStorage=files", "extensions.relativeWorktrees=true"}, ""},
		{[]string{"0", "extensions.refStorage=files"}, "extensions.refstorage=files"},
		{[]string{"0", "extensions.relativeWorktrees=true"}, "extensions.relativeworktrees"},
		{[]string{"0", "extensions.compatObjectFormat=sha256"}, "extensions.compatobjectformat=sha256"},
		{[]string{"", "extensions.refStorage=reftable", "extensions.objectFormat=sha256"}, ""},
	} {
		g := newTestGit(t, "--object-format=sha1")
		head := g.commit("c")
		g.run("config", "--unset", "core.repositoryformatversion")
		for _, kv := range append([]string{"core.repositoryformatversion=" + c.config[0]}, c.config[1:]...) {
			if key, value, _ := strings.Cut(kv, "="); value != "" {
				g.run("config", "-f", ".git/config", key, value)
			}
		}
		r, err := g.tryOpen(g.dir)
		if c.want != "" {
			wantRefused(t, err, c.want)
			continue
		}
		if err != nil || !isNative(r) {
			t.Fatalf("%v: not read natively, %v", c.config, err)
		}
		if rev, err := r.Resolve(t.Context(), "HEAD"); err != nil || rev.OID != head {
			t.Errorf("%v: HEAD is %s, %v", c.config, rev.OID, err)
		}
		rev, err := r.Resolve(t.Context(), "HEAD@{0}")
		if g.code("rev-parse", "--verify", "HEAD@{0}") != 0 {
			wantRefused(t, err, r.format.extensions())
		} else if err != nil || rev.OID != head {
			t.Errorf("%v: HEAD@{0} is %s, %v", c.config, rev.OID, err)
		}
	}
}

func TestRefStorageOfTheEnvironment(t *testing.T) {
	g := newTestGit(t)
	head := g.commit("c")
	if rev, err := g.open("GIT_REFERENCE_BACKEND=files").Resolve(t.Context(), "HEAD"); err != nil || rev.OID != head {
		t.Errorf("HEAD is %s, %v", rev.OID, err)
	}
	for _, value := range []string{"reftable", "files:///nowhere", "x"} {
		_, err := g.tryOpen(g.dir, "GIT_REFERENCE_BACKEND="+value)
		wantRefused(t, err, "GIT_REFERENCE_BACKEND")
	}
}

// What is of no concern here may stand in a configuration in any form.
func TestUnrelatedConfigurationIsIgnored(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "x\n")
	c := g.commit("c")
	name := filepath.Join(g.dir, ".git/config")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, "\xef\xbb\xbf"+string(text)+"[remote \"o\"]\n\tfetch = ^refs/heads/x\n[pack]\n\twindow = 10k\n[branch \"a b\"]\n\tremote\n")
	rev, err := g.open().Resolve(t.Context(), "HEAD")
	if err != nil || rev.OID != c {
		t.Errorf("HEAD is %s, %v", rev.OID, err)
	}
}

func TestPartialCloneNamesWhatIsNotLocal(t *testing.T) {
	src := newTestGit(t)
	src.write("f", "one\n")
	src.commit("c")
	src.run("config", "uploadpack.allowFilter", "true")
	g := src.clone("--filter=blob:none", "-n")
	blob := src.oid("HEAD:f")
	pwned := filepath.Join(t.TempDir(), "PWNED")
	g.run("config", "remote.origin.uploadpack", "touch "+pwned+"; git-upload-pack")
	r := g.open()
	_, err := r.Resolve(t.Context(), blob.String())
	wantFault(t, err, NotLocal)
	rev, err := r.Resolve(t.Context(), "HEAD:f")
	if err != nil || rev.OID != blob {
		t.Errorf("HEAD:f is %s, %v", rev.OID, err)
	}
	_, err = r.Read(t.Context(), blob, 1<<20)
	wantFault(t, err, NotLocal)
	if !slices.Equal(r.Notes(), []string{"partial-clone"}) {
		t.Errorf("notes %v", r.Notes())
	}
	if exists(pwned) {
		t.Error("upload-pack ran")
	}
}

func TestShallowCloneKnowsItsBoundary(t *testing.T) {
	src := newTestGit(t)
	first := src.commit("first")
	for range 6 {
		src.commit("next")
	}
	g := src.clone("--depth", "3")
	r := g.open()
	if rev, err := r.Resolve(t.Context(), "HEAD~2"); err != nil || rev.OID != g.oid("HEAD~2") {
		t.Errorf("HEAD~2 is %s, %v", rev.OID, err)
	}
	_, err := r.Resolve(t.Context(), "HEAD~3")
	wantFault(t, err, Shallow)
	_, err = r.Resolve(t.Context(), "HEAD~2^2")
	wantFault(t, err, NoRevision)
	if yes, err := r.IsAncestor(t.Context(), g.oid("HEAD~2"), g.oid("HEAD")); err != nil || !yes {
		t.Errorf("HEAD~2 is an ancestor: %t, %v", yes, err)
	}
	orphan := g.run("commit-tree", "-m", "orphan", "HEAD^{tree}")
	id, _ := ParseOID(orphan)
	_, err = r.IsAncestor(t.Context(), id, g.oid("HEAD"))
	wantFault(t, err, Shallow)
	_, err = r.MergeBases(t.Context(), id, g.oid("HEAD"))
	wantFault(t, err, Shallow)
	_, err = r.Read(t.Context(), first, 1<<20)
	wantFault(t, err, NoObject)
	if !slices.Equal(r.Notes(), []string{"shallow"}) {
		t.Errorf("notes %v", r.Notes())
	}
}

func TestReplacementsAndGraftsAreStatedAndNotApplied(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "one\n")
	a := g.commit("a")
	g.write("f", "two\n")
	b := g.commit("b")
	blob := g.oid("HEAD:f")
	g.run("replace", b.String(), a.String())
	r := g.open()
	rev, err := r.Resolve(t.Context(), "HEAD:f")
	if err != nil || rev.OID != blob {
		t.Errorf("HEAD:f is %s, %v, want the unreplaced %s", rev.OID, err, blob)
	}
	if !slices.Equal(r.Notes(), []string{"replace-refs"}) {
		t.Errorf("notes %v", r.Notes())
	}
	g.run("pack-refs", "--all")
	put(t, filepath.Join(g.dir, ".git/info/grafts"), "# none\n"+b.String()+"\n")
	put(t, filepath.Join(g.dir, ".git/shallow"), a.String()+"\n")
	r = g.open()
	if yes, err := r.IsAncestor(t.Context(), a, b); err != nil || !yes {
		t.Errorf("a is an ancestor of b: %t, %v", yes, err)
	}
	if !slices.Equal(r.Notes(), []string{"grafts", "replace-refs", "shallow"}) {
		t.Errorf("notes %v", r.Notes())
	}
}

func TestNamesLikeOtherNames(t *testing.T) {
	g := newTestGit(t)
	g.write("f", "x\n")
	a := g.commit("a")
	b := g.commit("b")
	g.run("update-ref", "refs/heads/"+a.String()[:7], b.String())
	g.run("update-ref", "refs/heads/"+a.String(), b.String())
	g.run("update-ref", "refs/heads/bad", a.String())
	g.run("update-ref", "refs/heads/HEAD", a.String())
	g.run("update-ref", "refs/heads/v", a.String())
	g.run("update-ref", "refs/tags/v", b.String())
	r := g.open()
	for rev, want := range map[string]OID{a.String()[:7]: b, a.String(): a, "bad": a, "heads/v": a, "tags/v": b, a.String()[:8]: a} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got.OID != want || g.run("rev-parse", rev) != want.String() {
			t.Errorf("%s is %s, %v, want %s", rev, got.OID, err, want)
		}
	}
	for rev, want := range map[string][]string{"v": {"refs/tags/v", "refs/heads/v"}, "HEAD": {"HEAD", "refs/heads/HEAD"}, "HEAD~1": {"HEAD", "refs/heads/HEAD"}, "@": {"HEAD", "refs/heads/HEAD"}} {
		_, err := r.Resolve(t.Context(), rev)
		wantFault(t, err, AmbiguousRef)
		if e, ok := err.(*Error); ok && !slices.Equal(e.Candidates, want) {
			t.Errorf("%s: candidates %v, want %v", rev, e.Candidates, want)
		}
	}
	if ref, err := r.Ref(t.Context(), "HEAD"); err != nil || ref.OID != b {
		t.Errorf("by its full name HEAD is %+v, %v", ref, err)
	}
}

// What gitrevisions(7) calls the output of git describe is a ref name, a number
// and an id; older gits took more for it.
func TestDescribeNames(t *testing.T) {
	g := newTestGit(t)
	c := g.commit("c")
	r := g.open()
	for prefix, is := range map[string]bool{
		"v1-0": true, "v1-12": true, "a/b-c-3": true, "v1-a": true, "v": false, "v1-": false, "-1": false, "1": false, "a..b-1": false, "a b-1": false, "v1-x": false,
	} {
		name := prefix + "-g" + c.String()[:9]
		rev, err := r.Resolve(t.Context(), name)
		if (err == nil) != is || is && rev.OID != c {
			t.Errorf("%s is %s, %v", name, rev.OID, err)
		}
		if is && g.run("rev-parse", "--verify", "--end-of-options", name) != c.String() {
			t.Errorf("git does not read %s", name)
		}
	}
}

func TestRevisionSaysWhichRefItIs(t *testing.T) {
	g := richRepo(t)
	hardenRefs(g)
	r := g.open()
	for rev, want := range map[string][2]string{
		"main": {"refs/heads/main"}, "HEAD": {"HEAD", "refs/heads/main"}, "@": {"HEAD", "refs/heads/main"}, "v1": {"refs/tags/v1"}, "origin": {"refs/remotes/origin/HEAD", "refs/remotes/origin/main"},
		"refs/heads/side": {"refs/heads/side"}, "sym": {"refs/heads/sym", "refs/heads/side"}, "HEAD~1": {}, "HEAD^{}": {}, "HEAD:f": {}, g.run("rev-parse", "HEAD"): {},
	} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got.Ref != want[0] || got.Symref != want[1] {
			t.Errorf("%s: %+v, %v, want %v", rev, got, err, want)
		}
	}
	v, err := r.Resolve(t.Context(), "v1")
	if err != nil || v.Type != TagObject || v.OID != g.oid("v1") {
		t.Errorf("v1 is %+v, %v", v, err)
	}
}

func TestFaultsOfRevisions(t *testing.T) {
	g := richRepo(t)
	r := g.open()
	for rev, want := range map[string]Fault{
		"": BadRevision, "-": BadRevision, "--all": BadRevision, "^HEAD": BadRevision, "a..b": BadRevision, "main...side": BadRevision, "HEAD^@": BadRevision, "HEAD^!": BadRevision, "HEAD^-": BadRevision,
		"HEAD^-1": BadRevision, "a b": BadRevision, "HEAD^{bogus}": BadRevision, "HEAD\x00": BadRevision, "~1": BadRevision, "HEAD:../f": BadRevision, ":../f": BadRevision, "..": BadRevision, "HEAD..": BadRevision,
		"nope": NoRevision, "HEAD~1000": NoRevision, "HEAD^9": NoRevision, "HEAD^{/no such message}": NoRevision, ":/no such message": NoRevision, "main@{2000}": NoRevision,
		"twin": AmbiguousRef, "twin~1:f": AmbiguousRef, "twin^{/one}": AmbiguousRef, "HEAD:nope": NoPath, "HEAD:f/x": NoPath, "HEAD:sub/x": InSubmodule, ":nope": NoPath, ":3:f": NoPath, ":9:f": NoPath,
		"HEAD:f^{tree}": NoPath, "blobtag^{commit}": WrongType, "blobtag~1": WrongType, "blobtag:x": WrongType, strings.Repeat("1", 2*testSize()): NoObject, "HEAD^{tag}": WrongType,
	} {
		_, err := r.Resolve(t.Context(), rev)
		if faultIn(err) != want {
			t.Errorf("%q: %v (fault %d), want %d", rev, err, faultIn(err), want)
		}
	}
	for _, rev := range []string{"main@{1}", ":/one", "HEAD^{/one}"} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got.OID != g.oid(rev) {
			t.Errorf("%s is %s, %v", rev, got.OID, err)
		}
		_, err = g.open("PATH=").Resolve(t.Context(), rev)
		wantFault(t, err, Unsupported)
	}
}

func TestModesAndKinds(t *testing.T) {
	g := richRepo(t)
	r := g.open()
	for path, want := range map[string]Mode{"f": ModeFile, "exec": ModeExecutable, "link": ModeSymlink, "sub": ModeGitlink, "d": ModeTree} {
		e, err := r.Lookup(t.Context(), g.oid("HEAD^{tree}"), path)
		if err != nil || e.Mode != want {
			t.Errorf("%s has mode %o, %v", path, e.Mode, err)
		}
	}
	if on, err := r.CoreFileMode(); !on || err != nil {
		t.Errorf("core.fileMode is off, %v", err)
	}
	g.run("config", "core.fileMode", "false")
	if on, err := g.open().CoreFileMode(); on || err != nil {
		t.Errorf("core.fileMode is on, %v", err)
	}
}

func TestAmbiguousAbbreviationsEqualGit(t *testing.T) {
	g := newTestGit(t)
	g.commit("base")
	seen := map[string]string{}
	var pairs []string
	for i := range 1500 {
		content := strings.Repeat("z", i)
		id := BlobOID([]byte(content), testSize()).String()
		if other, ok := seen[id[:4]]; ok {
			g.feed(content, "hash-object", "-w", "--stdin")
			g.feed(other, "hash-object", "-w", "--stdin")
			pairs = append(pairs, id[:4])
			if len(pairs) == 3 {
				break
			}
		}
		seen[id[:4]] = content
	}
	if len(pairs) < 3 {
		t.Fatal("no two ids share four digits")
	}
	r := g.open()
	for _, p := range pairs {
		_, err := r.Resolve(t.Context(), p)
		wantFault(t, err, AmbiguousRevision)
		want := strings.Split(g.run("rev-parse", "--disambiguate="+p), "\n")
		slices.Sort(want)
		if e, ok := err.(*Error); ok && !slices.Equal(e.Candidates, want) {
			t.Errorf("%s: %v, want %v", p, e.Candidates, want)
		}
	}
}
