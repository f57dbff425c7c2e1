package authority

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"strings"
	"sync/atomic"

	"ctxptr/gitref"
)

var dirKind = &Kind{
	Name:    "dir",
	Summary: "everything in a folder: paths, types, content",
	Example: "docs/rules",
	Doc: `The locator is a folder's path relative to the root, . for the root itself; one
that begins with ./ or ../ is relative to the file in which the pointer stands.
Inside a repository what git ignores does not count; outside of one everything
does. .git never counts, nor do files named ctxptr.pins. A nested repository or
submodule counts by the commit that is checked out. A tracked file counts in the
form git add would store as far as line endings go. A pipe, socket or device
blocks, and so does a folder in which nothing counts.
The identity is the digest of "ctxptr-dir-v1\n" and, for each entry in the order
of path bytes, the framed relative path, the framed type (file, exec, symlink,
repo) and the framed digest in hexadecimal of the content (of a link its target)
or the commit id; framed is decimal byte length, colon, bytes.`,
	Tags:    []Tag{BLAKE3, SHA256},
	Rules:   []string{"index_clean", "committed_clean"},
	Default: BLAKE3,
	parse: func(text string) (target, error) {
		p, err := parseDirPath(text)
		return dirTarget{p}, err
	},
}

type dirTarget struct{ path filePath }

func (dirTarget) fixed() bool { return false }

// parseDirPath parses a folder's path: as a file's, or ".", or "./" and "../"
// with nothing behind them, which are the folder of the file in which the pointer
// stands and those above it.
func parseDirPath(p string) (filePath, error) {
	if p == "." || p == "./" {
		return filePath{p}, nil
	}
	rest := p
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	if rest == "" && p != "" {
		return filePath{p}, nil
	}
	return parseFilePath(p)
}

func (t dirTarget) observe(ctx context.Context, w *Workspace, from string) (*Observation, error) {
	p, err := t.path.inRoot(from)
	if err != nil {
		return nil, err
	}
	if w.fault != nil {
		return nil, w.fault
	}
	if err := w.checkIsFolder(p); err != nil {
		return nil, w.whyAbsent(ctx, p, true, err)
	}
	d := &dirEntries{workspace: w, path: p}
	return &Observation{
		Layer: LayerWorktree, Path: p, composite: d, cleanable: d,
		noBytes: fault(MissingNotRegular, "a folder has no bytes to select or digest"),
	}, nil
}

// checkIsFolder refuses everything that is no folder, and a way to it that leads
// through symbolic links.
func (w *Workspace) checkIsFolder(p string) error {
	info, err := w.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault(MissingAuthority, "no folder stands at %s", Quote(p))
	case err != nil:
		return w.explain(p, err)
	}
	if link := w.firstLink(p); link != "" {
		return fault(MissingNotRegular, "%s is a symbolic link; point at the folder itself", Quote(link))
	}
	if !info.IsDir() {
		return fault(MissingNotRegular, "%s is no folder", Quote(p))
	}
	if !w.sameName(p) {
		return fault(MissingAuthority, "no folder of exactly that name stands at %s", Quote(p))
	}
	return nil
}

// dirEntries is the authority of a folder.
type dirEntries struct {
	workspace *Workspace
	path      string

	found  *gitref.WorkTree // what was identified last
	prefix int              // bytes of its paths that lead to the folder
}

func (d *dirEntries) identify(ctx context.Context, tag Tag) (Identity, error) {
	at, err := d.workspace.place(ctx, d.path)
	if err != nil {
		return Identity{}, err
	}
	defer at.close()
	o := gitref.WalkOptions{
		Top: d.workspace.dir, Repo: at.repo, Scope: at.path, Except: PinsFile, MaxEntries: maxEntries, Getenv: d.workspace.config.Getenv,
	}
	if at.repo != nil {
		o.Top = at.repo.Top()
	} else if d.path != "." {
		o.Scope = d.path // from the root on, so that no link on the way is followed
	}
	prefix := len(o.Scope)
	if prefix > 0 {
		prefix++
	}
	v := &dirVisitor{workspace: d.workspace, at: at, tag: tag}
	o.Visit = v.visit
	found, err := gitref.Walk(ctx, o)
	if err != nil {
		return Identity{}, walkFault(err)
	}
	for f := range found.Files() {
		if f.Path == o.Scope {
			return Identity{}, changed(d.path) // a folder stood there
		}
	}
	d.found, d.prefix = found, prefix
	c := composeDir(tag, found.Files(), prefix)
	if c.count == 0 {
		return Identity{}, fault(MissingSelection, "nothing in the folder %s counts", Quote(d.path))
	}
	return c.identity(), nil
}

