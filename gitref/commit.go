package gitref

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
)

var (
	errCommit = errors.New("the commit is malformed")
	errTag    = errors.New("the tag is malformed")
)

// commitInfo is what git's own parser takes from a commit.
type commitInfo struct {
	tree          OID
	parents       []OID
	committerTime int64 // seconds; 0 when the commit states none that can be read
}

// parseCommit parses a commit as strictly as git's parse_commit_buffer: the
// tree line and the parent lines must be exact, with ids of hashSize bytes, a malformed
// date counts as 0.
func parseCommit(data []byte, hashSize int) (commitInfo, error) {
	var c commitInfo
	id, rest, ok := cutIDLine(data, "tree ", hashSize)
	if !ok || len(rest) == 0 {
		return c, errCommit
	}
	c.tree = id
	line := len("parent ") + 2*hashSize + 1
	for len(rest) >= line && bytes.HasPrefix(rest, []byte("parent ")) {
		parent, after, ok := cutIDLine(rest, "parent ", hashSize)
		if !ok || len(after) == 0 {
			return c, errCommit
		}
		c.parents, rest = append(c.parents, parent), after
	}
	c.committerTime = parseCommitTime(rest)
	return c, nil
}

// cutIDLine cuts a line of a keyword and an object id of hashSize bytes, in hexadecimal
// of either case as git reads it.
func cutIDLine(data []byte, keyword string, hashSize int) (OID, []byte, bool) {
	data, ok := bytes.CutPrefix(data, []byte(keyword))
	n := 2 * hashSize
	if !ok || len(data) <= n || data[n] != '\n' {
		return OID{}, nil, false
	}
	id := OID{size: uint8(hashSize)}
	if _, err := hex.Decode(id.sum[:], data[:n]); err != nil {
		return OID{}, nil, false
	}
	return id, data[n+1:], true
}

// parseCommitTime reads the committer's time from the lines that follow the
// parents. It only orders a walk, so what cannot be read is 0, as in git.
func parseCommitTime(data []byte) int64 {
	author, rest, _ := bytes.Cut(data, []byte{'\n'})
	line, _, ended := bytes.Cut(rest, []byte{'\n'})
	if !ended || !bytes.HasPrefix(author, []byte("author")) || !bytes.HasPrefix(line, []byte("committer")) {
		return 0
	}
	_, date, _ := bytes.Cut(line, []byte{'>'})
	date = bytes.TrimLeft(date, " \t\v\f\r")
	var t int64
	for _, c := range date {
		if c < '0' || c > '9' {
			break
		}
		if t > math.MaxInt64/10-1 {
			return math.MaxInt64
		}
		t = t*10 + int64(c-'0')
	}
	return t
}

// tagInfo is what git's own parser takes from an annotated tag.
type tagInfo struct {
	object OID
	typ    ObjectType
}

// parseTag parses an annotated tag as strictly as git's parse_tag_buffer:
// object (an id of hashSize bytes), type and tag lines.
func parseTag(data []byte, hashSize int) (tagInfo, error) {
	id, rest, ok := cutIDLine(data, "object ", hashSize)
	if !ok {
		return tagInfo{}, errTag
	}
	rest, ok = bytes.CutPrefix(rest, []byte("type "))
	typ, rest, ended := bytes.Cut(rest, []byte{'\n'})
	kind, known := parseKind(typ)
	if !ok || !ended || !known {
		return tagInfo{}, errTag
	}
	if name, ok := bytes.CutPrefix(rest, []byte("tag ")); !ok || bytes.IndexByte(name, '\n') < 0 {
		return tagInfo{}, errTag
	}
	return tagInfo{object: id, typ: kindType(kind)}, nil
}
