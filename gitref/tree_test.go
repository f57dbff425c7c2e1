package gitref

import (
	"fmt"
	"strings"
	"testing"
)

// hashLiteral writes an object git would not make itself.
func (g *testGit) hashLiteral(typ, body string) OID {
	g.t.Helper()
	id, err := ParseOID(g.feed(body, "hash-object", "-t", typ, "-w", "--stdin", "--literally"))
	if err != nil {
		g.t.Fatal(err)
	}
	return id
}

// Trees good and bad, looked into for names that are and are not there.
func TestTreeEqualsGit(t *testing.T) {
	g := newTestGit(t)
	blob := g.hashLiteral("blob", "x")
	raw := string(blob.Bytes())
	entry := func(mode, name string) string { return mode + " " + name + "\x00" + raw }
	for _, c := range []struct{ name, tree string }{
		{"plain", entry("100644", "a") + entry("100755", "b") + entry("120000", "c")},
		{"old modes", entry("100664", "a") + entry("100600", "b") + entry("100", "c")},
		{"padded mode", entry("0100644", "a")},
		{"gitlink", entry("160000", "a")},
		{"unknown mode", entry("20000", "a")},
		{"long mode", entry("77777777777777777777100644", "a")},
		{"duplicate", entry("100644", "a") + entry("100755", "a")},
		{"out of order", entry("100644", "b") + entry("100644", "a") + entry("100644", "c")},
		{"a prefix first", entry("100644", "ab") + entry("100644", "a")},
		{"bytes above ASCII", entry("100644", "\xc3\xa4") + entry("100644", "\xff")},
		{"no mode", entry("", "a")},
		{"mode of 9", entry("100694", "a")},
		{"empty name", entry("100644", "") + entry("100644", "a")},
		{"cut short", entry("100644", "a")[:15]},
		{"junk behind", entry("100644", "a") + "junk"},
		{"bad second entry", entry("100644", "a") + entry("10x644", "b")},
		{"no space", "100644a\x00" + raw},
		{"a file and a folder of one name", entry("100644", "a") + entry("100644", "a.b") + entry("40000", "a") + entry("100644", "aa")},
		{"a name with a slash", entry("100644", "a/") + entry("100644", "b")},
	} {
		tree := g.hashLiteral("tree", c.tree)
		obj, err := g.store().read(tree, noLimit)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b", "c", "ab", "aa", "\xc3\xa4", "\xff", "z"} {
			e, ok, err := treeEntry(obj.Data, name, testSize())
			compareSearch(t, obj.Data, name)
			cmd := g.command("rev-parse", "--verify", "-q", tree.String()+":"+name)
			git := cmd.Run() == nil
			if git != (ok && err == nil) {
				t.Errorf("%s: %q: git finds it: %v, here: %v, %v", c.name, name, git, ok, err)
			}
			if !git {
				continue
			}
			out := g.run("ls-tree", "-z", tree.String(), "--", name)
			// A name that is twice there is listed twice.
			first, _, _ := strings.Cut(out, "\x00")
			var mode Mode
			if _, err := fmt.Sscanf(first, "%o", &mode); err == nil && mode != e.Mode {
				t.Errorf("%s: %q: mode %o, git says %o", c.name, name, e.Mode, mode)
			}
			if e.OID != blob {
				t.Errorf("%s: %q: %v", c.name, name, e.OID)
			}
		}
	}
}

// Commits and tags good and bad, and whether git can follow them.
func TestCommitEqualsGit(t *testing.T) {
	g := newTestGit(t)
	tree := g.run("write-tree")
	parent := g.commit("parent").String()
	who := "author A <a@example.org> 1 +0000\ncommitter C <c@example.org> 2 +0000\n"
	for _, c := range []struct{ name, body string }{
		{"root", "tree " + tree + "\n" + who + "\nm"},
		{"one parent", "tree " + tree + "\nparent " + parent + "\n" + who + "\nm"},
		{"same parent twice", "tree " + tree + "\nparent " + parent + "\nparent " + parent + "\n" + who + "\nm"},
		{"upper case", "tree " + strings.ToUpper(tree) + "\n" + who + "\nm"},
		{"only a tree", "tree " + tree + "\n"},
		{"a tree and a byte", "tree " + tree + "\n\n"},
		{"ends in its parent", "tree " + tree + "\nparent " + parent + "\n"},
		{"ends in its parent and a byte", "tree " + tree + "\nparent " + parent + "\n\n"},
		{"short parent", "tree " + tree + "\nparent zz\n\n"},
		{"short parent, long rest", "tree " + tree + "\nparent zz\n" + who + "\nm"},
		{"long parent", "tree " + tree + "\nparent " + parent + "0\n" + who + "\nm"},
		{"parent after author", "tree " + tree + "\n" + who + "parent " + parent + "\n\nm"},
		{"no tree", who + "\nm"},
		{"space before tree", " tree " + tree + "\n" + who + "\nm"},
		{"no dates", "tree " + tree + "\nauthor\ncommitter\n\nm"},
		{"a date of words", "tree " + tree + "\nauthor A <a> x\ncommitter C <c> y\n\nm"},
		{"a date without end", "tree " + tree + "\nauthor A <a> 1\ncommitter C <c> 99999999999999999999999999\n\nm"},
		{"empty", ""},
	} {
		id := g.hashLiteral("commit", c.body)
		info, err := parseCommit([]byte(c.body), testSize())
		out, gitErr := g.command("rev-list", "--parents", "--max-count=1", id.String()).Output()
		if (gitErr == nil) != (err == nil) {
			t.Errorf("%s: git: %v, here: %v", c.name, gitErr, err)
			continue
		}
		if err != nil {
			continue
		}
		want := id.String()
		for _, p := range info.parents {
			want += " " + p.String()
		}
		if got := strings.TrimSpace(string(out)); got != want {
			t.Errorf("%s: parents %q, git says %q", c.name, want, got)
		}
		if got := g.run("rev-parse", id.String()+"^{tree}"); got != info.tree.String() {
			t.Errorf("%s: tree %v, git says %s", c.name, info.tree, got)
		}
	}
}

