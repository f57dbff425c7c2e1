package gitref

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// IndexEntry is one entry of the index. The stat fields are as git stored them,
// cut to 32 bits, all zero when git did not trust them.
type IndexEntry struct {
	Path         string
	Mode         Mode
	OID          OID
	Stage        int // 0, or 1 to 3 for base, ours and theirs of a conflict
	IntentToAdd  bool
	SkipWorktree bool // sparse-checkout leaves the path out of the worktree
	AssumeValid  bool

	CTimeSec, CTimeNsec uint32
	MTimeSec, MTimeNsec uint32
	Dev, Ino, UID, GID  uint32
	Size                uint32
}

// indexSource answers for the index: its file read natively, or the git binary.
type indexSource interface {
	// entries returns every stage of one path.
	entries(ctx context.Context, path string) ([]IndexEntry, error)
	// each calls f for every entry, in path order, until it returns false.
	each(ctx context.Context, f func(IndexEntry) bool) error
	// The entries are numbered in path order, then stage order. What reads them by
	// number may meet a memory fault, which the caller traps.
	count() int
	// name is the path of entry i, which the caller neither keeps nor changes.
	name(i int) []byte
	// decode makes e entry i without its path.
	decode(i int, e *IndexEntry)
	// written is the time stamp of the index file.
	written() IndexTime
	close()
}

// IndexTime is when the index file was last written, as its file system says.
// An entry whose MTime is not before it is racy: its stat data proves nothing
// (git's Documentation/technical/racy-git).
type IndexTime struct{ Sec, Nsec uint32 }

// Index returns all stages of exactly this path, none when it is untracked. A
// path that a sparse index has folded into its folder is found as well, with
// SkipWorktree set. Errors: Corrupt, Denied, OverLimit, Unsupported.
func (r *Repo) Index(ctx context.Context, path string) ([]IndexEntry, error) {
	src, err := r.openIndex(ctx)
	if err != nil {
		return nil, err
	}
	return src.entries(ctx, path)
}

// Tracked returns every entry of the index in path order, then stage order.
// After an error nothing follows.
func (r *Repo) Tracked(ctx context.Context) iter.Seq2[IndexEntry, error] {
	return func(yield func(IndexEntry, error) bool) {
		src, err := r.openIndex(ctx)
		if err == nil {
			err = src.each(ctx, func(e IndexEntry) bool { return yield(e, nil) })
		}
		if err != nil {
			yield(IndexEntry{}, err)
		}
	}
}

func (r *Repo) openIndex(ctx context.Context) (indexSource, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	return r.index.get(r.readIndex)
}

func (r *Repo) indexPath() string {
	if named := r.env.get("GIT_INDEX_FILE"); named != "" {
		return absolute(r.loc.cwd, named)
	}
	return filepath.Join(r.loc.gitDir, "index")
}

const maxIndex = 2 << 30

func (r *Repo) readIndex() (indexSource, error) {
	if len(r.format.foreign) > 0 {
		return r.gitIndex("index", IndexTime{})
	}
	name := r.indexPath()
	before, err := os.Stat(name)
	if absent(err) {
		return &indexFile{hashSize: r.format.hashSize}, nil
	}
	if err != nil {
		return nil, fileError(err, "index")
	}
	// The file that is opened is at least as new as the one whose time was taken,
	// so that an entry is at worst taken for racy.
	v, err := openView(name)
	if err != nil {
		return nil, fileError(err, "index")
	}
	x, err := r.parseIndexView(v)
	if err != nil {
		v.close()
		return nil, err
	}
	x.time = indexTime(before)
	if x.foreign != "" {
		v.close()
		return r.gitIndex(x.foreign, x.time)
	}
	return x, nil
}

func (r *Repo) parseIndexView(v *view) (*indexFile, error) {
	if v.size > maxIndex {
		return nil, badIndex("the file is longer than an index can be")
	}
	data, err := v.all()
	if err != nil {
		return nil, fileError(err, "index")
	}
	x, err := parseIndex(data, r.format.hashSize)
	if err != nil {
		return nil, err
	}
	x.view = v
	return x, nil
}

func indexTime(st fs.FileInfo) IndexTime {
	t := st.ModTime()
	return IndexTime{Sec: uint32(t.Unix()), Nsec: uint32(t.Nanosecond())}
}

func (r *Repo) gitIndex(what string, written IndexTime) (indexSource, error) {
	git := r.binary()
	if git == nil {
		return nil, &Error{Fault: Unsupported, Subject: what, Proof: "the index uses a form that only an installed git can read, and none is installed"}
	}
	x, err := readGitIndex(context.Background(), git, git.dir, written)
	if err == nil {
		return x, nil
	}
	if refused := r.acceptedBy(context.Background(), git); refused != nil {
		err = refused
	}
	return nil, err
}

func badIndex(format string, args ...any) *Error {
	return &Error{Fault: Corrupt, Subject: "index", Proof: fmt.Sprintf(format, args...)}
}
