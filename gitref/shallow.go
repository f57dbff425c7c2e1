package gitref

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const maxShallowFile = 64 << 20

// shallowBoundary is the set of commits whose parents were not fetched
// (gitrepository-layout(5), "shallow").
func (r *Repo) shallowBoundary() (map[OID]struct{}, error) {
	return r.shallow.get(func() (map[OID]struct{}, error) {
		data, err := readRegular(filepath.Join(r.loc.commonDir, "shallow"), maxShallowFile)
		if absent(err) {
			return nil, nil
		}
		if err != nil {
			return nil, fileError(err, "shallow")
		}
		boundary := map[OID]struct{}{}
		for line := range bytes.Lines(data) {
			id, ok := leadingOID(strings.TrimRight(string(line), "\r\n"), r.format.hashSize)
			if !ok {
				return nil, &Error{Fault: Corrupt, Subject: "shallow", Proof: "a line of the file is no object id"}
			}
			boundary[id] = struct{}{}
		}
		return boundary, nil
	})
}

// The notes of a repository.
const (
	NoteGrafts       = "grafts"
	NotePartialClone = "partial-clone" // objects can be left out
	NoteReplaceRefs  = "replace-refs"
	NoteShallow      = "shallow" // history has a boundary
)

// Notes names what makes this repository's history differ from what its objects
// alone say, or leaves objects out: the notes that hold, sorted. Replacements and
// grafts are never applied.
func (r *Repo) Notes() []string {
	notes, _ := r.notes.get(func() ([]string, error) {
		var notes []string
		if r.hasGrafts() {
			notes = append(notes, NoteGrafts)
		}
		if r.format.promisor {
			notes = append(notes, NotePartialClone)
		}
		if r.hasReplacements() {
			notes = append(notes, NoteReplaceRefs)
		}
		if boundary, err := r.shallowBoundary(); err != nil || len(boundary) > 0 {
			notes = append(notes, NoteShallow)
		}
		return notes, nil
	})
	return slices.Clone(notes)
}

// hasGrafts reports whether info/grafts says anything; one that cannot be read
// might.
func (r *Repo) hasGrafts() bool {
	data, err := readRegular(filepath.Join(r.loc.commonDir, "info", "grafts"), maxShallowFile)
	if err != nil {
		return !absent(err)
	}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}

const replaceRefs = "refs/replace/"

// hasReplacements reports whether any ref below refs/replace/ exists, or might.
func (r *Repo) hasReplacements() bool {
	found, err := r.refs.hasPrefix(replaceRefs)
	return found || err != nil
}

func (r *fileRefs) hasPrefix(prefix string) (bool, error) {
	if hasFile(filepath.Join(r.commonDir, filepath.FromSlash(prefix))) {
		return true, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.openPacked()
	if err != nil {
		return false, err
	}
	return p.hasPrefix(prefix)
}

// hasFile reports whether a folder holds a file at any depth.
func hasFile(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		found = true
		return fs.SkipAll
	})
	return found
}

// splitPathList splits a list of paths as git does: a double-quoted entry may
// hold the separator.
func splitPathList(list string) []string {
	var out []string
	for list != "" {
		if list[0] == '"' {
			if path, rest, ok := unquoteC(list); ok {
				out = append(out, path)
				list = strings.TrimPrefix(rest, string(os.PathListSeparator))
				continue
			}
		}
		var path string
		path, list, _ = strings.Cut(list, string(os.PathListSeparator))
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}
