package gitref

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// eolContents are worktree bytes around every condition of git's conversion.
var eolContents = []string{
	"", "a\n", "a\r\n", "a\r\nb\n", "a\nb\r\n", "a\rb\r\n", "a\r", "\r\r\n", "a\x00\r\n", "a\r\n\x1a", "\x1a\r\n\x1a",
	strings.Repeat("x", 127) + "\x01\r\n", strings.Repeat("x", 128) + "\x01\r\n", strings.Repeat("x", 128) + "\x01\x02\r\n",
	"\x7f\r\n", "\b\t\f\x1b\r\n", "é\r\n", "\xff\xfe\r\n", "\x01\r\n\x1a", strings.Repeat("line\r\n", 300),
}

// eolAttributes are attribute lines for a folder each.
var eolAttributes = []string{
	"other", "text", "-text", "!text", "text=auto", "text=bogus", "text=input", "eol=lf", "eol=crlf", "eol=bogus", "text eol=crlf",
	"text=auto eol=lf", "text=auto eol=crlf", "-text eol=lf", "crlf", "-crlf", "crlf=input", "crlf=auto", "crlf=bogus", "text=bogus crlf",
	"binary", "text -crlf", "-text crlf", "-eol", "eol", "filter=nowhere", "-filter", "filter", "working-tree-encoding=utf8", "working-tree-encoding=UTF-8", "ident",
}

func TestEOLConversionEqualsGitAdd(t *testing.T) {
	indexed := []string{"none", "a\n", "a\r\n", "a\rb\r\n", "\x00\r\n"}
	compared, changed := 0, 0
	for _, c := range []struct{ autocrlf, eol string }{{"", ""}, {"", "crlf"}, {"false", "native"}, {"true", "lf"}, {"input", ""}, {"InPut", "crlf"}} {
		n, converted := compareEOL(t, c.autocrlf, c.eol, indexed)
		compared, changed = compared+n, changed+converted
	}
	if compared < 15000 || changed < 2000 {
		t.Errorf("compared %d files, of which %d were converted", compared, changed)
	}
}

// compareEOL has git add many files and compares what it stored with ToGit.
func compareEOL(t *testing.T, autocrlf, eol string, indexed []string) (compared, changed int) {
	t.Helper()
	g := newTestGit(t)
	if autocrlf != "" {
		g.run("config", "core.autocrlf", autocrlf)
	}
	if eol != "" {
		g.run("config", "core.eol", eol)
	}
	blobs := map[string]string{}
	for _, content := range indexed {
		blobs[content] = g.feed(content, "hash-object", "-w", "--stdin")
	}
	var attrs, index strings.Builder
	files := map[string]string{}
	for i, line := range eolAttributes {
		fmt.Fprintf(&attrs, "/%d/* %s\n", i, line)
		for j, content := range eolContents {
			for k, old := range indexed {
				path := fmt.Sprintf("%d/%d-%d", i, j, k)
				files[path] = content
				g.write(path, content)
				if old != "none" {
					fmt.Fprintf(&index, "100644 %s\t%s\n", blobs[old], path)
				}
			}
		}
	}
	g.write(".gitattributes", attrs.String())
	g.feed(index.String(), "update-index", "--index-info")
	r := g.open()
	got := map[string]Stored{}
	for path, content := range files {
		s, err := r.ToGit(t.Context(), path, []byte(content))
		if err != nil {
			t.Fatalf("autocrlf=%s eol=%s %s: %v", autocrlf, eol, path, err)
		}
		got[path] = s
	}
	g.run("add", "-A")
	for line := range strings.SplitSeq(g.run("ls-files", "-s"), "\n") {
		head, path, _ := strings.Cut(line, "\t")
		s, known := got[path]
		if !known {
			continue
		}
		want := strings.Fields(head)[1]
		if id := r.BlobOID(s.Data).String(); id != want {
			t.Errorf("autocrlf=%s eol=%s %s (%s) %q: stored %q, git stored %s", autocrlf, eol, path, line, files[path], s.Data, want)
		}
		if converted := string(s.Data) != files[path]; converted != (s.Conversion == "eol") {
			t.Errorf("%s: conversion %q, changed %t", path, s.Conversion, converted)
		} else if converted {
			changed++
		}
		compared++
	}
	return compared, changed
}

func TestOtherConversionsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, attrs, config, content, subject string
	}{
		{"filter", "filter=up", "filter.up.clean=tr a-z A-Z", "x\n", "filter=up"},
		{"process", "filter=up", "filter.up.process=tr", "x\n", "filter=up"},
		{"empty clean", "filter=up", "filter.up.clean=", "x\n", ""},
		{"smudge only", "filter=up", "filter.up.smudge=cat", "x\n", ""},
		{"required", "filter=up", "filter.up.required=true", "x\n", "filter=up"},
		{"lfs not installed", "filter=lfs -text", "", "x\n", ""},
		{"ident", "ident", "", "$Id: x $\n", "ident"},
		{"ident already collapsed", "ident", "", "$Id$\n", ""},
		{"ident unused", "ident", "", "x\n", ""},
		{"encoding", "working-tree-encoding=UTF-16", "", "x\n", "working-tree-encoding=UTF-16"},
		{"encoding of nothing", "working-tree-encoding=UTF-16", "", "", ""},
		{"encoding without a name", "working-tree-encoding", "", "x\n", "working-tree-encoding"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newTestGit(t)
			g.write(".gitattributes", "f "+c.attrs+"\n")
			if key, value, ok := strings.Cut(c.config, "="); ok {
				g.run("config", key, value)
			}
			s, err := g.open().ToGit(t.Context(), "f", []byte(c.content))
			if c.subject == "" {
				if err != nil || string(s.Data) != c.content || s.Conversion != "" {
					t.Errorf("stored %q %q, %v", s.Data, s.Conversion, err)
				}
				g.write("f", c.content)
				g.run("add", "f")
				if got := g.run("cat-file", "blob", ":f"); got != strings.TrimSuffix(c.content, "\n") {
					t.Errorf("git stored %q", got)
				}
				return
			}
			wantFault(t, err, UnknownConversion)
			if e, ok := err.(*Error); ok && e.Subject != c.subject {
				t.Errorf("subject %q, want %q", e.Subject, c.subject)
			}
		})
	}
}

func TestConversionLooksAtOursInAConflict(t *testing.T) {
	g := newTestGit(t)
	crlf, lf := g.feed("a\r\n", "hash-object", "-w", "--stdin"), g.feed("a\n", "hash-object", "-w", "--stdin")
	g.run("config", "core.autocrlf", "true")
	g.feed("100644 "+lf+" 1\tf\n100644 "+crlf+" 2\tf\n100644 "+lf+" 3\tf\n100644 "+crlf+" 1\tg\n100644 "+lf+" 2\tg\n", "update-index", "--index-info")
	for name, want := range map[string]string{"f": "b\r\n", "g": "b\n"} {
		g.write(name, "b\r\n")
		s, err := g.open().ToGit(t.Context(), name, []byte("b\r\n"))
		if err != nil || string(s.Data) != want {
			t.Errorf("%s: stored %q, %v, want %q", name, s.Data, err, want)
		}
	}
	g.run("add", "f", "g")
	if f, h := g.run("cat-file", "blob", ":f"), g.run("cat-file", "blob", ":g"); f != "b\r" || h != "b" {
		t.Errorf("git stored %q and %q", f, h)
	}
}

func TestConversionIsUnknownWhereAttributesComeFromATree(t *testing.T) {
	g := newTestGit(t)
	_, err := g.open("GIT_ATTR_SOURCE=HEAD").ToGit(t.Context(), "f", nil)
	wantFault(t, err, UnknownConversion)
	g.run("config", "attr.tree", "HEAD")
	_, err = g.open().ToGit(t.Context(), "f", nil)
	wantFault(t, err, UnknownConversion)
}

func TestAttributesOfTheHomeFolder(t *testing.T) {
	g := newTestGit(t)
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".config/git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".config/git/attributes"), []byte("*.a text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "mine"), []byte("*.a -text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	g.env = append(g.env, "HOME="+home)
	compareAttributes(t, g, g.open(), []string{"x.a"}, []string{"text"})
	g.run("config", "core.attributesFile", "~/mine")
	compareAttributes(t, g, g.open(), []string{"x.a"}, []string{"text"})
	g.run("config", "core.attributesFile", "../"+filepath.Base(g.dir)+"/relative")
	g.write("relative", "*.a text=auto\n")
	compareAttributes(t, g, g.open(), []string{"x.a"}, []string{"text"})
}
