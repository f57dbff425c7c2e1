//go:build !unix

package gitref

import "os/exec"

// ownSession leaves the command as it is: there are no sessions to be had.
func ownSession(*exec.Cmd) {}
