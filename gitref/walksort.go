package gitref

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
)

// sorter holds what stands in a folder against what the index has there.
type sorter struct {
	task  *walkTask
	walk  *workWalk
	index indexSource
	files []indexChild // files of the folder by name
	dirs  []indexChild // sub-folders by name
	subs  []*walkTask

	paths strings.Builder // those of tracked files share one piece of memory
	entry IndexEntry      // that was looked at last
}

// indexChild is a name that the index has in a folder, with its entries.
type indexChild struct {
	name    []byte
	tracked indexRun
	met     bool // a folder of that name stands there
}

func (c indexChild) compare(name []byte) int { return bytes.Compare(c.name, name) }

// sort makes the files of the node and the tasks of the sub-folders.
func (s *sorter) sort(names []workName) (err error) {
	defer trapFault(&err, OID{})()
	s.split()
	s.task.node.files = make([]WorkFile, 0, max(len(names)-len(s.dirs), len(s.files)))
	next := 0
	for _, n := range names {
		if bytes.EqualFold(n.name, []byte(".git")) || len(s.task.only) > 0 && string(n.name) != s.task.only[0] {
			continue
		}
		for next < len(s.files) && s.files[next].compare(n.name) < 0 {
			s.gone(s.files[next].tracked)
			next++
		}
		var tracked indexRun
		if next < len(s.files) && s.files[next].compare(n.name) == 0 {
			tracked = s.files[next].tracked
			next++
		}
		if err := s.place(n, tracked); err != nil {
			return err
		}
	}
	for ; next < len(s.files); next++ {
		s.gone(s.files[next].tracked)
	}
	for i := range s.dirs {
		if !s.dirs[i].met {
			s.task.node.mixed = true
			s.gone(s.dirs[i].tracked)
		}
	}
	return nil
}

// split groups the entries by the names they have in the folder, on the way to
// the scope only those of the scope.
func (s *sorter) split() {
	at := len(s.task.node.prefix)
	if len(s.task.only) > 0 {
		s.group(s.walk.scope.at, at)
		s.group(s.walk.scope.below, at)
		return
	}
	s.group(s.task.tracked, at)
	byName := func(a, b indexChild) int { return bytes.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(s.dirs, byName) {
		slices.SortFunc(s.dirs, byName)
	}
}

// group adds the names that entries have behind so many bytes of their paths, and
// makes room for the paths of files.
func (s *sorter) group(rest indexRun, at int) {
	size := 0
	for !rest.empty() {
		path := s.index.name(rest.from)
		name, _, isDir := bytes.Cut(path[at:], []byte("/"))
		child := indexChild{name: name}
		if isDir {
			behind := indexRun{rest.from + 1, rest.to}
			child.tracked = indexRun{rest.from, behind.below(s.index, path[:at+len(name)+1]).to}
			s.dirs = append(s.dirs, child)
		} else {
			child.tracked = rest.alike(s.index)
			s.files = append(s.files, child)
			size += len(path)
		}
		rest.from = child.tracked.to
	}
	s.paths.Grow(size)
}

// gone adds the files of entries at which nothing stands.
func (s *sorter) gone(rest indexRun) {
	for !rest.empty() {
		tracked := rest.alike(s.index)
		s.add(WorkFile{Path: s.path(rest.from), Absent: true}, tracked)
		rest.from = tracked.to
	}
}

// path is the path of entry i, to be kept.
func (s *sorter) path(i int) string {
	at := s.paths.Len()
	s.paths.Write(s.index.name(i))
	return s.paths.String()[at:]
}

// add adds a file with the entries of its path, unless it is left out.
func (s *sorter) add(f WorkFile, tracked indexRun) {
	if s.walk.options.Except != "" && f.name() == s.walk.options.Except {
		return
	}
	s.task.node.files = append(s.task.node.files, f)
	if !tracked.empty() {
		s.stage(&s.task.node.files[len(s.task.node.files)-1], tracked.from)
	}
}

// stage adds what entry i says, the first of the file's path.
func (s *sorter) stage(f *WorkFile, i int) {
	e := &s.entry
	if s.index.decode(i, e); e.Stage != 0 {
		f.Unmerged = true
		s.walk.unmerged.Store(true)
		return
	}
	f.Tracked, f.IntentToAdd = true, e.IntentToAdd
	f.Index, f.number = Entry{Mode: e.Mode, OID: e.OID}, int32(i)
	f.Kept = e.SkipWorktree && (f.Absent || !s.walk.modes.sparse)
}

// place sorts out one name that stands in the folder. tracked is what the index
// has under exactly this path.
func (s *sorter) place(n workName, tracked indexRun) error {
	path := ""
	if !tracked.empty() {
		path = s.path(tracked.from)
	} else {
		path = s.task.node.prefix + string(n.name)
	}
	if n.typ&fs.ModeDir == 0 {
		if tracked.empty() && s.ignored(path, false) {
			return nil
		}
		if len(s.task.only) > 1 {
			s.gone(tracked)
			return nil
		}
		s.add(WorkFile{Path: path, listed: fileType(n.typ)}, tracked)
		return nil
	}
	if s.isLink(tracked) {
		if len(s.task.only) > 1 {
			return inNested(path)
		}
		s.add(WorkFile{Path: path, Mode: ModeGitlink, listed: fs.ModeDir}, tracked)
		return nil
	}
	s.gone(tracked)
	return s.descend(path)
}

// isLink reports whether the entries of a path begin with a submodule's.
func (s *sorter) isLink(tracked indexRun) bool {
	if tracked.empty() {
		return false
	}
	s.index.decode(tracked.from, &s.entry)
	return s.entry.Mode == ModeGitlink
}

func fileType(t fs.FileMode) fs.FileMode {
	if t = t.Type(); t == 0 || t == fs.ModeSymlink {
		return t
	}
	return fs.ModeIrregular
}

func (s *sorter) ignored(path string, folder bool) bool {
	return s.task.ignored || s.task.rules.ignores(path, folder)
}

// descend makes the task of a sub-folder, unless nothing in it counts.
func (s *sorter) descend(path string) error {
	name := path[len(s.task.node.prefix):]
	var tracked indexRun
	i, found := slices.BinarySearchFunc(s.dirs, []byte(name), indexChild.compare)
	if found {
		tracked = s.dirs[i].tracked
	}
	for ; i < len(s.dirs) && s.dirs[i].compare([]byte(name)) == 0; i++ {
		s.dirs[i].met = true
	}
	ignored := s.ignored(path, true)
	if ignored && tracked.empty() {
		return nil
	}
	if len(path) > maxWorkPath {
		return &Error{Fault: OverLimit, Subject: path[:maxWorkPath], Proof: "the path is longer than the bound on paths"}
	}
	sub := &walkTask{
		node: &walkNode{name: name, prefix: path + "/"}, name: name,
		tracked: tracked, rules: s.task.rules, ignored: ignored,
	}
	if len(s.task.only) > 1 {
		sub.only = s.task.only[1:]
	}
	s.subs = append(s.subs, sub)
	return nil
}
