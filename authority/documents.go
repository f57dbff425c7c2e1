package authority

import (
	"context"
	"io"
	"path"
	"strings"

	"ctxptr/gitref"
)

// Document is a text file in which references may stand.
type Document struct {
	Path  string // relative to the root
	Data  []byte
	Fault *Fault // why Data is not known, nil when it is
}

// EachDocument calls visit for every regular file at and below a folder, . for
// the root, that is tracked or not ignored; outside of a repository for every one.
// Binary files are left out, and what lies in a nested repository or submodule.
// visit is called from several goroutines, in no order, with Data that is valid until
// it returns; a document that cannot be read comes with its Fault, and so does a pins
// file that is no regular file. EachDocument returns how many tracked files
// sparse-checkout leaves out of the working tree: these cannot be looked at. The error
// is a *Fault.
func (w *Workspace) EachDocument(ctx context.Context, folder string, visit func(Document)) (sparse int, err error) {
	if w.fault != nil {
		return 0, w.fault
	}
	at, err := w.place(ctx, folder)
	if err != nil {
		return 0, err
	}
	defer at.close()
	o := gitref.WalkOptions{Repo: at.repo, Scope: at.path, MaxEntries: maxEntries, Getenv: w.config.Getenv, Top: w.dir, Unlooked: true}
	prefix := ""
	if at.repo != nil {
		o.Top, prefix = at.repo.Top(), at.path
	} else if folder != "." {
		o.Scope, prefix = folder, folder
	}
	o.Visit = func(_ context.Context, f *gitref.WorkFile) error {
		p := path.Join(folder, strings.TrimPrefix(strings.TrimPrefix(f.Path, prefix), "/"))
		if f.Mode != gitref.ModeFile && f.Mode != gitref.ModeExecutable {
			if path.Base(p) == PinsFile && f.Mode != gitref.ModeGitlink {
				visit(w.ReadDocument(ctx, p)) // which says what it is
			}
			return nil
		}
		if d, text := w.readDocument(f, p); text {
			visit(d)
		}
		return nil
	}
	found, err := gitref.Walk(ctx, o)
	if err != nil {
		return 0, walkFault(err)
	}
	for f := range found.Files() {
		if f.Absent && f.Kept {
			sparse++
		}
	}
	return sparse, nil
}

// readDocument reads a file of a walk, false when it is no text.
func (w *Workspace) readDocument(f *gitref.WorkFile, p string) (Document, bool) {
	limit := w.config.MaxBytes
	data, err := f.Bytes(limit)
	switch {
	case isFault(err, gitref.OverLimit):
		return Document{Path: p, Fault: tooLarge(f, limit)}, !w.beginsBinary(p)
	case err != nil:
		return Document{Path: p, Fault: gitFault(err)}, true
	}
	return Document{Path: p, Data: data}, !gitref.IsBinary(data)
}

// beginsBinary reports whether a file that is not read whole begins as no text.
func (w *Workspace) beginsBinary(p string) bool {
	f, err := w.root.OpenFile(p, openFlags, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, gitref.BinaryPrefix)
	n, err := io.ReadFull(f, head)
	return (err == nil || n > 0) && gitref.IsBinary(head[:n])
}

// ReadDocument reads one regular file. What is wrong with it is its Fault.
func (w *Workspace) ReadDocument(ctx context.Context, p string) Document {
	d := Document{Path: p}
	err := checkPath(p, 0)
	if err == nil || w.fault != nil {
		d.Data, err = ReadFile(ctx, w, p)
	}
	if err != nil {
		d.Fault = asFault(err)
	}
	return d
}

// IsFolder reports whether a folder stands at a path.
func (w *Workspace) IsFolder(p string) bool {
	return w.fault == nil && w.checkIsFolder(p) == nil
}

// Stands reports whether anything stands at a path.
func (w *Workspace) Stands(p string) bool {
	if w.fault != nil {
		return false
	}
	_, err := w.root.Lstat(p)
	return err == nil
}

// Unchecked reports whether .gitattributes leave a file out of checking, by
// -ctxptr. The error is a *Fault.
func (w *Workspace) Unchecked(ctx context.Context, p string) (bool, error) {
	repo, err := w.worktree(ctx)
	if err != nil || repo == nil {
		return false, err
	}
	attr, err := repo.Attribute(ctx, w.GitPath(p), "ctxptr")
	if err != nil {
		return false, gitFault(err)
	}
	return attr.State == gitref.AttrUnset, nil
}

// FromGitPath returns the path relative to the root for one from the top of the
// repository's working tree: . for the root and what lies above it, false for what
// lies beside it.
func (w *Workspace) FromGitPath(p string) (string, bool) {
	if p == "" || strings.HasPrefix(w.prefix, p+"/") {
		return ".", true
	}
	return strings.CutPrefix(p, w.prefix)
}
