package authority

import (
	"path"
	"strings"
)

// checkPath parses a path of a locator: bytes, slash-separated, relative to the
// root and clean. base is where it stands in the locator. Case and Unicode
// normalisation forms differ, and a backslash is a byte like others.
func checkPath(p string, base int) error {
	switch {
	case p == "":
		return malformedAt(MalformedLocator, base, "the path is empty")
	case p[0] == '/':
		return malformedAt(MalformedLocator, base, "the path is absolute; paths are relative to the root")
	}
	at := base
	for part := range strings.SplitSeq(p, "/") {
		if err := checkComponent(part, at); err != nil {
			return err
		}
		at += len(part) + 1
	}
	return nil
}

func checkComponent(part string, at int) error {
	switch {
	case part == "":
		return malformedAt(MalformedLocator, at, "the path has an empty component")
	case part == "." || part == "..":
		return malformedAt(MalformedLocator, at, "the path has a %s component; paths are clean", part)
	case strings.EqualFold(part, ".git"):
		return malformedAt(MalformedLocator, at, "the path has a .git component; a repository's own files are no authority")
	}
	if i := strings.IndexByte(part, 0); i >= 0 {
		return malformedAt(MalformedLocator, at+i, "the path has a NUL byte")
	}
	return nil
}

// filePath is a path relative to the root, or relative to the folder of the
// file in which the pointer stands when it begins with ./ or ../.
type filePath struct{ text string }

func isRelative(p string) bool { return strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") }

func parseFilePath(p string) (filePath, error) {
	rest, here := strings.CutPrefix(p, "./")
	for !here && strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	if err := checkPath(rest, len(p)-len(rest)); err != nil {
		return filePath{}, err
	}
	return filePath{p}, nil
}

// inRoot returns the path relative to the root. from is the path, relative to
// the root, of the file in which the pointer stands, empty when there is none.
func (p filePath) inRoot(from string) (string, error) {
	if !isRelative(p.text) {
		return p.text, nil
	}
	if from == "" {
		return "", malformedAt(MalformedLocator, 0, "the path is relative to the file that carries the pointer, and none was named (--from)")
	}
	joined := path.Join(path.Dir(from), p.text)
	if joined == ".." || strings.HasPrefix(joined, "../") {
		return "", malformedAt(MalformedLocator, 0, "the path leaves the root")
	}
	return joined, nil
}