// walkFault keeps the faults of a visitor as they are.
func walkFault(err error) error {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return gitFault(err)
}

// composeDir composes the digest of a folder; paths start behind prefix bytes.
func composeDir(tag Tag, files iter.Seq[*gitref.WorkFile], prefix int) *composer {
	c := newComposer(tag, "ctxptr-dir-v1\n")
	var room [64]byte
	for f := range files {
		if f.Absent {
			continue
		}
		c.count++
		c.frame(f.Path[prefix:])
		c.frame(dirType(f.Mode))
		if f.Mode == gitref.ModeGitlink {
			c.frameBytes(f.OID.AppendHex(room[:0]))
		} else {
			c.frameBytes(hex.AppendEncode(room[:0], f.Digest[:]))
		}
	}
	return c
}

func dirType(m gitref.Mode) string {
	switch m {
	case gitref.ModeExecutable:
		return "exec"
	case gitref.ModeSymlink:
		return "symlink"
	case gitref.ModeGitlink:
		return "repo"
	}
	return "file"
}

// dirVisitor digests what stands in a folder.
type dirVisitor struct {
	workspace *Workspace
	at        place
	tag       Tag
	total     atomic.Int64
}

// maxFolder is how many times the bound on one authority all files of a folder
// may have together.
const maxFolder = 1024

func (v *dirVisitor) visit(ctx context.Context, f *gitref.WorkFile) (err error) {
	switch f.Mode {
	case 0:
		return fault(MissingNotRegular, "%s is a pipe, socket or device", Quote(f.Path))
	case gitref.ModeGitlink:
		f.OID, err = v.head(ctx, f)
		return err
	}
	limit := v.workspace.config.MaxBytes
	if f.Size() > limit {
		return tooLarge(f, limit)
	}
	if total := v.total.Add(f.Size()); total/maxFolder > limit {
		return fault(MissingLimit, "the files of the folder have more than %d times the limit of %d bytes together (--max-bytes)", maxFolder, limit)
	}
	data, err := f.Bytes(limit)
	if err != nil {
		return gitFault(err)
	}
	if data, err = v.stored(ctx, f, data); err != nil {
		return err
	}
	f.Digest = Digest(Identity{tag: v.tag}, data).sum
	return nil
}

func tooLarge(f *gitref.WorkFile, limit int64) *Fault {
	out := overLimit(Quote(f.Path), f.Size(), limit)
	out.Flags = nil // a file that comes later may be larger still
	return out
}

// stored returns the form of a file that mint would hash.
func (v *dirVisitor) stored(ctx context.Context, f *gitref.WorkFile, data []byte) ([]byte, error) {
	if !f.Tracked && !f.Unmerged || f.Mode == gitref.ModeSymlink || !bytes.Contains(data, []byte("\r\n")) {
		return data, nil
	}
	stored, _, err := toStored(ctx, v.at.repo, f.Path, data)
	return stored, err
}

// head is the commit that is checked out in a nested repository.
func (v *dirVisitor) head(ctx context.Context, f *gitref.WorkFile) (gitref.OID, error) {
	if !f.Nested {
		return gitref.OID{}, v.workspace.submodule(v.at, f.Path)
	}
	repo, err := v.workspace.openNested(ctx, f.Folder(), f.Path)
	if err != nil {
		return gitref.OID{}, err
	}
	defer repo.Close()
	return nestedHead(ctx, repo, f.Path)
}

// clean holds what stands in the folder against the index and HEAD, and then
// proves that the folder is still what was found.
func (d *dirEntries) clean(ctx context.Context, seen Identity, committed bool) (string, error) {
	at, err := d.workspace.place(ctx, d.path)
	if err != nil {
		return "", err
	}
	if at.repo == nil {
		return "", fault(MissingRepository, "%s stands in no git working tree, so no index can equal it", Quote(d.path))
	}
	defer at.close()
	s := &snapshot{workspace: d.workspace, repo: at.repo, scope: at.path, tag: seen.tag}
	if err := s.take(ctx); err != nil {
		return "", err
	}
	how, err := s.linkedClean(ctx, d.path, at.inner, committed)
	if err != nil {
		return "", err
	}
	now, err := d.identify(ctx, seen.tag)
	if err == nil && now != seen {
		err = changed(d.path)
	}
	return how, err
}
