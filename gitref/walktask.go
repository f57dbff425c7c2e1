package gitref

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
)

// walkTask is one folder to be listed, or a part of its files to be visited.
type walkTask struct {
	node    *walkNode
	folder  *folder // the folder itself, or the one in which it is name
	name    string
	tracked indexRun     // entries below the folder, on the way to the scope some of them
	rules   *ignoreScope // of the folder above
	ignored bool         // what is not tracked is ignored
	only    []string     // the way down to the scope

	from, to int // files to be visited, none when the folder is to be listed
}

// visitPart is how many files one task visits.
const visitPart = 128

// maxWorkPath bounds a path, as git does.
const maxWorkPath = 4096

// walkScratch is memory that one worker uses again for every folder.
type walkScratch struct {
	listed      nameList
	files, dirs []indexChild
	entries     [visitPart]IndexEntry
	bytes       []byte
}

func (t *walkTask) perform(w *workWalk, scratch *walkScratch) {
	defer t.folder.release()
	switch {
	case w.ended():
	case t.to > 0:
		t.visit(w, t.folder, scratch)
	default:
		if err := t.explore(w, scratch); err != nil {
			t.node.err = err
		}
	}
}

// explore lists the folder, sorts out what stands in it, and begins to visit it.
func (t *walkTask) explore(w *workWalk, scratch *walkScratch) error {
	d := t.folder
	if t.name != "" {
		var err error
		if d, err = t.folder.sub(t.name); err != nil {
			return workFault(err, t.path())
		}
		defer d.release()
	}
	names, err := t.list(w, d, &scratch.listed)
	if err != nil {
		return err
	}
	if nested, err := t.nested(w, names); nested || err != nil {
		return err
	}
	if err := t.readRules(w, d, names); err != nil {
		return err
	}
	s := &sorter{task: t, walk: w, index: w.index, files: scratch.files[:0], dirs: scratch.dirs[:0]}
	err = s.sort(names)
	scratch.files, scratch.dirs = s.files, s.dirs
	if err != nil {
		return err
	}
	t.begin(w, d, s.subs, scratch)
	return nil
}

// path is the folder's own.
func (t *walkTask) path() string { return strings.TrimSuffix(t.node.prefix, "/") }

// list returns the names in the folder in their order; on the way to the scope
// only the next one.
func (t *walkTask) list(w *workWalk, d *folder, listed *nameList) ([]workName, error) {
	if len(t.only) > 0 {
		return t.listOnly(w, d)
	}
	if err := d.list(listed); err != nil {
		return nil, workFault(err, t.path())
	}
	if w.count.Add(int64(len(listed.names))); w.ended() {
		return nil, nil
	}
	slices.SortFunc(listed.names, func(a, b workName) int { return bytes.Compare(a.name, b.name) })
	return listed.names, nil
}

func (t *walkTask) listOnly(w *workWalk, d *folder) (names []workName, err error) {
	w.count.Add(1)
	wanted := []string{".git", ".gitignore", t.only[0]}
	slices.Sort(wanted)
	for _, name := range slices.Compact(wanted) {
		st, err := d.lstat(name)
		if err == nil {
			names = append(names, workName{[]byte(name), st.typ})
		} else if !absent(err) {
			return nil, workFault(err, t.node.prefix+name)
		}
	}
	return names, nil
}

// nested reports whether the folder is a nested repository, which is one file.
func (t *walkTask) nested(w *workWalk, names []workName) (bool, error) {
	if t.node.prefix == "" || !t.tracked.empty() || !contains(names, ".git") {
		return false, nil
	}
	if !isRepository(w.options.Top+"/"+t.path(), w.env) {
		return false, nil
	}
	if len(t.only) == 0 {
		f := &WorkFile{Path: t.path(), Mode: ModeGitlink, Nested: true, look: &workLook{walk: w}}
		t.node.link = f
		t.node.fail(f, w.options.Visit(w.ctx, f))
		return true, nil
	}
	if w.index != nil {
		// A folder of which the index tracks something is no nested repository.
		if tracked, err := w.tracksFolder(t.path()); tracked || err != nil {
			return false, err
		}
	}
	return true, inNested(t.path())
}

