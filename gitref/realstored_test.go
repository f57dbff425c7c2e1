package gitref

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// storedFile is a file of a scratch worktree.
type storedFile struct {
	path string
	data []byte
}

// compareStored compares attributes, and what git add stores, of changed files.
// They stand in a worktree, index and object folder of their own, which lie over
// the repository, with one of the values of core.autocrlf.
func (d *differ) compareStored(n int) {
	scratch, err := os.MkdirTemp("", "differential")
	if err != nil {
		d.t.Fatal(err)
	}
	defer os.RemoveAll(scratch) // now, and not when a test of hours ends
	over := d.overlay(scratch)
	over.run("read-tree", d.now.listed[0].commit)
	files := d.changedFiles(over, n)
	r, err := Open(d.t.Context(), over.dir, Options{Getenv: over.getenv()})
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Close()
	d.compareAttributes(over, r)
	stored := map[string]OID{}
	args := []string{"-c", "core.fsmonitor=false", "add", "-f", "--"}
	for _, f := range files {
		s, err := r.ToGit(d.t.Context(), f.path, f.data)
		if err != nil {
			d.settle("ToGit", f.path, "", err, "not asked, since a filter may run")
			continue
		}
		stored[f.path] = r.BlobOID(s.Data)
		args = append(args, f.path)
	}
	if len(stored) == 0 {
		return
	}
	over.run(args...)
	for _, record := range nonEmpty(over.run("ls-files", "--stage", "-z"), "\x00") {
		head, path, _ := strings.Cut(record, "\t")
		if id, asked := stored[path]; asked {
			d.settle("ToGit", path, id.String(), nil, strings.Fields(head)[1])
		}
	}
}

// overlay is the repository with a worktree, index and object folder in scratch.
func (d *differ) overlay(scratch string) *testGit {
	dirs := map[string]string{}
	for _, name := range []string{"top", "objects"} {
		dir := filepath.Join(scratch, name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			d.t.Fatal(err)
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			d.t.Fatal(err)
		}
		dirs[name] = real
	}
	return &testGit{t: d.t, dir: dirs["top"], now: d.g.now, env: append(slices.Clone(d.g.env),
		"GIT_DIR="+d.r.GitDir(), "GIT_WORK_TREE="+dirs["top"], "GIT_INDEX_FILE="+filepath.Join(scratch, "index"),
		"GIT_OBJECT_DIRECTORY="+dirs["objects"], "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(d.r.loc.commonDir, "objects"),
		"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=core.autocrlf", "GIT_CONFIG_VALUE_0="+pick(d.rnd, []string{"false", "true", "input"}),
		"GIT_CONFIG_KEY_1=core.safecrlf", "GIT_CONFIG_VALUE_1=false",
		// git add takes no path that a sparse checkout leaves out.
		"GIT_CONFIG_KEY_2=core.sparseCheckout", "GIT_CONFIG_VALUE_2=false",
	)}
}

// changedFiles writes files of the index into the worktree, changed in ways that
// conversion has to tell apart.
func (d *differ) changedFiles(over *testGit, n int) []storedFile {
	var files []storedFile
	seen := map[string]bool{}
	for range n {
		path := pick(d.rnd, d.now.paths)
		fields := strings.Fields(d.now.listed[0].entries[path])
		if seen[path] || len(fields) == 0 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		seen[path] = true
		obj, err := d.r.Read(d.t.Context(), d.parse(fields[2]), 1<<20)
		if err != nil {
			continue
		}
		data := d.changed(string(obj.Data))
		over.write(path, data)
		files = append(files, storedFile{path, []byte(data)})
	}
	return files
}

func (d *differ) changed(text string) string {
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	switch d.rnd.IntN(10) {
	case 0:
		return text
	case 1:
		return strings.ReplaceAll(text, "\r\n", "\n")
	case 2:
		return strings.Replace(text, "\n", "\r\n", 1+d.rnd.IntN(5))
	case 3:
		return crlf + "\r"
	case 4:
		return crlf + "\x00"
	case 5:
		return crlf + "\x1a"
	case 6:
		return "\xef\xbb\xbf" + crlf
	case 7:
		return crlf + "$Id$\r\n$Id: x $\r\n"
	}
	return crlf
}

// compareAttributes asks for all attributes of paths.
func (d *differ) compareAttributes(over *testGit, r *Repo) {
	var paths []string
	for range 60 {
		// git check-attr cleans a path before it asks.
		if path := d.path(); path != "" && path == filepath.ToSlash(filepath.Clean(path)) {
			paths = append(paths, path)
		}
	}
	listed := map[string]map[string]string{}
	fields := nonEmpty(over.feed(strings.Join(paths, "\x00")+"\x00", "check-attr", "--all", "-z", "--stdin"), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		if listed[fields[i]] == nil {
			listed[fields[i]] = map[string]string{}
		}
		listed[fields[i]][fields[i+1]] = fields[i+2]
	}
	for _, path := range paths {
		all, err := r.pathAttributes(d.t.Context(), &r.attrs, path)
		got := map[string]string{}
		for name, a := range all {
			if a.State != AttrUnspecified {
				got[name] = spellAttr(a)
			}
		}
		d.settle("attributes", path, fmt.Sprint(got), err, fmt.Sprint(orEmpty(listed[path])))
	}
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
