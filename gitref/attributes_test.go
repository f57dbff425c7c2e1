package gitref

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spellAttr spells an attribute as git check-attr does.
func spellAttr(a Attr) string {
	switch a.State {
	case AttrSet:
		return "set"
	case AttrUnset:
		return "unset"
	case AttrValue:
		return a.Value
	}
	return "unspecified"
}

// compareAttributes asks git and r for some attributes of each path.
func compareAttributes(t *testing.T, g *testGit, r *Repo, paths, names []string) int {
	t.Helper()
	out := g.feed(strings.Join(paths, "\x00")+"\x00", append([]string{"check-attr", "-z", "--stdin"}, names...)...)
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		path, name, want := fields[i], fields[i+1], fields[i+2]
		got, err := r.Attribute(t.Context(), path, name)
		if err != nil || spellAttr(got) != want {
			t.Errorf("%q %s is %q, %v, git says %q", path, name, spellAttr(got), err, want)
		}
	}
	if len(fields)/3 != len(paths)*len(names) {
		t.Fatalf("git answered %d times for %d paths and %d names", len(fields)/3, len(paths), len(names))
	}
	return len(fields) / 3
}

func pick[T any](rnd *rand.Rand, from []T) T { return from[rnd.IntN(len(from))] }

var (
	patternParts = []string{
		"a", "b", "foo", "x.txt", "*", "**", "*.txt", "?", "[a-c]", "[!a]", "[^b-]", "[]a]", "[[:alpha:]]", "[[:digit:]_]",
		"[[:bogus:]]", "[", "[a", `\*`, `\`, `\a`, "f*o", "**b", "a**", "*o*", "[a-]", `[\]]`, "[[:space:]]", "A", "[A-Z]",
	}
	pathParts = []string{"a", "b", "c", "foo", "fo", "x.txt", "y.txt", "*", "ab", "a b", "A", "FOO", "_", "]", "-", "é", "fooo", "[a"}
)

func randomPattern(rnd *rand.Rand) string {
	var b strings.Builder
	if rnd.IntN(6) == 0 {
		b.WriteByte('/')
	}
	for i := range 1 + rnd.IntN(3) {
		if i > 0 {
			b.WriteString(pick(rnd, []string{"/", "/", "", `\/`}))
		}
		b.WriteString(pick(rnd, patternParts))
	}
	if rnd.IntN(12) == 0 {
		b.WriteByte('/')
	}
	return plainStars(b.String())
}

// plainStars makes "**" behind a literal start a "*": older gits take it for what
// it is behind a slash.
func plainStars(pattern string) string {
	i := strings.IndexAny(pattern, wildBytes)
	if i < 1 || pattern[i-1] == '/' || !strings.HasPrefix(pattern[i:], "**") {
		return pattern
	}
	return pattern[:i] + "*" + strings.TrimLeft(pattern[i:], "*")
}

func TestStarsBehindAName(t *testing.T) {
	g := newTestGit(t)
	g.write(".gitattributes", "b**/foo x\nd/b**/foo x\n/b**/foo y\nb**/ x\n")
	r := g.open()
	for path, want := range map[string]AttrState{
		"bx/foo": AttrSet, "d/bx/foo": AttrSet, "b/foo": AttrSet, "bx/a/foo": AttrUnspecified, "d/bx/a/foo": AttrUnspecified, "bx/a/b/foo": AttrUnspecified, "b/a/foo": AttrUnspecified,
	} {
		if a, err := r.Attribute(t.Context(), path, "x"); err != nil || a.State != want {
			t.Errorf("%s: %v, %v", path, a, err)
		}
		p := newIgnorePattern("d/b**/foo", false)
		if got := p.matches("d/"+strings.TrimPrefix(path, "d/"), 0, "", false, false); got != (want == AttrSet) {
			t.Errorf("%s is ignored: %t", path, got)
		}
	}
}

func randomPath(rnd *rand.Rand) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = pick(rnd, pathParts)
	}
	return strings.Join(parts, "/")
}

func randomAttributes(rnd *rand.Rand, lines int) string {
	states := []string{"text", "-text", "!text", "text=auto", "eol=lf", "binary", "-binary", "!binary", "mac", "-mac", "crlf", "a=b=c", "bad@", "-x", "x=", "text", "ident"}
	var b strings.Builder
	for range lines {
		switch rnd.IntN(14) {
		case 0:
			b.WriteString("[attr]mac " + pick(rnd, states) + " eol=crlf")
		case 1:
			b.WriteString("# comment text")
		case 2:
			fmt.Fprintf(&b, "%q", randomPattern(rnd))
		case 3:
			b.WriteString("!" + randomPattern(rnd))
		case 4:
			b.WriteString("  \t" + randomPattern(rnd))
		case 5:
			b.WriteString("[attr]binary -crlf x")
		default:
			b.WriteString(randomPattern(rnd))
		}
		for range 1 + rnd.IntN(3) {
			b.WriteString(pick(rnd, []string{" ", "\t", "  "}) + pick(rnd, states))
		}
		b.WriteString(pick(rnd, []string{"\n", "\r\n", "\n\n"}))
	}
	return b.String()
}

func TestAttributesEqualGit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	names := []string{"text", "eol", "crlf", "binary", "mac", "diff", "a", "x", "ident"}
	compared := 0
	for round := range 12 {
		g := newTestGit(t)
		global := filepath.Join(t.TempDir(), "global")
		if err := os.WriteFile(global, []byte(randomAttributes(rnd, 8)), 0o666); err != nil {
			t.Fatal(err)
		}
		g.run("config", "core.attributesFile", global)
		g.run("config", "core.ignoreCase", fmt.Sprint(round%4 == 3))
		g.write(".git/info/attributes", randomAttributes(rnd, 5))
		g.write(".gitattributes", "\xef\xbb\xbf"+randomAttributes(rnd, 15))
		g.write("a/.gitattributes", randomAttributes(rnd, 8))
		g.write("b/a/.gitattributes", randomAttributes(rnd, 8))
		// One that only the index has.
		g.write("foo/.gitattributes", randomAttributes(rnd, 8))
		g.run("add", "foo/.gitattributes")
		if err := os.Remove(filepath.Join(g.dir, "foo/.gitattributes")); err != nil {
			t.Fatal(err)
		}
		paths := []string{"*", "a", "a/b", "b/a/foo", "foo/x.txt"}
		for range 120 {
			paths = append(paths, randomPath(rnd))
		}
		compared += compareAttributes(t, g, g.open(), paths, names)
		if t.Failed() {
			break
		}
	}
	if compared < 10000 {
		t.Errorf("only %d answers were compared", compared)
	}
}

func TestAttributesOfOddFilesEqualGit(t *testing.T) {
	long := "* " + strings.Repeat("a", 2100) + "\n"
	for _, c := range []struct{ name, text string }{
		{"macro in a folder", "[attr]sub text\n* sub\n"},
		{"overlong line", "* text\n" + long + "x.txt -text\n"},
		{"no newline at the end", "* text"},
		{"only a pattern", "*\n"},
		{"macro without a valid name", "[attr]-a text\n[attr] text\n[attr]a/b text\n"},
		{"macro of a macro", "[attr]one two\n[attr]two text eol=lf\n* one\n"},
		{"macro of itself", "[attr]one one text\n* one\n"},
		{"quoted", "\"x\\056txt\" text\n\"a\\q\" -text\n\"open text\n"},
		{"NUL", "* te\x00xt\nx.txt eol=lf\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newTestGit(t)
			g.write("a/.gitattributes", c.text)
			g.write(".gitattributes", c.text)
			compareAttributes(t, g, g.open(), []string{"x.txt", "a/x.txt", "a", "\"a\\q\""}, []string{"text", "eol", "sub", "one", "two"})
		})
	}
}

func TestAttributesFileThatIsALinkIsNotFollowed(t *testing.T) {
	g := newTestGit(t)
	g.write("real", "* text\n")
	if err := os.Symlink("real", filepath.Join(g.dir, ".gitattributes")); err != nil {
		t.Fatal(err)
	}
	compareAttributes(t, g, g.open(), []string{"x"}, []string{"text"})
}

func TestWildmatchTakesLinearTime(t *testing.T) {
	if wildmatch(strings.Repeat("*a", 500)+"b", strings.Repeat("a", 4000), 0) {
		t.Error("a pattern that ends in b matched text that does not")
	}
	if wildmatch(strings.Repeat("**/", 500)+"b", strings.Repeat("a/", 2000)+"a", wildPath) {
		t.Error("a pattern that ends in b matched a path that does not")
	}
}

func FuzzWildmatch(f *testing.F) {
	f.Add("a/**/[[:alpha:]]*", "a/b/c", wildPath)
	f.Fuzz(func(t *testing.T, pattern, text string, flags int) {
		wildmatch(pattern, text, flags)
		quoted := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
		if !wildmatch(quoted, text, 0) {
			t.Errorf("quoted %q does not match %q", quoted, text)
		}
	})
}

func FuzzAttributes(f *testing.F) {
	f.Add("[attr]m -text\n\"a b\" m x=y\n", "a b")
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, rule := range parseAttributes([]byte(text), true) {
			if rule.macro != "" && !validAttrName(rule.macro) {
				t.Errorf("macro %q", rule.macro)
			}
			rule.pattern.matches(path, parentDir(path), true)
		}
	})
}
