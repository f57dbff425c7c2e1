//go:build unix

package resolver

import (
	"errors"
	"net"
	"syscall"
)

func stepFIFO(_ *behaviour, dir string, w []string) error {
	return syscall.Mkfifo(inDir(dir, w[0]), 0o644)
}

func stepSocket(_ *behaviour, dir string, w []string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: inDir(dir, w[0])})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	return errors.Join(err, l.Close())
}
