package gitref

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"syscall"
)

// WorkFile is one thing that git would store, or has stored, of a working tree.
type WorkFile struct {
	Path string // from the top of the working tree; bytes, slash-separated

	look   *workLook   // while it is visited
	number int32       // of its entry, when it is Tracked
	listed fs.FileMode // the type its folder gives

	Mode  Mode  // as git add records it; 0 when Absent or nothing it can store
	Index Entry // what the index has, when it is Tracked

	Tracked     bool // the index has an entry, and no conflict
	IntentToAdd bool // the entry only says that it will be added

	Absent   bool // tracked, and nothing of its kind stands there
	Unmerged bool // the index holds the stages of a conflict
	Kept     bool // skip-worktree: git add keeps the entry, whatever stands there
	Nested   bool // Mode is ModeGitlink and a repository stands there

	OID    OID      // for the visitor to fill in
	Digest [32]byte // for the visitor to fill in
}

// workLook is what is known of a file while it is visited.
type workLook struct {
	walk   *workWalk
	folder *folder
	entry  *IndexEntry // that of the file, if it has one
	stat   fileStat
	known  bool    // stat is of the file
	room   *[]byte // the worker's, for the bytes of one file
}

// maxRoom is the size in bytes of the largest file whose bytes take the place of those
// of the file before.
const maxRoom = 1 << 20

// make returns memory for n bytes, valid until the next file is visited.
func (l *workLook) make(n int64) []byte {
	if n > maxRoom {
		return make([]byte, n)
	}
	if int64(len(*l.room)) < n {
		*l.room = make([]byte, min(max(2*n, 64<<10), maxRoom))
	}
	return (*l.room)[:n:n]
}

// Size is the length of the file in bytes, with Unlooked only after Bytes. Only a
// visitor may call it.
func (f *WorkFile) Size() int64 { return f.look.stat.size }

// name is the last component of the path.
func (f *WorkFile) name() string { return f.Path[strings.LastIndexByte(f.Path, '/')+1:] }

// Folder is the absolute path of the folder that is a nested repository. Only a
// visitor may call it.
func (f *WorkFile) Folder() string { return f.look.walk.options.Top + "/" + f.Path }

// Bytes returns the bytes of a regular file of at most limit bytes, or the
// target of a link; they are valid until the visitor returns. Only a visitor may call
// it. The error is an *Error: OverLimit, Denied, or Changed when the file is no longer
// the one that was looked at.
func (f *WorkFile) Bytes(limit int64) ([]byte, error) {
	switch {
	case f.look.known && f.Size() > limit:
		return nil, f.overLimit(limit)
	case f.look.known && f.look.stat.typ == fs.ModeSymlink:
		target, err := f.look.folder.readlink(f.name(), f.Size())
		switch {
		case errors.Is(err, syscall.EINVAL): // it is no link now
			return nil, changed(f.Path)
		case err != nil:
			return nil, f.fault(err)
		}
		return target, nil
	}
	file, err := f.look.folder.open(f.name())
	if err != nil {
		return nil, f.fault(err)
	}
	defer file.Close()
	before, err := file.stat()
	if err != nil {
		return nil, f.fault(err)
	}
	if !f.look.known {
		f.look.stat, f.look.known = before, true
	}
	switch {
	case before != f.look.stat || before.typ != 0:
		return nil, changed(f.Path)
	case f.Size() > limit:
		return nil, f.overLimit(limit)
	}
	return f.readWhole(file)
}

// readWhole reads an open file that is still as long and as old afterwards.
func (f *WorkFile) readWhole(file *workHandle) ([]byte, error) {
	data := f.look.make(f.Size())
	switch _, err := io.ReadFull(file, data); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, changed(f.Path)
	case err != nil:
		return nil, f.fault(err)
	}
	// A file that grew behind what was read has another size now.
	after, err := file.stat()
	if err != nil {
		return nil, f.fault(err)
	}
	if after != f.look.stat {
		return nil, changed(f.Path)
	}
	return data, nil
}

func (f *WorkFile) overLimit(limit int64) *Error {
	return &Error{Fault: OverLimit, Subject: f.Path, Proof: fmt.Sprintf("it has %d bytes, more than the limit of %d", f.Size(), limit)}
}

func changed(path string) *Error {
	return &Error{Fault: Changed, Subject: path, Proof: "it changed while it was read"}
}

// fault makes the cause of a failed look at the file an *Error.
func (f *WorkFile) fault(err error) *Error { return workFault(err, f.Path) }

func workFault(err error, path string) *Error {
	switch {
	case absent(err), errors.Is(err, syscall.ELOOP): // a link stands there now
		return changed(path)
	case deniedError(err):
		return &Error{Fault: Denied, Subject: path, Proof: "the operating system does not let it be read", Err: bareCause(err)}
	}
	return &Error{Fault: Denied, Subject: path, Proof: "it cannot be read", Err: bareCause(err)}
}

// Unchanged reports whether stat data prove that the file is still what its
// index entry was made of: size, modification and change time and inode match,
// and neither time is at or after the index's own (git's racy-git). Only a visitor
// may call it.
func (f *WorkFile) Unchanged() bool {
	e := f.look.entry
	if !f.Tracked || !statTrusted || f.IntentToAdd {
		return false
	}
	same := e.Size == uint32(f.look.stat.size) && e.Ino == uint32(f.look.stat.ino) && e.Ino != 0 &&
		e.MTimeSec == f.look.stat.mtime.Sec && e.MTimeNsec == f.look.stat.mtime.Nsec &&
		e.CTimeSec == f.look.stat.ctime.Sec && e.CTimeNsec == f.look.stat.ctime.Nsec
	if !same || (e.Mode == ModeSymlink) != (f.Mode == ModeSymlink) || e.Mode == ModeGitlink {
		return false
	}
	if e.Size == 0 && e.OID != f.look.walk.options.Repo.BlobOID(nil) {
		return false // git marks an entry it does not trust with size 0
	}
	written := f.look.walk.written
	return f.look.stat.mtime.before(written) && f.look.stat.ctime.before(written)
}

// StoredOID returns the id under which git add would store the file, which
// Unchanged proves or its bytes, of which there may be limit, as ToGit converts
// them, without the rules of .gitattributes files that were deleted: git add -A
// drops those first. Only a visitor may call it. Errors are those of Bytes and ToGit.
func (r *Repo) StoredOID(ctx context.Context, f *WorkFile, limit int64) (OID, error) {
	if f.Unchanged() {
		return f.Index.OID, nil
	}
	data, err := f.Bytes(limit)
	if err != nil {
		return OID{}, err
	}
	if f.look.stat.typ == fs.ModeSymlink {
		return r.BlobOID(data), nil
	}
	stored, err := r.toGit(ctx, &r.alone, f.Path, data)
	if err != nil {
		return OID{}, err
	}
	return r.BlobOID(stored.Data), nil
}

// WorkTree is what one Walk has found.
type WorkTree struct {
	root     *walkNode
	unmerged bool // the index has stages of a conflict among the files
}

// Unmerged returns the first file that is unmerged, nil for none.
func (t *WorkTree) Unmerged() *WorkFile {
	if t.unmerged {
		for f := range t.Files() {
			if f.Unmerged {
				return f
			}
		}
	}
	return nil
}

// Files yields the files in the order of their paths' bytes.
func (t *WorkTree) Files() iter.Seq[*WorkFile] {
	return func(yield func(*WorkFile) bool) { t.root.each(yield) }
}
