package main

import (
	"errors"
	"fmt"

	"ctxptr/resolver"
)

// The exit codes, whatever the output format. Precedence: noVerdict over
// blocked over refreshed over allResolved.
const (
	exitAllResolved = 0
	exitBlocked     = 1
	exitNoVerdict   = 2
	exitRefreshed   = 3
	exitCold        = 4
	exitInterrupted = 130
)

// exits is the table of exit codes that help prints and tests read.
var exits = []struct {
	Code  int
	Means string
}{
	{exitAllResolved, "every pointer is resolved: act"},
	{exitBlocked, "at least one is blocked, or something was found wrong: do not act on it, return the record"},
	{exitNoVerdict, "no verdict: usage, unreadable input, zero pointers, closed pipe, internal error"},
	{exitRefreshed, "none blocked, at least one refreshed: adopt the new pointer first"},
	{exitCold, "route: cold: discard the packet and resolve the named authorities anew"},
	{exitInterrupted, "interrupted"},
}

// usageError is a command line that cannot be carried out. It brings the usage
// text.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// exitError ends the process with a code; what had to be said has been said.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// exitWith returns the error for a code, nil for success.
func exitWith(code int) error {
	if code == exitAllResolved {
		return nil
	}
	return &exitError{code}
}

// verdict is the exit code of a batch.
func verdict(records []*resolver.Record) int {
	code := exitAllResolved
	for _, r := range records {
		switch r.Outcome {
		case resolver.Blocked:
			return exitBlocked
		case resolver.Refreshed:
			code = exitRefreshed
		}
	}
	return code
}

// exitCode is the code of whatever a command returned.
func exitCode(err error) int {
	if err == nil {
		return exitAllResolved
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitNoVerdict
}
