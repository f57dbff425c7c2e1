package authority

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"strconv"
	"syscall"
)

// Replace writes a file below the root in one step: what stands there is the old
// bytes or the new ones, never a part of either. stated is the digest of the bytes
// that are to be replaced, zero for a file that is to be new; when something else
// stands there nothing is written. Permissions stay as they were. The error is a
// *Fault: ambiguous:observation when the file changed meanwhile.
func (w *Workspace) Replace(ctx context.Context, p string, stated Identity, data []byte) error {
	if w.fault != nil {
		return w.fault
	}
	if err := checkPath(p, 0); err != nil {
		return err
	}
	mode, err := w.stillStands(ctx, p, stated)
	if err != nil {
		return err
	}
	temporary := path.Join(path.Dir(p), ".ctxptr-"+strconv.FormatUint(rand.Uint64(), 36)) // the name may have no room for more
	if err := w.writeNew(temporary, mode, data); err != nil {
		return unwritten(p, err)
	}
	if err = w.renameOver(ctx, temporary, p, stated); err != nil {
		return errors.Join(unwritten(p, err), w.root.Remove(temporary))
	}
	return nil
}

// renameOver puts the file temporary in the place of p, when still stands there what
// is stated. No other run of this program comes in between.
func (w *Workspace) renameOver(ctx context.Context, temporary, p string, stated Identity) error {
	unlock, err := w.lockFolder(ctx, path.Dir(p))
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := w.stillStands(ctx, p, stated); err != nil {
		return err
	}
	return w.root.Rename(temporary, p)
}

// stillStands proves that the bytes stated stand at p, or nothing where none are,
// and returns the permissions of what stands there, 0 for nothing.
func (w *Workspace) stillStands(ctx context.Context, p string, stated Identity) (fs.FileMode, error) {
	info, err := w.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && stated.IsZero():
		return 0, w.checkFolder(path.Dir(p))
	case err == nil && stated.IsZero():
		return 0, changed(p)
	}
	data, err := ReadFile(ctx, w, p)
	switch {
	case err != nil:
		return 0, err
	case Digest(stated, data) != stated:
		return 0, changed(p)
	}
	return info.Mode().Perm(), nil
}

// writeNew writes a file of its own, with permissions mode, or those of any new
// file for 0.
func (w *Workspace) writeNew(p string, mode fs.FileMode, data []byte) error {
	f, err := w.root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, w.root.Remove(p))
	}
	return nil
}

// unwritten is the fault of a file that could not be written: the room for it is a
// bound.
func unwritten(p string, err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	code := MissingPermission
	if noRoom(err) {
		code = MissingLimit
	}
	f := fault(code, "%s cannot be written%s", Quote(p), because(err))
	f.Err = err
	return f
}

// noRoom reports whether the disk, or what of it a user may fill, was full.
func noRoom(err error) bool {
	if runtime.GOOS == "windows" {
		const handleDiskFull, diskFull = syscall.Errno(39), syscall.Errno(112)
		return errors.Is(err, handleDiskFull) || errors.Is(err, diskFull)
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
