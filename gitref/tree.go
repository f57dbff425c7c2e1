package gitref

import (
	"bytes"
	"errors"
)

var errTree = errors.New("the tree is malformed")

// cutTreeEntry splits the first entry off raw tree bytes: octal mode, space,
// name, NUL, object id of hashSize bytes. It is as strict as git's
// decode_tree_entry, and like git reports old modes by what they mean.
func cutTreeEntry(data []byte, hashSize int) (name []byte, e Entry, rest []byte, err error) {
	// As git, look first whether the tree can end in a whole entry.
	if len(data) < hashSize+3 || data[len(data)-hashSize-1] != 0 {
		return nil, Entry{}, nil, errTree
	}
	mode, n := uint32(0), 0
	for ; data[n] != ' '; n++ {
		if data[n] < '0' || data[n] > '7' {
			return nil, Entry{}, nil, errTree
		}
		mode = mode<<3 | uint32(data[n]-'0')
	}
	if n == 0 {
		return nil, Entry{}, nil, errTree
	}
	data = data[n+1:]
	end := bytes.IndexByte(data, 0)
	if end <= 0 || len(data) < end+1+hashSize {
		return nil, Entry{}, nil, errTree
	}
	e = Entry{Mode: canonicalMode(mode)}
	e.OID.size = uint8(copy(e.OID.sum[:], data[end+1:end+1+hashSize]))
	return data[:end], e, data[end+1+hashSize:], nil
}

// canonicalMode maps every mode a tree may hold to one of the five git knows.
func canonicalMode(mode uint32) Mode {
	switch mode & 0o170000 {
	case 0o100000:
		if mode&0o100 != 0 {
			return ModeExecutable
		}
		return ModeFile
	case 0o120000:
		return ModeSymlink
	case 0o040000:
		return ModeTree
	}
	return ModeGitlink
}

// treeEntry looks for the entry of that name in raw tree bytes whose object ids
// have hashSize bytes (20 or 32). As git does, it stops where a sorted tree
// would have had the name; what is scanned must be well formed.
func treeEntry(data []byte, name string, hashSize int) (Entry, bool, error) {
	for len(data) > 0 {
		got, e, rest, err := cutTreeEntry(data, hashSize)
		if err != nil {
			return Entry{}, false, err
		}
		data = rest
		if len(got) <= len(name) && string(got) >= name[:len(got)] {
			found := string(got) == name
			if !found && string(got) == name[:len(got)] {
				continue
			}
			return foundEntry(e, found, data, hashSize)
		}
	}
	return Entry{}, false, nil
}

// foundEntry ends a search. git has decoded one entry more by then, and fails
// where that is malformed.
func foundEntry(e Entry, found bool, rest []byte, hashSize int) (Entry, bool, error) {
	if len(rest) > 0 {
		if _, _, _, err := cutTreeEntry(rest, hashSize); err != nil {
			return Entry{}, false, err
		}
	}
	if !found {
		return Entry{}, false, nil
	}
	return e, true, nil
}

// eachTreeEntry calls f for each entry in order until f returns false. The name
// is shared with data.
func eachTreeEntry(data []byte, hashSize int, f func(name []byte, e Entry) bool) error {
	for len(data) > 0 {
		name, e, rest, err := cutTreeEntry(data, hashSize)
		if err != nil {
			return err
		}
		if !f(name, e) {
			return nil
		}
		data = rest
	}
	return nil
}
