package gitref

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// maxSymrefs is the number of refs git reads to get from a name to a value.
const maxSymrefs = 5

const maxRefFile = 64 << 10

// rawRef is what is stored under one ref name.
type rawRef struct {
	oid    OID
	target string // of a symbolic ref, else ""
}

// refSource answers for single refs by full name, without following symbolic
// ones. Errors are *Error: NoRef, BrokenRef, Denied, Corrupt.
type refSource interface {
	readRef(name string) (rawRef, error)
	// hasPrefix reports whether any ref's name begins with a folder of refs.
	hasPrefix(prefix string) (bool, error)
	close()
}

// pinnedRefs answers the same for a name each time: the first observation counts.
type pinnedRefs struct {
	refSource
	mu   sync.Mutex
	seen map[string]refResult
}

type refResult struct {
	raw rawRef
	err error
}

func (p *pinnedRefs) readRef(name string) (rawRef, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.seen[name]; ok {
		return known.raw, known.err
	}
	raw, err := p.refSource.readRef(name)
	if p.seen == nil {
		p.seen = map[string]refResult{}
	}
	p.seen[name] = refResult{raw, err}
	return raw, err
}

// tip is a ref followed to its value.
type tip struct {
	oid    OID
	symref string // the last name, where name is symbolic
}

// followRef reads a ref through symbolic refs. For one whose last name holds
// nothing, symref is set beside the NoRef error.
func followRef(src refSource, name string) (tip, error) {
	var t tip
	at := name
	for range maxSymrefs {
		if !ValidRefName(at) {
			return tip{}, brokenRef(name, "it points to what is no ref name")
		}
		raw, err := src.readRef(at)
		if err != nil {
			return t, err
		}
		if raw.target == "" {
			t.oid = raw.oid
			return t, nil
		}
		at = raw.target
		t.symref = at
	}
	return tip{}, brokenRef(name, "its chain of symbolic refs is a loop or longer than git follows")
}

func noRef(name string) *Error {
	return &Error{Fault: NoRef, Subject: name, Proof: "no ref has this name"}
}

func brokenRef(name, proof string) *Error {
	return &Error{Fault: BrokenRef, Subject: name, Proof: proof}
}

// fileRefs reads the files backend: a file a ref, and packed-refs.
type fileRefs struct {
	gitDir, commonDir string
	hashSize          int

	mu     sync.Mutex // guards packed
	packed *packedRefs
}

func (r *fileRefs) readRef(name string) (rawRef, error) {
	path, shared := r.place(name)
	raw, found, err := r.loose(path, name)
	if found || err != nil {
		return raw, err
	}
	if !shared {
		return rawRef{}, noRef(name)
	}
	return r.fromPacked(name)
}

// place is the file of a loose ref, and whether packed-refs may hold it too.
func (r *fileRefs) place(name string) (path string, shared bool) {
	dir, rest := r.commonDir, name
	if after, ok := strings.CutPrefix(name, "main-worktree/"); ok && perWorktree(after) {
		rest = after
	} else if after, ok := strings.CutPrefix(name, "worktrees/"); ok {
		id, bare, _ := strings.Cut(after, "/")
		if perWorktree(bare) {
			return filepath.Join(r.commonDir, "worktrees", id, filepath.FromSlash(bare)), false
		}
	} else if perWorktree(name) {
		return filepath.Join(r.gitDir, filepath.FromSlash(name)), strings.HasPrefix(name, "refs/")
	}
	return filepath.Join(dir, filepath.FromSlash(rest)), strings.HasPrefix(rest, "refs/")
}

// loose reads a ref's own file; found is false where packed-refs decides.
func (r *fileRefs) loose(path, name string) (raw rawRef, found bool, err error) {
	st, err := os.Lstat(path)
	switch {
	case absent(err):
		return rawRef{}, false, nil
	case err == nil && st.Mode()&fs.ModeSymlink != 0:
		if target, ok := linkedRef(path); ok {
			return rawRef{target: target}, true, nil
		}
	}
	data, err := readRegular(path, maxRefFile)
	switch {
	case err == nil:
		raw, err = parseRef(data, name, r.hashSize)
		return raw, true, err
	case absent(err), isFolder(path), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, fs.ErrInvalid):
		return rawRef{}, false, nil
	case errors.Is(err, fs.ErrPermission):
		return rawRef{}, false, fileError(err, name)
	}
	e := fileError(err, name)
	e.Fault = BrokenRef
	return rawRef{}, false, e
}

// linkedRef reads the oldest form of a symbolic ref: a symbolic link to refs/….
func linkedRef(path string) (string, bool) {
	target, err := os.Readlink(path)
	if err != nil || !strings.HasPrefix(target, "refs/") || !ValidRefName(target) {
		return "", false
	}
	return target, true
}

// parseRef reads the content of a ref file: an object id, or "ref: " and a name.
func parseRef(data []byte, name string, hashSize int) (rawRef, error) {
	s := strings.TrimRight(string(data), " \t\n\r")
	if target, ok := strings.CutPrefix(s, "ref:"); ok {
		target = strings.TrimLeft(target, " \t\n\r")
		if strings.IndexByte(target, 0) >= 0 || target == "" {
			return rawRef{}, brokenRef(name, "it points to what is no ref name")
		}
		return rawRef{target: target}, nil
	}
	id, ok := leadingOID(s, hashSize)
	if !ok || id.IsZero() {
		return rawRef{}, brokenRef(name, "its file holds no object id and no symbolic ref")
	}
	return rawRef{oid: id}, nil
}

// leadingOID reads the object id s starts with, alone or before white space.
func leadingOID(s string, hashSize int) (OID, bool) {
	n := 2 * hashSize
	if len(s) < n || len(s) > n && !gitSpace(s[n]) {
		return OID{}, false
	}
	id, err := ParseOID(strings.ToLower(s[:n]))
	return id, err == nil
}

// openPacked returns packed-refs as it is now. Since packing moves a ref from its
// own file to there, a file that was replaced after it was opened is opened anew.
func (r *fileRefs) openPacked() (*packedRefs, error) {
	path := filepath.Join(r.commonDir, "packed-refs")
	if r.packed != nil && !r.packed.replaced(path) {
		return r.packed, nil
	}
	p, err := openPackedRefs(path, r.hashSize)
	if err != nil {
		return nil, err
	}
	if r.packed != nil {
		r.packed.close()
	}
	r.packed = p
	return p, nil
}

// fromPacked looks up a ref that has no file of its own.
func (r *fileRefs) fromPacked(name string) (rawRef, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.openPacked()
	if err != nil {
		return rawRef{}, err
	}
	id, found, err := p.find(name)
	if err != nil {
		return rawRef{}, err
	}
	if !found {
		return rawRef{}, noRef(name)
	}
	return rawRef{oid: id}, nil
}

func (r *fileRefs) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packed != nil {
		r.packed.close()
		r.packed = nil
	}
}
