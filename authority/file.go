package authority

import (
	"bytes"
	"context"
	"io/fs"
	"os"

	"ctxptr/gitref"
)

var fileKind = &Kind{
	Name:    "file",
	Summary: "a regular file's bytes in the working tree, or a selection of them",
	Example: "docs/SPEC.md",
	Doc: `The locator is a path relative to the root: bytes, slash-separated, clean, no
.git component. One that begins with ./ or ../ is relative to the file in which
the pointer stands. Symbolic links, folders, devices and pipes are refused, and
so is a link on the way that leads out of the root.
Bytes are hashed as they lie there. When that does not match and the file is
tracked and contains CRLF, it is compared as git add would store it; the record
then says conversion: eol.`,
	Tags:    []Tag{BLAKE3, SHA256, GitBlob},
	Bytes:   true,
	Rules:   []string{"index_clean", "committed_clean"},
	Default: BLAKE3,
	parse: func(text string) (target, error) {
		p, err := parseFilePath(text)
		return fileTarget{p}, err
	},
}

type fileTarget struct{ path filePath }

func (fileTarget) fixed() bool { return false }

func (t fileTarget) observe(ctx context.Context, w *Workspace, from string) (*Observation, error) {
	p, err := t.path.inRoot(from)
	if err != nil {
		return nil, err
	}
	if w.fault != nil {
		return nil, w.fault
	}
	info, err := w.lstat(p)
	if err != nil {
		return nil, w.whyAbsent(ctx, p, false, err)
	}
	o := &Observation{Layer: LayerWorktree, Path: p, Mode: fileMode(info)}
	o.load = func(ctx context.Context) ([]byte, error) { return w.readRegular(ctx, p, info) }
	if info.Size() >= streamAbove {
		o.stream = func(ctx context.Context, like Identity) (Identity, error) { return w.streamRegular(ctx, p, info, like) }
	}
	o.size = func(context.Context) (int64, error) { return info.Size(), nil }
	o.convert = func(ctx context.Context, raw []byte) ([]byte, string, error) { return w.toGit(ctx, p, raw) }
	o.idSize = w.idSize
	return o, nil
}

// idSize is the length in bytes of the object ids of the repository in whose
// working tree the root stands, 0 where there is none.
func (w *Workspace) idSize(ctx context.Context) (uint8, error) {
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return 0, err
	}
	return uint8(repo.HashSize()), nil
}

// fileMode is the mode git would record for a regular file.
func fileMode(info fs.FileInfo) string {
	if info.Mode().Perm()&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// toGit returns what git add would store of a tracked file that contains CRLF.
// Anything else is hashed as it lies there.
func (w *Workspace) toGit(ctx context.Context, p string, raw []byte) ([]byte, string, error) {
	if !bytes.Contains(raw, []byte("\r\n")) {
		return raw, "", nil
	}
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return raw, "", err
	}
	at, err := w.indexed(ctx, p)
	if err != nil {
		return nil, "", err
	}
	defer at.close()
	if len(at.entries) == 0 {
		return raw, "", nil
	}
	return toStored(ctx, at.repo, at.path, raw)
}

// toStored returns the bytes that git add would store of a tracked file, and
// which conversion led to them. A conversion that is not computed here leaves
// them as they are.
func toStored(ctx context.Context, repo *gitref.Repo, path string, raw []byte) ([]byte, string, error) {
	stored, err := repo.ToGit(ctx, path, raw)
	switch {
	case isFault(err, gitref.UnknownConversion):
		return raw, "", nil
	case err != nil:
		return nil, "", gitFault(err)
	}
	return stored.Data, stored.Conversion, nil
}

// openFlags open a file for reading without waiting for a writer of a pipe.
const openFlags = os.O_RDONLY | nonblock
