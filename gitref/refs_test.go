package gitref

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// compareRefs compares single refs by exact name with git for-each-ref and
// git rev-parse.
func compareRefs(t *testing.T, g *testGit, r *Repo) int {
	t.Helper()
	format := "--format=%(refname)%00%(symref)%00%(objectname)%00%(objecttype)%00%(*objectname)"
	n := 0
	for line := range strings.SplitSeq(g.run("for-each-ref", format), "\n") {
		f := strings.Split(line, "\x00")
		ref, err := r.Ref(t.Context(), f[0])
		if err != nil || ref.Symref != f[1] || ref.OID.String() != f[2] || string(ref.Type) != f[3] || ref.Name != f[0] {
			t.Errorf("%v: %+v, %v", f, ref, err)
			continue
		}
		if want := g.run("rev-parse", f[0]+"^{}"); ref.Peeled.String() != want {
			t.Errorf("%s peels to %s, git says %s", f[0], ref.Peeled, want)
		}
		if typ := g.run("cat-file", "-t", ref.Peeled.String()); typ != string(ref.PeeledType) {
			t.Errorf("%s peels to a %s, git says %s", f[0], ref.PeeledType, typ)
		}
		n++
	}
	return n
}

func TestRefsEqualGit(t *testing.T) {
	g := richRepo(t)
	hardenRefs(g)
	for _, pack := range []func(){func() {}, func() { g.run("pack-refs", "--all") }, func() { g.run("update-ref", "refs/heads/side", "HEAD~4") }, func() { unsortPackedRefs(t, g) }} {
		pack()
		if n := compareRefs(t, g, g.open()); n < 20 {
			t.Errorf("%d refs were compared", n)
		}
	}
	r := g.open()
	for _, name := range []string{"refs/heads/nope", "refs/heads", "refs/heads/main/x", "refs/heads/Main", "refs/heads/deep", "FETCH_HEAD", "refs/tags/v1x", "refs/" + strings.Repeat("x", 5000)} {
		_, err := r.Ref(t.Context(), name)
		wantFault(t, err, NoRef)
	}
	for _, name := range []string{"main", "heads/main", "refs/heads/a..b", "refs/heads/", "", "-x", "refs/heads/x.lock", "@", "refs//x", "config", "refs/heads/\x01"} {
		_, err := r.Ref(t.Context(), name)
		wantFault(t, err, BadRevision)
	}
	ref, err := r.Ref(t.Context(), "refs/heads/dangling")
	if wantFault(t, err, NoRef); ref.Symref != "refs/heads/nowhere" {
		t.Errorf("dangling: %+v", ref)
	}
	for _, name := range []string{"refs/heads/loop", "refs/heads/s5"} {
		_, err = r.Ref(t.Context(), name)
		wantFault(t, err, BrokenRef)
		if g.code("rev-parse", "--verify", "-q", name) == 0 {
			t.Errorf("git resolves %s", name)
		}
	}
	if _, err = r.Ref(t.Context(), "refs/heads/s4"); err != nil || g.code("rev-parse", "--verify", "-q", "refs/heads/s4") != 0 {
		t.Errorf("a chain of five refs: %v", err)
	}
}

func TestRefNamesEqualCheckRefFormat(t *testing.T) {
	g := newTestGit(t)
	parts := []string{"a", ".", "/", "@", "{", "}", "~", "^", ":", "?", "*", "[", "\\", " ", "\x7f", "\x01", ".lock", "é", "-", "@{", "..", "//", "refs/", "HEAD", "]", "\""}
	names := []string{"", "@", "a.", "a/b.lock", "a.lock/b", ".a", "a/.b", "refs/heads/-"}
	for _, a := range parts {
		for _, b := range parts {
			names = append(names, "x"+a+b+"y", a+b)
		}
	}
	valid := 0
	for i, name := range names {
		if i > 20 && i%4 != 0 || strings.HasPrefix(name, "-") {
			continue // a process each; what looks like an option is read as one
		}
		got, want := ValidRefName(name), g.code("check-ref-format", "--allow-onelevel", name) == 0
		if got != want {
			t.Errorf("%q is valid: %t, git says %t", name, got, want)
		}
		if want {
			valid++
		}
	}
	if valid < 20 {
		t.Errorf("only %d names were valid", valid)
	}
}

