package authority

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"ctxptr/authority/selector"
)

// chunk is how many bytes are read between two looks at the context.
const chunk = 4 << 20

// lstat looks at p below the root without following a final symbolic link, and
// refuses everything that is no regular file. The error is a *Fault.
func (w *Workspace) lstat(p string) (fs.FileInfo, error) {
	info, err := w.root.Lstat(p)
	if err != nil {
		return nil, w.explain(p, err)
	}
	if what := irregular(info.Mode()); what != "" {
		return nil, fault(MissingNotRegular, "%s is %s, not a regular file", Quote(p), what)
	}
	if !w.sameName(p) {
		return nil, fault(MissingAuthority, "no file of exactly that name stands at %s", Quote(p))
	}
	return info, w.checkFolder(path.Dir(p))
}

func irregular(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "of an unknown type"
}

// explain turns an error of looking at p into a Fault. A symbolic link on the
// way that leads out of the root, or in a circle, is found by looking.
func (w *Workspace) explain(p string, err error) *Fault {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return fault(MissingAuthority, "no file stands at %s", Quote(p))
	case errors.Is(err, fs.ErrPermission):
		return fault(MissingPermission, "%s cannot be read: permission denied", Quote(p))
	}
	if link := w.firstLink(p); link != "" {
		return fault(MissingNotRegular, "%s is a symbolic link that leads out of the root or in a circle", Quote(link))
	}
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return fault(MissingAuthority, "no file of that name can stand on this system: %s", Quote(p))
	}
	// os.Root met a symbolic link that is gone now: its own error is no errno.
	if _, ok := errors.AsType[syscall.Errno](err); !ok || errors.Is(err, syscall.ELOOP) {
		return changed(p)
	}
	f := fault(MissingPermission, "%s cannot be read%s", Quote(p), because(err))
	f.Err = err
	return f
}

// because is what the operating system says of an error, behind a sentence; empty
// when it says nothing.
func because(err error) string {
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return ": " + e.Error()
	}
	return ""
}

// firstLink returns the first symbolic link on the way to p, p included.
func (w *Workspace) firstLink(p string) string {
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		info, err := w.root.Lstat(p[:i])
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return p[:i]
		}
	}
	return ""
}

// checkFolder refuses a folder that symbolic links inside the root lead into a
// repository's own files, which no locator may name.
func (w *Workspace) checkFolder(dir string) error {
	if known, ok := w.dirs.Load(dir); ok {
		if f, _ := known.(*Fault); f != nil {
			return f
		}
		return nil
	}
	var f *Fault
	if link := w.firstLink(dir); link != "" {
		f = w.checkLinked(dir, link)
	}
	w.dirs.Store(dir, f)
	if f != nil {
		return f
	}
	return nil
}

func (w *Workspace) checkLinked(dir, link string) *Fault {
	real, err := filepath.EvalSymlinks(filepath.Join(w.dir, filepath.FromSlash(dir)))
	if err != nil {
		return w.explain(dir, err)
	}
	rel, err := filepath.Rel(w.dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return fault(MissingNotRegular, "%s is a symbolic link that leads out of the root", Quote(link))
	}
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.EqualFold(part, ".git") {
			return fault(MissingNotRegular, "%s is a symbolic link into a repository's own files", Quote(link))
		}
	}
	return nil
}

// readRegular reads the file that info described, whole.
func (w *Workspace) readRegular(ctx context.Context, p string, info fs.FileInfo) (data []byte, err error) {
	err = w.inspect(p, info, func(f *os.File, size int64) (int64, error) {
		data, err = readAll(ctx, f, size, p)
		return int64(len(data)), err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// inspect opens the file that info described and lets read read it to its end;
// read is told the size and returns how many bytes there were. What was opened
// is compared with what was named, and its state after reading with that before.
func (w *Workspace) inspect(p string, info fs.FileInfo, read func(f *os.File, size int64) (int64, error)) error {
	f, err := w.root.OpenFile(p, openFlags, 0)
	if err != nil {
		return w.explain(p, err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return systemFault(err, Quote(p))
	}
	switch size := before.Size(); {
	case !os.SameFile(info, before):
		return changed(p)
	case size > w.config.MaxBytes:
		return overLimit(Quote(p), size, w.config.MaxBytes)
	}
	n, err := read(f, before.Size())
	if err != nil {
		return err
	}
	after, err := f.Stat()
	if err != nil {
		return systemFault(err, Quote(p))
	}
	if n != after.Size() || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return changed(p)
	}
	return nil
}

func changed(p string) *Fault {
	return fault(AmbiguousObservation, "%s changed while it was read", Quote(p))
}

// readAll reads f to its end, size bytes by what the system says.
func readAll(ctx context.Context, f io.Reader, size int64, p string) ([]byte, error) {
	data := make([]byte, size+1) // one more, to see a file that grew
	preferHugePages(data)
	n := 0
	for n < len(data) {
		if err := ctx.Err(); err != nil {
			return nil, systemFault(err, Quote(p))
		}
		m, err := f.Read(data[n:min(len(data), n+chunk)])
		n += m
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, systemFault(err, Quote(p))
		}
	}
	return data[:n], nil
}

// ReadFile returns the bytes of a regular file as they lie there. The error is a
// *Fault.
func ReadFile(ctx context.Context, w *Workspace, p string) ([]byte, error) {
	if w.fault != nil {
		return nil, w.fault
	}
	info, err := w.lstat(p)
	if err != nil {
		return nil, err
	}
	return w.readRegular(ctx, p, info)
}

// ReadLine returns line n, counted from 1, of a regular file without its
// terminator. The error is a *Fault.
func ReadLine(ctx context.Context, w *Workspace, p string, n int) (string, error) {
	data, err := ReadFile(ctx, w, p)
	if err != nil {
		return "", err
	}
	doc := selector.NewDocument(p, data)
	r, ok := doc.LineRange(n, n)
	if !ok {
		return "", fault(MissingSelection, "%s ends before line %d", Quote(p), n)
	}
	return string(doc.Bytes(r)), nil
}
