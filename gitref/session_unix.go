//go:build unix

package gitref

import (
	"os/exec"
	"syscall"
)

// ownSession starts a command as the leader of a session without a terminal, so
// that neither it nor a program it starts (ssh) can ask anything, and so that
// all of them end when it is cancelled.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