func TestOddRefFilesBlockOnlyThemselves(t *testing.T) {
	g := newTestGit(t)
	c := g.commit("c").String()
	ref := func(name, content string) { put(t, filepath.Join(g.dir, ".git/refs/heads", name), content) }
	ref("empty", "")
	ref("garbage", "garbage\n")
	ref("short", c[:39]+"\n")
	ref("long", c+"0\n")
	ref("trailing", c+" trailing\n")
	ref("spaces", c+"  \n\n")
	ref("upper", strings.ToUpper(c)+"\n")
	ref("null", strings.Repeat("0", 40)+"\n")
	ref("bare", c)
	ref("symspace", "ref: \t refs/heads/main \n")
	ref("symnospace", "ref:refs/heads/main")
	ref("symbad", "ref: refs/heads/a..b\n")
	ref("symout", "ref: ../x\n")
	ref("symempty", "ref:\n")
	ref("symhead", "ref: HEAD\n")
	ref("nul", "ref: refs/heads/main\x00\n")
	symlink(t, "refs/heads/main", filepath.Join(g.dir, ".git/refs/heads/linked"))
	symlink(t, "main", filepath.Join(g.dir, ".git/refs/heads/filelink"))
	symlink(t, "nowhere", filepath.Join(g.dir, ".git/refs/heads/deadlink"))
	r := g.open()
	for _, name := range []string{"empty", "garbage", "short", "long", "trailing", "spaces", "upper", "bare", "symspace", "symnospace", "symbad", "symout", "symempty", "symhead", "linked", "filelink", "deadlink", "main"} {
		full := "refs/heads/" + name
		got, err := r.Ref(t.Context(), full)
		cmd := g.command("rev-parse", "--verify", "-q", full)
		out, gitErr := cmd.Output()
		if (err == nil) != (gitErr == nil) || err == nil && got.OID.String() != strings.TrimSpace(string(out)) {
			t.Errorf("%s: %+v, %v; git says %s %v", name, got, err, out, gitErr)
		}
		if err != nil && name != "deadlink" {
			wantFault(t, err, BrokenRef)
		}
	}
	for _, name := range []string{"null", "nul"} {
		_, err := r.Ref(t.Context(), "refs/heads/"+name)
		wantFault(t, err, BrokenRef)
	}
	_, err := r.Resolve(t.Context(), "empty")
	if wantFault(t, err, BrokenRef); err.(*Error).Subject != "refs/heads/empty" {
		t.Errorf("%+v", err)
	}
}

func TestHeadStates(t *testing.T) {
	g := newTestGit(t)
	r := g.open()
	ref, err := r.Ref(t.Context(), "HEAD")
	if wantFault(t, err, NoRef); ref.Symref != "refs/heads/main" {
		t.Errorf("unborn: %+v", ref)
	}
	_, err = r.Resolve(t.Context(), "HEAD")
	wantFault(t, err, NoRevision)
	c := g.commit("c")
	if _, err := r.Ref(t.Context(), "HEAD"); faultIn(err) != NoRef {
		t.Errorf("HEAD is not what it was when opened: %v", err)
	}
	g.run("checkout", "-q", "--detach")
	ref, err = g.open().Ref(t.Context(), "HEAD")
	if err != nil || ref.Symref != "" || ref.OID != c {
		t.Errorf("detached: %+v, %v", ref, err)
	}
	put(t, filepath.Join(g.dir, ".git/HEAD"), "garbage\n")
	_, err = g.tryOpen(g.dir)
	wantFault(t, err, NoRepository)
	// What passes git's look at HEAD on discovery can still be no ref.
	put(t, filepath.Join(g.dir, ".git/HEAD"), c.String()+"xyz\n")
	_, err = g.open().Ref(t.Context(), "HEAD")
	wantFault(t, err, BrokenRef)
	if g.code("rev-parse", "--verify", "-q", "HEAD") == 0 {
		t.Error("git resolves HEAD")
	}
}