func contains(names []workName, name string) bool {
	return slices.ContainsFunc(names, func(n workName) bool { return string(n.name) == name })
}

func inNested(path string) *Error {
	return &Error{Fault: InSubmodule, Subject: path, Proof: "it is a repository of its own, which answers for what lies in it"}
}

// isRepository reports whether git takes a folder for the top of a repository.
func isRepository(dir string, env *environment) bool {
	dotGit := dir + "/.git"
	gitDir, err := followGitFile(dotGit, env, dir)
	return gitDir != "" || faultIn(err) == Denied || err == nil && isGitDir(dotGit, env, dir)
}

// readRules adds the folder's own ignore file.
func (t *walkTask) readRules(w *workWalk, d *folder, names []workName) error {
	r := w.options.Repo
	if r == nil || t.ignored {
		return nil
	}
	const name = ".gitignore"
	present := contains(names, name)
	var staged *IndexEntry
	if !present {
		entries, err := r.Index(w.ctx, t.node.prefix+name)
		if err != nil {
			return err
		}
		if len(entries) == 1 {
			staged = &entries[0]
		}
	}
	data, err := r.folderIgnores(d, present, staged)
	if err != nil {
		return err
	}
	t.rules = t.rules.within(data, t.path(), w.fold)
	return nil
}

// begin hands out the sub-folders and all files but the first part, which it
// visits itself.
func (t *walkTask) begin(w *workWalk, d *folder, subs []*walkTask, scratch *walkScratch) {
	var tasks []*walkTask
	for from := visitPart; from < len(t.node.files); from += visitPart {
		tasks = append(tasks, &walkTask{node: t.node, folder: d.hold(), from: from, to: min(from+visitPart, len(t.node.files))})
	}
	for _, sub := range slices.Backward(subs) {
		sub.folder = d.hold()
		tasks = append(tasks, sub)
		t.node.subs = append(t.node.subs, sub.node)
	}
	slices.Reverse(t.node.subs)
	if len(tasks) > 0 {
		w.push(tasks)
	}
	t.from, t.to = 0, min(visitPart, len(t.node.files))
	t.visit(w, d, scratch)
}

// visit looks at files of the folder and has the visitor see them.
func (t *walkTask) visit(w *workWalk, d *folder, scratch *walkScratch) {
	files, entries := t.node.files[t.from:t.to], &scratch.entries
	if err := w.decode(files, entries); err != nil {
		t.node.fail(&files[0], err)
		return
	}
	look := &workLook{walk: w, folder: d, room: &scratch.bytes}
	for i := range files {
		if w.ended() {
			return
		}
		if f := &files[i]; !f.Absent {
			f.look, look.entry = look, &entries[i]
			if err := w.visit(f); err != nil {
				t.node.fail(f, err)
			}
			f.look = nil
		}
	}
}

// decode reads the index entries of files that have one.
func (w *workWalk) decode(files []WorkFile, entries *[visitPart]IndexEntry) (err error) {
	defer trapFault(&err, OID{})()
	for i := range files {
		if files[i].Tracked {
			w.index.decode(int(files[i].number), &entries[i])
		}
	}
	return nil
}

func (w *workWalk) visit(f *WorkFile) error {
	f.look.known = false
	if w.options.Unlooked && f.listed == 0 && f.Mode != ModeGitlink {
		f.Mode = ModeFile
		return w.options.Visit(w.ctx, f)
	}
	st, err := f.look.folder.lstat(f.name())
	if err != nil {
		return f.fault(err)
	}
	if st.typ != f.listed && f.listed != fs.ModeIrregular {
		return changed(f.Path)
	}
	f.look.stat, f.look.known = st, true
	if f.Mode != ModeGitlink {
		f.Mode = w.modes.of(st, f.Index.Mode)
	} else {
		f.Nested = isRepository(f.Folder(), w.env)
	}
	return w.options.Visit(w.ctx, f)
}