func TestCommitTime(t *testing.T) {
	tree := "tree " + strings.Repeat("a", 2*testSize()) + "\n"
	for rest, want := range map[string]int64{
		"author A <a> 1 +0\ncommitter C <c> 22 +0\n\n":                   22,
		"author A <a> 1 +0\ncommitter C <c> 22\n":                        22,
		"author A <a> 1 +0\ncommitter C <c> 22":                          0,
		"author A <a> 1 +0\ncommitter C <c>   7 +0\n":                    7,
		"author A <a> 1 +0\ncommitter C <c> -7 +0\n":                     0,
		"author A <a> 1 +0\ncommitter C 22 +0\n":                         0,
		"committer C <c> 22 +0\n":                                        0,
		"author A <a> 1\ncommitter C <c> 9999999999999999999999999999\n": 1<<63 - 1,
	} {
		c, err := parseCommit([]byte(tree+rest), testSize())
		if err != nil || c.committerTime != want {
			t.Errorf("%q: %d, %v; want %d", rest, c.committerTime, err, want)
		}
	}
}

func TestTagEqualsGit(t *testing.T) {
	g := newTestGit(t)
	target := g.commit("target").String()
	tagger := "tagger T <t@example.org> 1 +0000\n\nm"
	for _, c := range []struct{ name, body string }{
		{"plain", "object " + target + "\ntype commit\ntag v1\n" + tagger},
		{"no tagger", "object " + target + "\ntype commit\ntag v1\n\nm"},
		{"upper case", "object " + strings.ToUpper(target) + "\ntype commit\ntag v1\n" + tagger},
		{"no tag line", "object " + target + "\ntype commit\n" + tagger},
		{"tag line without end", "object " + target + "\ntype commit\ntag " + strings.Repeat("v", 60)},
		{"unknown type", "object " + target + "\ntype comet\ntag v1\n" + tagger},
		{"no type", "object " + target + "\ntag v1\n" + tagger},
		{"no object", "type commit\ntag v1\n" + tagger},
		{"short object", "object " + target[:39] + "\ntype commit\ntag v1\n" + tagger},
		{"empty", ""},
	} {
		id := g.hashLiteral("tag", c.body)
		info, err := parseTag([]byte(c.body), testSize())
		out, gitErr := g.command("rev-parse", "--verify", "-q", id.String()+"^{}").Output()
		if (gitErr == nil) != (err == nil) {
			t.Errorf("%s: git: %v, here: %v", c.name, gitErr, err)
			continue
		}
		if err == nil && (info.object.String() != strings.TrimSpace(string(out)) || info.typ != CommitObject) {
			t.Errorf("%s: %v, git says %s", c.name, info, out)
		}
	}
}

// compareSearch holds the search by halves against the search from the start.
func compareSearch(t *testing.T, data []byte, name string) {
	t.Helper()
	want, found, err := treeEntry(data, name, testSize())
	got, again, searchErr := (&cachedTree{data: data}).find(name, testSize(), true)
	if got != want || found != again || (err == nil) != (searchErr == nil) {
		t.Errorf("%q in %q: by halves %v %t %v, from the start %v %t %v", name, data, got, again, searchErr, want, found, err)
	}
}

func FuzzTreeSearch(f *testing.F) {
	entry := func(mode, name string) string { return mode + " " + name + "\x00" + strings.Repeat("i", testSize()) }
	f.Add([]byte(entry("100644", "a")+entry("40000", "ab")+entry("100644", "ab.c")), "ab")
	f.Add([]byte(entry("100644", "a")+entry("100644", "a-b")+entry("40000", "a")), "a")
	f.Add([]byte(entry("40000", "a-b")+entry("40000", "a")+entry("160000", "c")), "a")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if name == "" || strings.ContainsAny(name, "/\x00") {
			return
		}
		whole := data
		compareSearch(t, whole, name)
		for len(data) > 0 {
			got, _, rest, err := cutTreeEntry(data, testSize())
			if err != nil || strings.ContainsAny(string(got), "/") {
				return
			}
			compareSearch(t, whole, string(got))
			data = rest
		}
	})
}