func TestRefsOfLinkedWorktreesEqualGit(t *testing.T) {
	g := richRepo(t)
	w := filepath.Join(t.TempDir(), "w")
	g.run("worktree", "add", "-q", w, "-b", "s", "HEAD~2")
	g.run("-C", w, "update-ref", "refs/bisect/bad", "HEAD~1")
	g.run("-C", w, "update-ref", "refs/worktree/x", "HEAD~1")
	g.run("-C", w, "update-ref", "refs/rewritten/y", "HEAD~1")
	g.run("update-ref", "refs/bisect/bad", "HEAD")
	g.run("update-ref", "refs/bisect/only", "HEAD")
	compared := 0
	for i, dir := range []string{g.dir, w, g.dir, w} {
		if i == 2 {
			g.run("pack-refs", "--all")
		}
		r, err := g.tryOpen(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{
			"HEAD", "ORIG_HEAD", "refs/heads/s", "refs/heads/main", "refs/bisect/bad", "refs/bisect/only", "refs/worktree/x", "refs/rewritten/y", "main-worktree/HEAD",
			"worktrees/w/HEAD", "main-worktree/refs/bisect/bad", "worktrees/w/refs/bisect/bad", "main-worktree/refs/heads/main", "worktrees/w/refs/heads/main",
			"worktrees/nope/HEAD", "main-worktree/nope", "worktrees/w", "bisect/bad", "worktree/x", "worktrees/w/refs/worktree/x", "main-worktree/main",
		} {
			got, err := r.Resolve(t.Context(), name)
			out, gitErr := g.command("-C", dir, "rev-parse", "--verify", "-q", name).Output()
			if (err == nil) != (gitErr == nil) || err == nil && got.OID.String() != strings.TrimSpace(string(out)) {
				t.Errorf("%s in %s: %s %v; git says %s", name, filepath.Base(dir), got.OID, err, out)
			}
			if err == nil {
				compared++
			}
		}
	}
	if compared < 36 {
		t.Errorf("%d refs were found", compared)
	}
}

// openPackedBytes reads a packed-refs file with this content.
func openPackedBytes(data []byte) (*packedRefs, error) {
	return newPackedRefs(bytes.NewReader(data), int64(len(data)), 20)
}

func packedSample(header string) []byte {
	var b strings.Builder
	b.WriteString(header)
	for i := range 12 {
		fmt.Fprintf(&b, "%040x refs/heads/b%02d\n", i+1, i)
		if i%3 == 0 {
			fmt.Fprintf(&b, "^%040x\n", 100+i)
		}
	}
	return []byte(b.String())
}

const sortedHeader = "# pack-refs with: peeled fully-peeled sorted \n"

func TestPackedRefsBisection(t *testing.T) {
	for _, header := range []string{sortedHeader, "# pack-refs with: peeled \n", ""} {
		for _, n := range []int{0, 1, 2, 3, 50, 1000} {
			var b strings.Builder
			b.WriteString(header)
			for i := range n {
				fmt.Fprintf(&b, "%040x refs/x/%05d%s\n", i+1, i*2, strings.Repeat("long", i%200))
				if i%2 == 0 {
					fmt.Fprintf(&b, "^%040x\n", 7)
				}
			}
			p, err := openPackedBytes([]byte(b.String()))
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				ref := fmt.Sprintf("refs/x/%05d%s", i*2, strings.Repeat("long", i%200))
				if id, found, err := p.find(ref); err != nil || !found || id.String() != fmt.Sprintf("%040x", i+1) {
					t.Errorf("%d refs: %s is %s %t %v", n, ref, id, found, err)
				}
				if _, found, err := p.find(ref + "x"); found || err != nil {
					t.Errorf("%d refs: %sx is found %t, %v", n, ref, found, err)
				}
			}
			if found, err := p.hasPrefix("refs/x/"); found != (n > 0) || err != nil {
				t.Errorf("%d refs: prefix found %t, %v", n, found, err)
			}
			if found, err := p.hasPrefix("refs/y/"); found || err != nil {
				t.Errorf("%d refs: prefix found %t, %v", n, found, err)
			}
		}
	}
}

