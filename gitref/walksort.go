package gitref

import (
	"io/fs"
	"slices"
	"sort"
	"strings"
)

// sorter holds what stands in a folder against what the index has there.
type sorter struct {
	task   *walkTask
	walk   *workWalk
	folder *folder
	files  []indexChild // files of the folder by name
	dirs   []indexChild // sub-folders by name
	subs   []*walkTask
}

// indexChild is a name that the index has in a folder, with its entries.
type indexChild struct {
	name    string
	entries []IndexEntry
	met     bool // a folder of that name stands there
}

// sort makes the files of the node and the tasks of the sub-folders.
func (s *sorter) sort(names []workName) error {
	s.split()
	s.task.node.files = make([]WorkFile, 0, max(len(names)-len(s.dirs), len(s.files)))
	next := 0
	for _, n := range names {
		if strings.EqualFold(n.name, ".git") || len(s.task.only) > 0 && n.name != s.task.only[0] {
			continue
		}
		for next < len(s.files) && s.files[next].name < n.name {
			s.gone(s.files[next].entries)
			next++
		}
		var staged []IndexEntry
		if next < len(s.files) && s.files[next].name == n.name {
			staged = s.files[next].entries
			next++
		}
		if err := s.place(n, staged); err != nil {
			return err
		}
	}
	for ; next < len(s.files); next++ {
		s.gone(s.files[next].entries)
	}
	for i := range s.dirs {
		if !s.dirs[i].met {
			s.task.node.mixed = true
			s.gone(s.dirs[i].entries)
		}
	}
	return nil
}

// split groups the entries by the names they have in the folder.
func (s *sorter) split() {
	at := len(s.task.node.prefix)
	for rest := s.task.entries; len(rest) > 0; {
		path := rest[0].Path
		name, _, isDir := strings.Cut(path[at:], "/")
		n := 1
		if isDir {
			prefix := path[:at+len(name)+1]
			n = sort.Search(len(rest), func(i int) bool { return !strings.HasPrefix(rest[i].Path, prefix) })
			s.dirs = append(s.dirs, indexChild{name: name, entries: rest[:n]})
		} else {
			for n < len(rest) && rest[n].Path == path {
				n++
			}
			s.files = append(s.files, indexChild{name: name, entries: rest[:n]})
		}
		rest = rest[n:]
	}
	byName := func(a, b indexChild) int { return strings.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(s.dirs, byName) {
		slices.SortFunc(s.dirs, byName)
	}
}

// gone adds the files of entries at which nothing stands.
func (s *sorter) gone(entries []IndexEntry) {
	for len(entries) > 0 {
		n := 1
		for n < len(entries) && entries[n].Path == entries[0].Path {
			n++
		}
		s.add(WorkFile{Path: entries[0].Path, Absent: true}, entries[:n])
		entries = entries[n:]
	}
}

// add adds a file with the entries of its path, unless it is left out.
func (s *sorter) add(f WorkFile, staged []IndexEntry) {
	if s.walk.options.Except != "" && f.name() == s.walk.options.Except {
		return
	}
	switch {
	case len(staged) == 0:
	case staged[0].Stage != 0:
		f.Unmerged = true
	default:
		f.Index = &staged[0]
		f.Kept = f.Index.SkipWorktree && (f.Absent || !s.walk.modes.sparse)
	}
	s.task.node.files = append(s.task.node.files, f)
}

// place sorts out one name that stands in the folder. staged is what the index
// has under exactly this path.
func (s *sorter) place(n workName, staged []IndexEntry) error {
	path := ""
	if len(staged) > 0 {
		path = staged[0].Path
	} else {
		path = s.task.node.prefix + n.name
	}
	if n.typ&fs.ModeDir == 0 {
		if len(staged) == 0 && s.ignored(path, false) {
			return nil
		}
		if len(s.task.only) > 1 {
			s.gone(staged)
			return nil
		}
		s.add(WorkFile{Path: path, listed: fileType(n.typ)}, staged)
		return nil
	}
	if len(staged) > 0 && staged[0].Mode == ModeGitlink {
		if len(s.task.only) > 1 {
			return inNested(path)
		}
		s.add(WorkFile{Path: path, Mode: ModeGitlink, listed: fs.ModeDir}, staged)
		return nil
	}
	s.gone(staged)
	return s.descend(n.name, path)
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
func (s *sorter) descend(name, path string) error {
	var entries []IndexEntry
	if i, found := slices.BinarySearchFunc(s.dirs, name, func(c indexChild, name string) int { return strings.Compare(c.name, name) }); found {
		s.dirs[i].met = true
		entries = s.dirs[i].entries
	}
	ignored := s.ignored(path, true)
	if ignored && len(entries) == 0 {
		return nil
	}
	if len(path) > maxWorkPath {
		return &Error{Fault: OverLimit, Subject: path[:maxWorkPath], Proof: "the path is longer than the bound on paths"}
	}
	sub := &walkTask{
		node: &walkNode{name: path[len(path)-len(name):], prefix: path + "/"}, name: name,
		entries: entries, rules: s.task.rules, ignored: ignored,
	}
	if len(s.task.only) > 1 {
		sub.only = s.task.only[1:]
	}
	s.subs = append(s.subs, sub)
	return nil
}