// A damaged packed-refs has no checksum to show it. Whatever is read from it must
// be what a reader of the whole file finds on the line of exactly that name.
func TestDamagedPackedRefsAreNeverMisread(t *testing.T) {
	for _, header := range []string{sortedHeader, ""} {
		data := packedSample(header)
		for i := range data {
			for _, bit := range []byte{1, 0x20, 0x80} {
				bad := bytes.Clone(data)
				bad[i] ^= bit
				checkPacked(t, bad)
			}
			checkPacked(t, data[:i])
		}
	}
}

func checkPacked(t *testing.T, data []byte) {
	t.Helper()
	p, err := openPackedBytes(data)
	if err != nil {
		wantFault(t, err, Corrupt)
		return
	}
	for i := range 12 {
		ref := fmt.Sprintf("refs/heads/b%02d", i)
		id, found, err := p.find(ref)
		switch {
		case err != nil:
			if f := faultIn(err); f != Corrupt && f != BrokenRef {
				t.Errorf("%v", err)
			}
		case found:
			if !bytes.Contains(bytes.ToLower(data), []byte("\n"+id.String()+" "+ref+"\n")) && !bytes.HasPrefix(bytes.ToLower(data), []byte(id.String()+" "+ref+"\n")) {
				t.Errorf("%s is %s in %q", ref, id, data)
			}
		}
	}
}

func TestPackingBetweenTwoLookUpsLosesNothing(t *testing.T) {
	g := newTestGit(t)
	a := g.commit("a")
	g.run("branch", "x")
	g.run("pack-refs", "--all")
	b := g.commit("b")
	g.run("branch", "-f", "x", b.String())
	r := g.open()
	if _, err := r.Ref(t.Context(), "refs/heads/none"); faultIn(err) != NoRef {
		t.Fatal(err)
	}
	// packed-refs, which holds the older value, is open now; packing moves the
	// newer one there and removes its file.
	g.run("pack-refs", "--all")
	ref, err := r.Ref(t.Context(), "refs/heads/x")
	if err != nil || ref.OID != b {
		t.Errorf("x is %s, %v, want %s and never %s", ref.OID, err, b, a)
	}
}

func FuzzPackedRefs(f *testing.F) {
	f.Add(packedSample(sortedHeader), "refs/heads/b03")
	f.Add(packedSample(""), "refs/heads/b03")
	f.Fuzz(func(t *testing.T, data []byte, ref string) {
		p, err := openPackedBytes(data)
		if err != nil {
			return
		}
		if id, found, err := p.find(ref); err == nil && found && !bytes.Contains(bytes.ToLower(data), []byte(id.String())) {
			t.Errorf("%q gives an id that is not in the file", ref)
		}
	})
}

func FuzzRefFile(f *testing.F) {
	f.Add([]byte("ref: refs/heads/main\n"))
	f.Add([]byte(strings.Repeat("a", 40)))
	f.Fuzz(func(t *testing.T, data []byte) {
		raw, err := parseRef(data, "x", 20)
		if err == nil && raw.oid.IsZero() == (raw.target == "") {
			t.Errorf("%q is %+v", data, raw)
		}
	})
}
